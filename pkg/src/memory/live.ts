// Live queries: a query runs again whenever the memory reports a relevant change.

import type { MemoryChange } from "../engine/events.js";
import type { Metadata } from "../wire/types.js";
import type { Memory } from "./memory.js";

/** The latest result. */
export interface Answer<T> {
  /** The name of the query that it belongs to; `undefined` before the first result. */
  question: string | undefined;
  value: T | undefined;
  error: unknown;
}

/** A query. */
export interface Question<T> {
  /** Queries with the same name are equal. */
  name: string;
  ask: () => Promise<T>;
  /** Whether a change may affect the result. */
  concerns: (change: MemoryChange) => boolean;
}

/** The result before the first query has resolved, and on a server. */
export const UNANSWERED: Answer<never> = { question: undefined, value: undefined, error: undefined };

/** An active query. */
interface Asked<T> extends Question<T> {
  /** Whether a call is in flight. */
  waiting: boolean;
  /** Whether the result in flight is already stale. */
  again: boolean;
}

/** A live query of one memory and its latest result, as a store that React and the inspector subscribe to. */
export class Live<M extends Metadata, N extends string, T> {
  readonly #memory: Pick<Memory<M, N>, "on">;
  readonly #listeners = new Set<() => void>();
  #answer: Answer<T> = UNANSWERED;
  #asked: Asked<T> | undefined;
  #off: (() => void) | undefined;

  constructor(memory: Pick<Memory<M, N>, "on">) {
    this.#memory = memory;
  }

  readonly answer = (): Answer<T> => this.#answer;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#off ??= this.#memory.on("change", (change) => {
      if (this.#asked?.concerns(change)) void this.#ask(this.#asked);
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#off?.();
      this.#off = undefined;
    };
  };

  /** Replaces the query. Results of the previous query are discarded. */
  ask(question: Question<T>): void {
    this.#asked = { ...question, waiting: false, again: false };
    void this.#ask(this.#asked);
  }

  /** Runs one call at a time, so that results stay in order. Changes during a call are coalesced into one more call. */
  async #ask(asked: Asked<T>): Promise<void> {
    asked.again = true;
    if (asked.waiting) return;
    asked.waiting = true;
    while (asked.again && asked === this.#asked) {
      asked.again = false;
      const answer = await this.#answerTo(asked);
      if (asked === this.#asked) this.#become(answer);
    }
    asked.waiting = false;
  }

  async #answerTo({ name, ask }: Question<T>): Promise<Answer<T>> {
    try {
      return { question: name, value: await ask(), error: undefined };
    } catch (error) {
      // After a failure, the previous value stays.
      const { question, value } = this.#answer;
      return { question: name, value: question === name ? value : undefined, error };
    }
  }

  #become(answer: Answer<T>): void {
    this.#answer = answer;
    for (const listener of [...this.#listeners]) listener();
  }
}
