// A page that has moved leads on, with what stands after # in its address.
"use strict";
location.replace(document.currentScript.dataset.to + location.hash);
