// Runs in the page: chats between a user and an assistant, as entries with sessions and speakers, in IndexedDB.

import { scaled } from "./chat-corpus.mjs";
import { ask, timed } from "./measure.mjs";
import { compare } from "./rivals.mjs";

const AT_ONCE = 200;

let memory;

async function open(name) {
  const { openMemory } = await import("keepsake");
  const config = { namespaces: { "long-term": { maxEntries: 1_000_000 } } };
  memory = await openMemory({ name, user: "u-1", storage: "indexeddb", config });
}

async function fill(entries) {
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    const some = entries.slice(at, at + AT_ONCE);
    await Promise.all(
      some.map(({ id, text, session, speaker, at }) => {
        return memory.add(text, { id: String(id), namespace: "long-term", session, speaker, at });
      }),
    );
  }
}

async function search(text) {
  const hits = await memory.search(text, { ranking: "best", limit: 5 });
  return hits.map(({ id }) => Number(id));
}

/** The package and its peers on the same `count` entries. */
export async function searches(chats, count) {
  const { entries, questions } = scaled(chats, count);
  await open("chats");
  await fill(entries);
  const keepsake = await ask(search, questions);
  await memory.close();
  const characters = entries.reduce((sum, { text }) => sum + text.length, 0);
  return { characters, search: { keepsake, ...(await compare(entries, questions)) } };
}

/** Fills the memory `name` with chats one after the other until they have so many tokens. */
export async function fillChat(name, chats, tokens) {
  await open(name);
  const all = chats.reduce((sum, { entries }) => sum + entries.length, 0);
  const { entries } = scaled(chats, all);
  let [filled, count] = [0, 0];
  while (filled < tokens) {
    if (count === all) throw new Error(`the chats have ${filled} tokens, which is less than ${tokens}`);
    filled += await memory.countTokens(entries[count].text);
    count += 1;
  }
  await fill(entries.slice(0, count));
  await memory.close();
  return { tokens: filled, entries: count };
}

/** From nothing loaded to the first answer, the code's own loading included. */
export async function coldOpen(name, question) {
  const opened = await timed(() => open(name));
  const searched = await timed(() => search(question));
  return { opened, firstHit: opened + searched };
}
