// Draws the PNG icons out of public/icon.svg, with the browser that the tests use: `node www/icons.mjs`.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { launch } from "../tests/e2e/support/browser.mjs";

const PUBLIC = join(import.meta.dirname, "public");

/** A maskable icon may be cut to any shape: its ground goes to the edges, and the drawing keeps to the safe middle. */
const ICONS = [
  { name: "icon-192.png", size: 192, scale: 1, ground: "transparent" },
  { name: "icon-512.png", size: 512, scale: 1, ground: "transparent" },
  { name: "icon-maskable-512.png", size: 512, scale: 0.8, ground: "#245c4f" },
];

const svg = await readFile(join(PUBLIC, "icon.svg"), "utf8");
const browser = await launch();
try {
  for (const { name, size, scale, ground } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const side = size * scale;
    await page.setContent(
      `<style>html,body{margin:0;height:100%;background:${ground}}body{display:grid;place-items:center}` +
        `svg{width:${side}px;height:${side}px}</style>${svg}`,
    );
    await page.screenshot({ path: join(PUBLIC, name), omitBackground: true });
    await page.close();
  }
} finally {
  await browser.close();
}
