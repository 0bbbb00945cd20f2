// Files that a page hands to its user.

import { readFile } from "node:fs/promises";
import { BROWSER } from "./browser.mjs";

/**
 * The name and the bytes of what is downloaded when `act` is done. Only Chromium hands files over; elsewhere the link is
 * looked at instead of followed.
 */
export async function downloaded(page, act) {
  if (BROWSER === "chromium") {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }
  await page.evaluate(() => {
    const { createObjectURL } = URL;
    const { click } = HTMLAnchorElement.prototype;
    const blobs = new Map();
    URL.createObjectURL = (blob) => {
      const url = createObjectURL.call(URL, blob);
      blobs.set(url, blob);
      return url;
    };
    globalThis.offered = new Promise((resolve) => {
      HTMLAnchorElement.prototype.click = function () {
        URL.createObjectURL = createObjectURL;
        HTMLAnchorElement.prototype.click = click;
        resolve({ name: this.download, blob: blobs.get(this.href) });
      };
    });
  });
  await act();
  const { name, bytes } = await page.evaluate(async () => {
    const { name, blob } = await globalThis.offered;
    return { name, bytes: [...new Uint8Array(await blob.arrayBuffer())] };
  });
  return { name, bytes: Buffer.from(bytes) };
}
