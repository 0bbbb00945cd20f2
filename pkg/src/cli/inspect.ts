// `keepsake inspect`: the content of a memory in numbers, and whether its log verifies.

import type { Memory } from "../memory/memory.js";
import type { Metadata } from "../wire/types.js";
import type { Command } from "./options.js";
import { counted, line, oneLine, styled } from "./output.js";

const SHOWN = 20;

export const inspectCommand: Command = {
  summary: "show counts and sessions, and verify the log",
  help: `Usage: keepsake inspect FILE --user NAME

Counts the items of a memory, lists its sessions, and verifies the hash chain of the log.
The exit code is 1 if the log is damaged.

  -u, --user NAME   the user whose memory it is; default: $KEEPSAKE_USER
      --json        print JSON`,
  options: { json: { type: "boolean" } },
  takes: [1, 1],
  async run(args) {
    const memory = await args.open("read");
    try {
      const found = await inspected(memory);
      if (args.has("json")) await line(JSON.stringify(found));
      else await shown(found);
      return found.log.ok ? 0 : 1;
    } finally {
      await memory.close();
    }
  },
};

async function inspected(memory: Memory<Metadata, string>) {
  const namespaces: Record<string, number> = { "short-term": 0, "long-term": 0 };
  for await (const { namespace } of memory.entries({ pageSize: 1000 })) {
    namespaces[namespace] =
      (Object.hasOwn(namespaces, namespace) ? (namespaces[namespace] as number) : 0) + 1;
  }
  const { entities, relations } = await memory.semantic.graph.read();
  return {
    user: memory.user,
    entries: Object.values(namespaces).reduce((sum, count) => sum + count, 0),
    namespaces,
    sessions: await memory.sessions(),
    profile: (await memory.profile.details()).fields.length,
    skills: (await memory.procedural.list()).length,
    steps: (await memory.experience.stats()).steps,
    files: (await memory.files.list()).length,
    entities: entities.length,
    relations: relations.length,
    log: await memory.log.verify(),
  };
}

async function shown(found: Awaited<ReturnType<typeof inspected>>): Promise<void> {
  const { user, entries, namespaces, sessions, log } = found;
  const row = (name: string, text: string) => line(`${styled("bold", name.padEnd(10))}${text}`);
  await row("user", oneLine(user));
  const parts = Object.entries(namespaces).map(([name, count]) => `${oneLine(name, 64)} ${count}`);
  await row("entries", `${entries} (${parts.join(", ")})`);
  await row("sessions", String(sessions.length));
  for (const { id, title, messages, updatedAt } of sessions.slice(0, SHOWN)) {
    const about = `${counted(messages, "message")}, ${updatedAt.slice(0, 10)}`;
    await line(`  ${oneLine(title ?? id, 64)}  ${styled("dim", about)}`);
  }
  if (sessions.length > SHOWN) await line(`  … and ${sessions.length - SHOWN} more`);
  await row("profile", counted(found.profile, "field"));
  await row("skills", String(found.skills));
  await row("steps", String(found.steps));
  await row("files", String(found.files));
  await row(
    "graph",
    `${counted(found.entities, "entity", "entities")}, ${counted(found.relations, "relation")}`,
  );
  const bad = `damaged at link ${log.seq}: ${log.problem}`;
  await row("log", log.ok ? styled("green", `verified, ${counted(log.links, "link")}`) : styled("red", bad));
}
