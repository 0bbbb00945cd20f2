// An answer as the demo agent puts it together: lines of text, and numbered references to what they rest on.

import type { Reference } from "../agent.js";

/** Lines, and what they rest on. */
export class Answer {
  readonly references: Reference[] = [];
  readonly #lines: string[] = [];

  /** Another line. */
  say(line: string): void {
    this.#lines.push(line);
  }

  /** Another line, with the number of the reference behind it. */
  cite(line: string, reference: Reference): void {
    const known = this.references.findIndex(
      ({ ref, kind }) => ref === reference.ref && kind === reference.kind,
    );
    if (known < 0) this.references.push(reference);
    this.say(`${line} [${known < 0 ? this.references.length : known + 1}]`);
  }

  /** Whether nothing was said yet. */
  get empty(): boolean {
    return this.#lines.length === 0;
  }

  get text(): string {
    return this.#lines.join("\n");
  }
}
