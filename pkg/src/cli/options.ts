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
  /** The purpose of the command, for the list of commands. */
  summary: string;
  /** The text of `--help`. */
  help: string;
  /** Its options, without the common ones. */
  options: Options;
  /** The minimum and maximum number of arguments, including the file. */
  takes: [least: number, most: number];
  /** Runs the command and returns the exit code. */
  run(args: Args): Promise<number>;
}

/** The parsed arguments of a command. */
export class Args {
  readonly positionals: string[];
  readonly #values: Record<string, unknown>;

  constructor(positionals: string[], values: Record<string, unknown>) {
    this.positionals = positionals;
    this.#values = values;
  }

  /** Whether this option is present. */
  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** The value of an option. */
  text(name: string): string | undefined {
    return this.#values[name] as string | undefined;
  }

  /** The values of a repeatable option. */
  texts(name: string): string[] {
    return (this.#values[name] as string[] | undefined) ?? [];
  }

  /** The value of an option that is a positive integer. */
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

  /** The user whose memory it is. */
  get user(): string {
    const { KEEPSAKE_USER } = process.env;
    const user = this.text("user") ?? KEEPSAKE_USER;
    if (user) return user;
    throw new UsageError("missing option: --user NAME (or set KEEPSAKE_USER)");
  }

  /** Opens the memory. In mode `read` the file must exist. */
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
