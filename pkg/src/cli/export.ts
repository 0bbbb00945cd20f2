// `keepsake export`: everything that the public API can read, as JSON Lines that `keepsake import` reads.

import { exported } from "../portable/exported.js";
import { sealed } from "../portable/seal.js";
import type { Command } from "./options.js";
import { line } from "./output.js";

export const exportCommand: Command = {
  summary: "export a memory as JSON Lines",
  help: `Usage: keepsake export FILE --user NAME > OTHER

Writes the user's memory to stdout as JSON Lines: entries with their past versions, sessions with
their messages, the profile, skills, experience, files and the knowledge graph. \`keepsake import\`
reads it.

  -u, --user NAME         the user whose memory it is; default: $KEEPSAKE_USER
  -c, --collection NAME   also the values of this collection; may be repeated`,
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
