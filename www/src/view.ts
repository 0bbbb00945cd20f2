// What the page shows: its controls, a row for each memory, the status line, and failures in plain words.

import { type Memory, type MemoryEntry, MemoryError, type MemoryErrorCode } from "keepsake";

const MOST_ROWS = 200;

function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${id}`);
}

export const controls = {
  form: find("add-form", HTMLFormElement),
  fields: find("add-fields", HTMLFieldSetElement),
  content: find("content", HTMLTextAreaElement),
  tags: find("tags", HTMLInputElement),
  namespace: find("namespace", HTMLSelectElement),
  search: find("search", HTMLInputElement),
};

const status = find("status", HTMLParagraphElement);
const problem = find("problem", HTMLParagraphElement);
const list = find("memories", HTMLUListElement);
const note = find("note", HTMLParagraphElement);

/** Rows by id and time of change: a row that is shown again keeps its state and its focus. */
let rows = new Map<string, HTMLLIElement>();

export function showEntries(
  all: readonly MemoryEntry[],
  needle: string,
  read: (id: string) => Promise<string | null>,
): void {
  const found = all.filter((entry) => matches(entry, needle));
  const old = rows;
  rows = new Map();
  for (const entry of found.slice(0, MOST_ROWS)) {
    const key = `${entry.updatedAt} ${entry.id}`;
    rows.set(key, old.get(key) ?? row(entry, read));
  }
  const focused = document.activeElement;
  list.replaceChildren(...rows.values());
  if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();

  note.textContent = remark(all.length, found.length, needle !== "");
}

function remark(all: number, found: number, searching: boolean): string {
  if (all === 0) return "Nothing yet. What you write stays on this device.";
  const shown = found > MOST_ROWS ? `The newest ${MOST_ROWS} are shown; search to see others.` : "";
  return searching ? `${found} of ${memories(all)} found. ${shown}` : shown;
}

function matches(entry: MemoryEntry, needle: string): boolean {
  return [entry.summary, ...entry.tags].some((text) => comparable(text).includes(needle));
}

/** One form for texts that look the same: an accent may be typed as part of its letter or after it. */
export function comparable(text: string): string {
  return text.normalize("NFC").toLowerCase().normalize("NFC");
}

function row(entry: MemoryEntry, read: (id: string) => Promise<string | null>): HTMLLIElement {
  const item = document.createElement("li");
  const details = document.createElement("details");
  const heading = document.createElement("summary");
  const facts = piece("span", "facts");
  facts.append(moment(entry.createdAt), ` · ${entry.namespace}`);
  for (const tag of entry.tags) facts.append(" ", piece("span", "tag", tag));
  heading.append(piece("span", "gist", entry.summary), facts);

  const content = piece("p", "content");
  const size = `${entry.contentLength} characters${entry.truncated ? ", cut" : ""}`;
  const until = piece("p", "hint", `${size}, kept until `);
  until.append(moment(entry.expiresAt));
  details.append(heading, content, until);
  details.addEventListener("toggle", async () => {
    if (!details.open) return;
    try {
      content.textContent = (await read(entry.id)) ?? "This memory is no longer there.";
    } catch (error) {
      content.textContent = inPlainWords(error);
    }
  });
  item.append(details);
  return item;
}

function piece(tag: "span" | "p", name: string, text = ""): HTMLElement {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function moment(iso: string): HTMLTimeElement {
  const time = document.createElement("time");
  time.dateTime = iso;
  time.textContent = dates.format(new Date(iso));
  return time;
}

function memories(count: number): string {
  return count === 1 ? "1 memory" : `${count} memories`;
}

export function showStatus(count: number, memory: Memory, ready: boolean): void {
  const problem = memory.storageProblem ?? "kept in memory only";
  const place = memory.persistent
    ? "stored in this browser"
    : `not persistent: ${problem}, and closing the tab forgets everything`;
  const network = navigator.onLine ? "online" : "offline";
  // Said anew only when it changed: a screen reader reads it out each time it is set.
  const line = [memories(count), place, ready ? `${network}, ready to work offline` : network].join(" · ");
  if (status.textContent !== line) status.textContent = line;
}

/** Shows what went wrong; without an error, shows nothing. */
export function showProblem(error?: unknown): void {
  problem.hidden = error === undefined;
  problem.textContent = error === undefined ? "" : inPlainWords(error);
}

/** The page is of no use without a memory. */
export function refuse(error: unknown): void {
  controls.fields.disabled = true;
  status.textContent = "The memory could not be opened.";
  showProblem(error);
}

const PLAIN_WORDS: ReadonlyMap<MemoryErrorCode, string> = new Map([
  ["quota-exceeded", "There is no room left. Nothing was lost: make room on this device, then try again."],
  ["conflict", "Another tab was writing at the same time. Try again."],
  ["blocked", "Another tab is holding on to an older version. Close it, then reload this page."],
  ["superseded", "Another tab has moved on to a newer version. Reload this page."],
  ["newer-version", "These memories were written by a newer version. Reload this page to get it."],
  ["store-lost", "The browser has emptied this page's storage. Reload to start again."],
  ["closed", "The memory is closed. Reload this page."],
  ["crashed", "The memory stumbled over a mistake of its own. Nothing was lost: try again."],
]);

function inPlainWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof MemoryError)) return `Something went wrong: ${message}`;
  if (error.field === "content" && error.code === "invalid-input") return "Write something first.";
  return PLAIN_WORDS.get(error.code) ?? `That did not work: ${message}`;
}
