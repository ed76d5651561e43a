// SPDX-License-Identifier: MIT
//
// The HTML page around a picture. It needs no other file.

#include "picture/picture.hpp"

namespace lanefold::tools {

std::string picture_page(const Picture& picture, const std::string& title) {
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
                      escape_xml(title) + "</title>\n";
    out += R"(<style>
html,body{margin:0;height:100%;background:#f4f5f7;font:14px Helvetica,Arial,sans-serif;color:#20242c}
svg{display:block;width:100vw;height:100vh;cursor:grab}
nav{position:fixed;right:18px;top:18px;padding:10px 14px;background:#ffffffe0;
  border:1px solid #c9ced6;border-radius:8px}
nav label{display:block;line-height:1.6}
</style>
</head>
<body>
<nav>
<label><input type="checkbox" checked data-layer=".bodies"> bodies</label>
<label><input type="checkbox" checked data-layer=".stage"> floor and walls</label>
<label><input type="checkbox" checked data-layer=".ground"> surfaces</label>
<label><input type="checkbox" checked data-layer=".overlaps"> overlapping points</label>
<label><input type="checkbox" checked data-layer=".gaps"> points with a gap</label>
<label><input type="checkbox" checked data-layer=".normals"> normals</label>
<label><input type="checkbox" data-layer=".inside"> points inside the pile</label>
<label><input type="checkbox" checked data-layer=".legend"> legend</label>
wheel zooms, dragging moves,<br>double click resets
</nav>
)";
    out += picture.svg;
    out += R"(<script>
"use strict";
const svg = document.querySelector("svg");
const home = svg.getAttribute("viewBox").split(" ").map(Number);
let box = home.slice();
const show = () => svg.setAttribute("viewBox", box.join(" "));
const scale = () => Math.max(box[2] / svg.clientWidth, box[3] / svg.clientHeight);
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const factor = Math.exp(event.deltaY * 0.001);
  const [x, y, width, height] = box;
  box = [point.x + (x - point.x) * factor, point.y + (y - point.y) * factor, width * factor, height * factor];
  show();
}, {passive: false});
svg.addEventListener("pointermove", (event) => {
  if (event.buttons !== 1) return;
  box[0] -= event.movementX * scale();
  box[1] -= event.movementY * scale();
  show();
});
svg.addEventListener("dblclick", () => { box = home.slice(); show(); });
for (const input of document.querySelectorAll("input")) {
  input.addEventListener("change", () => {
    for (const part of svg.querySelectorAll(input.dataset.layer)) part.style.display = input.checked ? "" : "none";
  });
}
</script>
</body>
</html>
)";
    return out;
}

}  // namespace lanefold::tools
