// An answer of the demo agent: lines of text, with numbered references.

import type { Reference } from "../agent.js";

/** Lines and references. */
export class Answer {
  readonly references: Reference[] = [];
  readonly #lines: string[] = [];

  /** Adds a line. */
  say(line: string): void {
    this.#lines.push(line);
  }

  /** Adds a line with a reference. */
  cite(line: string, reference: Reference): void {
    const known = this.references.findIndex(
      ({ ref, kind }) => ref === reference.ref && kind === reference.kind,
    );
    if (known < 0) this.references.push(reference);
    this.say(`${line} [${known < 0 ? this.references.length : known + 1}]`);
  }

  /** Whether it is empty. */
  get empty(): boolean {
    return this.#lines.length === 0;
  }

  get text(): string {
    return this.#lines.join("\n");
  }
}
