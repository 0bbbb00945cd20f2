// `keepsake export`: what the public API can read, as lines that `keepsake import` takes.

import { exported } from "../portable/exported.js";
import { sealed } from "../portable/seal.js";
import type { Command } from "./options.js";
import { line } from "./output.js";

export const exportCommand: Command = {
  summary: "write a memory out, as lines of JSON",
  help: `Usage: keepsake export FILE --user NAME > OTHER

Writes everything of the user's that can be read out to stdout, a line of JSON each: entries with
what they were before, sessions with their messages, the profile, skills, experience, files and
the knowledge graph. \`keepsake import\` takes it in again.

  -u, --user NAME         whose memory; or KEEPSAKE_USER
  -c, --collection NAME   also the values of this collection; may be said several times`,
  options: { collection: { type: "string", short: "c", multiple: true } },
  takes: [1, 1],
  async run(args) {
    const memory = await args.open("read");
    try {
      for await (const text of sealed(exported(memory, args.texts("collection")))) await line(text);
      return 0;
    } finally {
      await memory.close();
    }
  },
};
