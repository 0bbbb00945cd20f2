// A memory in which somebody else is quicker once: after a collection was looked at, and before it is written.

/** The memory, whose collections let `meanwhile` happen after the first look at several values. */
export function interrupted(memory, meanwhile) {
  let next = meanwhile;
  const collection = (name) => {
    const kept = memory.collection(name);
    return {
      get: (key) => kept.get(key),
      list: (options) => kept.list(options),
      entries: (options) => kept.entries(options),
      write: (changes, options) => kept.write(changes, options),
      async getMany(keys) {
        const found = await kept.getMany(keys);
        const now = next;
        next = undefined;
        await now?.();
        return found;
      },
    };
  };
  return { collection };
}
