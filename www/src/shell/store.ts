// An observable value.

import { useEffect, useState } from "preact/hooks";

/** Holds a value, and notifies watchers of changes. */
export class Store<T extends object> {
  #value: T;
  readonly #watchers = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  /** The current value. It is never mutated. */
  get value(): T {
    return this.#value;
  }

  /** Changes some fields. */
  set(changes: Partial<T>): void {
    this.#value = { ...this.#value, ...changes };
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Calls `watcher` after each change. Returns a function that stops it. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }
}

/** The store's value; the component renders again when it changes. */
export function useStore<T extends object>(store: Store<T>): T {
  const [value, show] = useState(store.value);
  useEffect(() => {
    const update = () => show(store.value);
    // The value may have changed between render and subscription.
    update();
    return store.watch(update);
  }, [store]);
  return value;
}
