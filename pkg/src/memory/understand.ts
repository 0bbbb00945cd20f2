// The app's own understanding of messages, which replaces the rules of the library.

import { MemoryError, refused } from "../base/errors.js";
import type { MessageInput } from "../wire/messages.js";

/** A fact that the app found in a message, usually with a model. */
export interface UnderstoodFact {
  /** The statement, which can be understood alone: `"Lives in Da Nang"`. */
  text: string;
  /** The person or thing that it is about, in at most 100 bytes. Only with `slot`. Default: the speaker. */
  who?: string | undefined;
  /**
   * The attribute of which `who` has one value, such as `"home"`, in at most 100 bytes. A later fact with the same `who`
   * and `slot` replaces this one. Default: the library's rules decide what it replaces.
   */
  slot?: string | undefined;
  /** Whether it is a standing instruction of the user. Default: `false`. */
  instruction?: boolean | undefined;
}

/**
 * Finds the facts in a message. An empty array: nothing is recorded from it. `undefined` or `null`: the library's rules
 * judge the message.
 */
export type Understand = (
  message: MessageInput,
) => readonly UnderstoodFact[] | null | undefined | Promise<readonly UnderstoodFact[] | null | undefined>;

/** @internal The facts of one message, by its number. */
export interface Understood {
  message: number;
  facts: readonly UnderstoodFact[];
}

/** @internal What the app finds in messages. A message for which it fails or takes too long is left to the rules. */
export async function understoodIn(
  understand: Understand,
  timeout: number,
  messages: readonly MessageInput[],
  failed: (error: unknown) => void,
): Promise<Understood[]> {
  const found = await Promise.all(
    messages.map(async (message, at) => {
      try {
        const facts = (await within(timeout, async () => understand(message))) ?? undefined;
        if (facts !== undefined && !Array.isArray(facts))
          throw refused("understand", "must return an array of facts, or nothing");
        return facts && { message: at, facts };
      } catch (error) {
        failed(error);
        return undefined;
      }
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** The result of `work`, or an error after `millis`. */
async function within<T>(millis: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new MemoryError("unavailable", `\`understand\` took longer than ${millis} ms`)),
      millis,
    );
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
