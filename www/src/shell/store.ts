// A value that components watch.

import { useEffect, useState } from "preact/hooks";

/** Holds a value, and tells who watches when parts of it change. */
export class Store<T extends object> {
  #value: T;
  readonly #watchers = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  /** The value as it is now. It is never changed in place. */
  get value(): T {
    return this.#value;
  }

  /** Changes some fields. */
  set(changes: Partial<T>): void {
    this.#value = { ...this.#value, ...changes };
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Calls `watcher` after each change, until the answer is called. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }
}

/** The store's value; the component is drawn again when it changes. */
export function useStore<T extends object>(store: Store<T>): T {
  const [value, show] = useState(store.value);
  useEffect(() => {
    const update = () => show(store.value);
    // It may have changed between drawing and watching.
    update();
    return store.watch(update);
  }, [store]);
  return value;
}
