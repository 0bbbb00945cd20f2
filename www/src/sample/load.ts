// Fills a memory with a sample person, through the public API.

import type { Memory } from "keepsake";
import type { Language } from "../text/language.js";
import { logExperience } from "./experience.js";
import type { Sample, SampleSession } from "./person.js";

const DAY = 86_400_000;
const MINUTE = 60_000;

/** So small that the longer session does not fit, and its older half is compressed. */
const SMALL_CONTEXT = 500;

async function sampleOf(language: Language): Promise<Sample> {
  switch (language) {
    case "vi":
      return (await import("./vi.js")).vi;
    case "ja":
      return (await import("./ja.js")).ja;
    default:
      return (await import("./en.js")).en;
  }
}

/** Loads the sample of a language, and replaces another one. Returns the session to open. */
export async function loadSample(memory: Memory, language: Language): Promise<string> {
  const sample = await sampleOf(language);
  await unload(memory, sample);
  await memory.profile.updateProfile(sample.profile, { source: "sample" });
  await addEntries(memory, sample);
  await talk(memory, sample, sample.long);
  await talk(memory, sample, sample.short);
  await memory.semantic.addDocuments(
    sample.documents.map((document) => ({ ...document, tags: [...document.tags] })),
  );
  const { entities, relations } = sample;
  await memory.semantic.graph.add({ entities, relations });
  for (const { id, use, steps, mind } of sample.skills) {
    const tool_sops = steps.map((action) => ({ tool: "you", action }));
    await memory.procedural.addSkill({ id, use_when: use, tool_sops, preferences: mind });
  }
  await logExperience(memory, sample);
  await memory.learn();
  await writeFiles(memory, sample);
  return sample.short.id;
}

/** Deletes items of an earlier load, which have the same ids. */
async function unload(memory: Memory, { entries, long, short }: Sample): Promise<void> {
  const there = new Set((await memory.sessions()).map(({ id }) => id));
  for (const { id } of [long, short]) if (there.has(id)) await memory.session(id).delete();
  for (const { id } of entries) await memory.delete(id);
}

async function addEntries(memory: Memory, { entries }: Sample): Promise<void> {
  for (const { id, content, before, days, tags, importance, trust } of entries) {
    const at = Date.now() - days * DAY;
    const draft = { id, namespace: "long-term", tags, importance, trust, at } as const;
    await memory.add(before ?? content, draft);
    if (before !== undefined) await memory.update(id, { content });
  }
}

async function talk(
  memory: Memory,
  { entries }: Sample,
  { id, title, days, turns }: SampleSession,
): Promise<void> {
  const session = memory.session(id, { contextTokens: SMALL_CONTEXT });
  const began = Date.now() - days * DAY;
  const said = new Map(entries.map((entry) => [entry.id, entry.content]));
  const messages = turns.flatMap(([user, assistant, ...rests], at) => {
    const time = began + at * 2 * MINUTE;
    const references = rests.map((ref) => ({ ref, kind: "entry", text: said.get(ref) ?? ref }));
    return [
      { role: "user", content: user, at: time } as const,
      {
        role: "assistant",
        content: assistant,
        at: time + MINUTE,
        metadata: { agent: "demo", references },
      } as const,
    ];
  });
  await session.append(messages);
  await session.setTitle(title);
  await session.compress();
}

async function writeFiles(memory: Memory, { files, decisions, focus, next }: Sample): Promise<void> {
  for (const { path, text } of files) await memory.files.write(path, text);
  const agent = await memory.files.activate("demo");
  const known = new Set(agent.decisions.map(({ title }) => title));
  await agent.endSession({
    context: { activeFocus: [...focus], nextSessionShould: [...next] },
    decisions: decisions.filter(({ title }) => !known.has(title)),
  });
}
