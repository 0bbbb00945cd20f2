// `keepsake search`: searches a memory.

import type { Command } from "./options.js";
import { line, note, oneLine, styled } from "./output.js";

export const searchCommand: Command = {
  summary: "search a memory",
  help: `Usage: keepsake search FILE QUERY --user NAME

Finds entries by relevance to the query, best first. Messages of sessions are
searched with --all only.

  -u, --user NAME        the user whose memory it is; default: $KEEPSAKE_USER
  -n, --limit N          maximum number of hits; default: 5
      --namespace NAME   only this namespace
      --session ID       only this session
      --all              also messages and summaries of sessions
      --json             print JSON with full contents`,
  options: {
    limit: { type: "string", short: "n" },
    namespace: { type: "string" },
    session: { type: "string" },
    all: { type: "boolean" },
    json: { type: "boolean" },
  },
  takes: [2, 2],
  async run(args) {
    const [, query = ""] = args.positionals;
    const limit = args.count("limit") ?? 5;
    const [namespace, session] = [args.text("namespace"), args.text("session")];
    // Declares the namespace in the config: the file does not list the namespaces of an app.
    const config = namespace === undefined ? {} : { config: { namespaces: { [namespace]: {} } } };
    const memory = await args.open("read", config);
    try {
      if (args.has("all")) {
        const found = await memory.queryMemory(query, { limit, session });
        if (args.has("json")) await line(JSON.stringify(found));
        else for (const { score, at, ref, text } of found) await line(shown(score, at, ref, text));
        if (found.length === 0) note("no results");
        return 0;
      }
      const hits = await memory.search(query, { limit, namespace, session });
      if (hits.length === 0) note("no results among the entries; --all searches messages too");
      if (!args.has("json")) {
        for (const { score, at, id, summary } of hits) await line(shown(score, at, id, summary));
        return 0;
      }
      const found = [];
      for (const { id, score } of hits) {
        const entry = await memory.get(id);
        if (entry) found.push({ score, ...entry });
      }
      await line(JSON.stringify(found));
      return 0;
    } finally {
      await memory.close();
    }
  },
};

function shown(score: number, at: string, id: string, text: string): string {
  return `${styled("bold", score.toFixed(3))}  ${styled("dim", `${at.slice(0, 10)}  ${oneLine(id, 64)}`)}  ${oneLine(text)}`;
}
