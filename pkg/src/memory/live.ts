// An answer that stays true: the question is asked again whenever the memory tells of a change.

import type { MemoryChange } from "../engine/events.js";
import type { Metadata } from "../wire/types.js";
import type { Memory } from "./memory.js";

/** What was last answered. */
export interface Answer<T> {
  /** The question it is the answer to; none if there was none yet. */
  question: string | undefined;
  value: T | undefined;
  error: unknown;
}

/** What is asked. */
export interface Question<T> {
  /** Two questions of one name are the same. */
  name: string;
  ask: () => Promise<T>;
  /** Whether a change may have changed the answer. */
  concerns: (change: MemoryChange) => boolean;
}

/** Before anything was answered, and on a server. */
export const UNANSWERED: Answer<never> = { question: undefined, value: undefined, error: undefined };

/** A question that is being asked. */
interface Asked<T> extends Question<T> {
  /** Whether an answer is awaited. */
  waiting: boolean;
  /** Whether it will be out of date when it comes. */
  again: boolean;
}

/** What is asked of one memory, and the last answer to it, in the form that React and the inspector subscribe to. */
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

  /** Asks this from now on. An answer to what was asked before is not taken any more. */
  ask(question: Question<T>): void {
    this.#asked = { ...question, waiting: false, again: false };
    void this.#ask(this.#asked);
  }

  /** One call at a time: answers cannot overtake each other, and any number of changes meanwhile is one more call. */
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
      // A failure does not take away what was there before.
      const { question, value } = this.#answer;
      return { question: name, value: question === name ? value : undefined, error };
    }
  }

  #become(answer: Answer<T>): void {
    this.#answer = answer;
    for (const listener of [...this.#listeners]) listener();
  }
}
