// Draws media/icon.png from media/icon.svg. The renderer is not among the development dependencies:
// `npm install --no-save @resvg/resvg-js` first.
import { readFileSync, writeFileSync } from "node:fs";
import { Resvg } from "@resvg/resvg-js";

const drawn = new Resvg(readFileSync("media/icon.svg", "utf8"), { fitTo: { mode: "width", value: 256 } });
writeFileSync("media/icon.png", drawn.render().asPng());
