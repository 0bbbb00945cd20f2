// What a command says: to a person, to a program, or into a pipe whose other end may be gone.

import * as util from "node:util";

/** A wrong use of the command line: the exit code is 2. */
export class UsageError extends Error {}

/** Writes a line, and waits where the other end is slower. */
export function line(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Ends quietly when nobody reads any more, as in `keepsake export … | head`. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? 0 : 1);
    });
  }
}

/** Says something beside the answer. */
export function note(text: string): void {
  process.stderr.write(`keepsake: ${text}\n`);
}

type Style = "bold" | "dim" | "red" | "green";

/** The text in a style, where a person reads it and has not asked for none. */
export function styled(style: Style, text: string): string {
  const { NO_COLOR, TERM } = process.env;
  const plain = !process.stdout.isTTY || Boolean(NO_COLOR) || TERM === "dumb";
  // Not in every Node 20.
  return plain || !util.styleText ? text : util.styleText(style, text);
}

/** A text on one line and without signs that steer a terminal; at most `most` characters. */
export function oneLine(text: string, most = 200): string {
  const flat = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const signs = [...flat];
  return signs.length > most ? `${signs.slice(0, most - 1).join("")}…` : flat;
}

/** `1 entry`, `2 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
