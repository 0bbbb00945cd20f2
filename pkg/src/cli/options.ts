// Parses and validates the arguments of a command, and opens the memory that they name.

import { stat } from "node:fs/promises";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { jsonl, type Memory, type OpenOptions, openMemory } from "../entry/node.js";
import type { Metadata } from "../wire/types.js";
import { UsageError } from "./output.js";

/** Options of a command, by name. */
export type Options = NonNullable<ParseArgsConfig["options"]>;

/** A command. */
export interface Command {
  /** What it does, in a few words. */
  summary: string;
  /** What `--help` says. */
  help: string;
  /** The options that it takes beside the common ones. */
  options: Options;
  /** How many arguments it takes, the file included. */
  takes: [least: number, most: number];
  /** Does it. Answers the exit code. */
  run(args: Args): Promise<number>;
}

/** What a command was called with. */
export class Args {
  readonly positionals: string[];
  readonly #values: Record<string, unknown>;

  constructor(positionals: string[], values: Record<string, unknown>) {
    this.positionals = positionals;
    this.#values = values;
  }

  /** Whether this option is there. */
  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** The value of an option. */
  text(name: string): string | undefined {
    return this.#values[name] as string | undefined;
  }

  /** The values of an option that may be there several times. */
  texts(name: string): string[] {
    return (this.#values[name] as string[] | undefined) ?? [];
  }

  /** The value of an option that is a number from 1 on. */
  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} must be a positive integer`);
    return Number(text);
  }

  /** The memory's file. */
  get file(): string {
    return this.positionals[0] as string;
  }

  /** Whose memory. */
  get user(): string {
    const { KEEPSAKE_USER } = process.env;
    const user = this.text("user") ?? KEEPSAKE_USER;
    if (user) return user;
    throw new UsageError("missing option: --user NAME (or set KEEPSAKE_USER)");
  }

  /** Opens the memory; a command that only reads does not begin a new one. */
  async open(
    mode: "read" | "write",
    options: Partial<OpenOptions<string>> = {},
  ): Promise<Memory<Metadata, string>> {
    const { user, file } = this;
    if (mode === "read" && !(await stat(file).catch(() => undefined))?.isFile()) {
      throw new Error(`no such file: ${file}`);
    }
    return openMemory<Metadata, string>({ ...options, user, storage: jsonl(file) });
  }
}

const COMMON: Options = {
  help: { type: "boolean", short: "h" },
  user: { type: "string", short: "u" },
};

/** Parses the arguments; `undefined` for `--help`. */
export function argsOf(command: Command, argv: string[]): Args | undefined {
  const options = { ...COMMON, ...command.options };
  let parsed: { positionals: string[]; values: Record<string, unknown> };
  try {
    parsed = parseArgs({ args: argv, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const { positionals, values } = parsed;
  const { help } = values;
  if (help === true) return undefined;
  const [least, most] = command.takes;
  if (positionals.length < least) {
    throw new UsageError(`missing argument: ${positionals.length === 0 ? "FILE" : "QUERY"}`);
  }
  if (positionals.length > most) throw new UsageError(`unexpected argument: ${positionals[most]}`);
  if (positionals[0] === "") throw new UsageError("missing argument: FILE");
  return new Args(positionals, values);
}
