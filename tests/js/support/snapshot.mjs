// A hash over everything that a storage holds: two that give the same hold the same bytes.

const SPACES = ["meta", "records", "bodies", "log", "index"];
/** How many keys are read at once: so few that a scenario has several pages. */
const PAGE = 16;

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The SHA-256 of the storage's dump, as README.md beside the scenarios describes it. `storage` needs no more of a storage
 * than its `scan`. For Node, pages and workers alike.
 */
export async function snapshot(storage) {
  let dump = "";
  for (const space of SPACES) {
    let start = new Uint8Array();
    while (start) {
      const { items, next } = await storage.scan(space, { start }, PAGE);
      for (const [key, value] of items) dump += `${space} ${hex(key)} ${hex(value)}\n`;
      start = next;
    }
  }
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(dump))));
}
