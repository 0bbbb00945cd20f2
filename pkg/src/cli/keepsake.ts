#!/usr/bin/env node
// The command line: `npx keepsake COMMAND FILE`.

import { exportCommand } from "./export.js";
import { importCommand } from "./import.js";
import { inspectCommand } from "./inspect.js";
import { mcpCommand } from "./mcp.js";
import { argsOf, type Command } from "./options.js";
import { endWithReader, line, note, UsageError } from "./output.js";
import { searchCommand } from "./search.js";

const VERSION = "0.1.0";

const COMMANDS: { readonly [name: string]: Command } = {
  mcp: mcpCommand,
  search: searchCommand,
  export: exportCommand,
  import: importCommand,
  inspect: inspectCommand,
};

const HELP = `Usage: keepsake COMMAND FILE --user NAME

Works on a memory in a file, as \`jsonl(path)\` stores it.

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(9)}${summary}`)
  .join("\n")}

Run \`keepsake COMMAND --help\` for the options of a command, \`keepsake --version\` for the version.`;

async function main([name, ...rest]: string[]): Promise<number> {
  if (name === undefined) throw new UsageError("missing argument: COMMAND");
  if (["--help", "-h", "help"].includes(name)) {
    await line(HELP);
    return 0;
  }
  if (["--version", "-v"].includes(name)) {
    await line(VERSION);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`unknown command: ${name}`);
  try {
    const args = argsOf(command, rest);
    if (args) return await command.run(args);
    await line(command.help);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${name}: ${error.message}`);
    throw error;
  }
}

endWithReader();
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    note(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) process.stderr.write("Try: keepsake --help\n");
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
