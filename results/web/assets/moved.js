// A page that leads on to where its link leads.
"use strict";
location.replace(document.querySelector("a").href);
