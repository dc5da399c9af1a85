// A page that leads on, with what stands after # in its address where its link has nothing there.
"use strict";
{
  const { href } = document.querySelector("a");
  location.replace(href.includes("#") ? href : href + location.hash);
}
