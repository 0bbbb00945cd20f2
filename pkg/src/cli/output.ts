// Output of a command: for a person, for a program, or into a pipe that may be closed.

import * as util from "node:util";

/** Wrong usage of the command line. The exit code is 2. */
export class UsageError extends Error {}

/** Writes a line to stdout, and waits while its buffer is full. */
export function line(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Exits without an error when the reader closes the pipe, as in `keepsake export … | head`. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? 0 : 1);
    });
  }
}

/** Writes a message to stderr. */
export function note(text: string): void {
  process.stderr.write(`keepsake: ${text}\n`);
}

type Style = "bold" | "dim" | "red" | "green";

/** The string with ANSI styles, unless stdout is no terminal or `NO_COLOR` is set. */
export function styled(style: Style, text: string): string {
  const { NO_COLOR, TERM } = process.env;
  const plain = !process.stdout.isTTY || Boolean(NO_COLOR) || TERM === "dumb";
  // Not available in every Node 20.
  return plain || !util.styleText ? text : util.styleText(style, text);
}

/** The string on one line, without control characters, cut to `most` characters. */
export function oneLine(text: string, most = 200): string {
  const flat = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const signs = [...flat];
  return signs.length > most ? `${signs.slice(0, most - 1).join("")}…` : flat;
}

/** `1 entry`, `2 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
