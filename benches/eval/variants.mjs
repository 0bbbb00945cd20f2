// Chats as apps may pass them: with everything, or without the parts that an app does not know.

const without = (...fields) => {
  return (entry) => Object.fromEntries(Object.entries(entry).filter(([name]) => !fields.includes(name)));
};

/** The variants of each kind of chat beside the chat as given. */
const VARIANTS = {
  people: [{ name: "without session", change: without("session") }],
  roles: [
    { name: "without session", change: without("session") },
    { name: "roles unknown", change: without("speaker") },
    { name: "roles unknown, without session", change: without("speaker", "session") },
  ],
};

/** Pairs of variants that differ only by `session`: with it, and without it. `undefined` is the chat as given. */
export const SESSION_PAIRS = [
  [undefined, "without session"],
  ["roles unknown", "roles unknown, without session"],
];

/** The variants of a set, each as a set with the same questions. Passages have none. */
export function variants(set) {
  return (VARIANTS[set.chat] ?? []).map(({ name, change }) => {
    const memories = set.memories.map((memory) => ({ ...memory, entries: memory.entries.map(change) }));
    return { name, set: { ...set, memories } };
  });
}
