// Writes of one client after the other, four at a time, under keys: what was not answered is asked for again. And what is
// there in the end.

import { ask } from "../../js/support/http.mjs";

const AT_ONCE = 4;

/** Adds notes to a user's memory. Answers what they say, once each was acknowledged. */
export async function writeFrom(url, user, name, count, acknowledged = () => {}) {
  const contents = Array.from({ length: count }, (_, at) => `${name} note ${at}`);
  const waiting = contents.values();
  const work = async () => {
    for (const content of waiting) {
      await add(url, user, content);
      acknowledged(content);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return contents;
}

async function add(url, user, content) {
  const headers = { "Idempotency-Key": content.replaceAll(" ", "-") };
  for (;;) {
    // Memory grows with the writes, and short-term ones would be evicted at some point.
    const body = { content, namespace: "long-term" };
    const { status, text } = await ask(url, user, "POST", "/v1/entries", body, headers);
    if (status === 201) return;
    // Others were faster again and again: that is said, and tried again.
    if (status !== 503) throw new Error(`${status} ${text}`);
  }
}

/** What all entries of a user say, read in pages. */
export async function notesOf(url, user) {
  const found = [];
  let after = "";
  do {
    const { json } = await ask(url, user, "GET", `/v1/entries?limit=500${after}`);
    found.push(...json.entries.map(({ summary }) => summary));
    after = json.next && `&after=${json.next}`;
  } while (after);
  return found.sort();
}
