// The page of the inspector's tests: a memory with something of every kind in it, and the element that shows it.
//
// It runs in the browser under a strict policy, so it imports what is built by its place.

import { openMemory } from "../../../pkg/dist/entry/browser.js";
import { defineInspector } from "../../../pkg/dist/inspector/inspector.js";

const CONFIG = { namespaces: { notes: { ttlDays: 30 }, bulk: { maxEntries: 100_000 } } };

/** Opens a memory of this name on IndexedDB. */
export function open(name) {
  return openMemory({ name, user: "u-1", storage: "indexeddb", core: "full", config: CONFIG });
}

/** Puts an inspector of this memory on the page, in place of the one before. */
export function show(memory, { theme, lang, ...properties } = {}) {
  defineInspector();
  const element = document.createElement("keepsake-inspector");
  if (theme) element.setAttribute("theme", theme);
  if (lang) element.lang = lang;
  Object.assign(element, { memory, ...properties });
  document.querySelector("main").replaceChildren(element);
  return element;
}

const DAY = 86_400_000;
const START = Date.parse("2026-03-02T09:00:00Z");

/**
 * Fills a memory with some of everything. `mark` is put into every field that takes a text of the app's: names, ids,
 * labels, keys, contents.
 */
export async function fill(memory, mark = "") {
  const m = (text) => `${text}${mark}`;
  await entries(memory, m);
  await talk(memory, m);
  await memory.profile.update(
    { [m("name")]: m("Hue Nguyen"), style: { [m("tone")]: m("short and friendly"), emoji: false } },
    { source: m("chat-1") },
  );
  await memory.profile.update({ languages: [m("Vietnamese"), m("Japanese")] }, { source: m("settings") });
  await skills(memory, m);
  await graph(memory, m);
  await experience(memory, m);
  await files(memory, m);
}

async function entries(memory, m) {
  const facts = [
    ["Deploy keys rotate on Mondays, and the ops bot tells the channel when it is done", "long-term", 0.7],
    ["Hue prefers tea to coffee and never drinks either after noon", "long-term", 0.4],
    ["The staging database is restored every night from the backup of the day before", "long-term", 0.9],
    ["Lunch with the platform team is at noon on Thursday", "short-term", 0.1],
    ["Ask Minh about the budget before the deploy of the billing service", "short-term", 0.6],
    ["Draft of the talk: memory for agents that lives in the browser", "notes", 0.3],
  ];
  for (const [at, [text, namespace, importance]] of facts.entries()) {
    await memory.add(m(text), {
      id: m(`fact-${at}`),
      namespace,
      importance,
      tags: [m("ops"), `t${at}`],
      source: m("wiki/runbook"),
      agent: m("planner"),
      speaker: m("Hue"),
      session: "chat-1",
      key: m(`fact.${at}`),
      trust: at % 2 ? "high" : "low",
      metadata: { [m("page")]: m("seven"), at },
      at: START + at * DAY,
    });
  }
  await memory.update(m("fact-1"), { content: m("Hue prefers green tea to coffee") });
  await memory.ingest(
    m("# Runbook\n\nThe deploy key is rotated by the ops bot.\n\nCall Minh when it fails."),
    {
      source: m("runbook.md"),
      tags: [m("docs")],
    },
  );
}

async function talk(memory, m) {
  const session = memory.session("chat-1", { compression: false, agent: m("planner") });
  const said = Array.from({ length: 48 }, (_, at) => ({
    id: `m-${at}${at === 3 ? m("") : ""}`,
    role: at % 2 ? "assistant" : "user",
    name: at % 2 ? undefined : m("Hue"),
    content: m(
      at % 2
        ? `I have looked into step ${at} of the deploy: the keys are in the vault, and the bot rotates them on Mondays.`
        : `What about step ${at} of the deploy? I would like to know when the keys rotate and who is told about it.`,
    ),
    at: START + at * 600_000,
    metadata: { [m("client")]: m("web") },
    pinned: at === 2,
  }));
  await session.append(said);
  await session.append([
    {
      id: "call-1",
      role: "assistant",
      content: [
        { type: "thought", text: m("I should look at the calendar.") },
        { type: "tool_use", id: "t-1", name: m("calendar"), input: { [m("day")]: m("Monday") } },
      ],
      at: START + 49 * 600_000,
    },
    {
      id: "result-1",
      role: "tool",
      content: [{ type: "tool_result", toolUseId: "t-1", output: m("The rotation is at nine.") }],
      at: START + 50 * 600_000,
    },
    {
      id: "last-1",
      role: "user",
      content: m("So when do the deploy keys rotate, and who tells the channel?"),
      at: START + 51 * 600_000,
    },
  ]);
  await session.setTitle(m("Deploy keys"));
  await session.compress({ type: "tree-reduce", contextTokens: 1200 });
  const other = memory.session(m("chat-2"), { compression: false });
  await other.append({ role: "user", content: m("Plan the talk about agent memory.") });
  await other.setTitle(m("The talk"));
}

async function skills(memory, m) {
  await memory.procedural.addSkill({
    id: m("deploy-keys"),
    taskType: m("deploy"),
    use_when: m("deploy keys have to be rotated"),
    tool_sops: [
      { tool: m("vault"), action: m("make a new key") },
      { tool: "git", action: m("push the change") },
    ],
    preferences: m("On Mondays, before nine."),
  });
  for (const went of [true, true, false, true]) await memory.procedural.recordUse(m("deploy-keys"), went);
  await memory.procedural.addSkill({
    id: m("no-friday"),
    kind: "guard",
    taskType: m("deploy"),
    use_when: m("never deploy on a Friday afternoon"),
    tool_sops: [],
  });
}

async function graph(memory, m) {
  await memory.semantic.graph.add({
    entities: [
      { name: m("Hue"), type: m("person"), observations: [m("likes tea"), m("lives in Hanoi")] },
      { name: m("Minh"), type: m("person"), observations: [m("owns the budget")] },
      { name: "Billing", type: "service", observations: [m("deployed on Mondays")] },
      { name: "Vault", type: "service" },
      { name: "Hanoi", type: "city" },
      { name: "Ops bot", type: "agent" },
    ],
    relations: [
      { from: m("Hue"), to: "Hanoi", type: m("lives in") },
      { from: m("Hue"), to: m("Minh"), type: "works with" },
      { from: m("Minh"), to: "Billing", type: "owns" },
      { from: "Ops bot", to: "Vault", type: "rotates keys in" },
      { from: "Billing", to: "Vault", type: "reads" },
    ],
  });
}

/** Runs in which a tool fails unless another was used before: something to be learned. */
async function experience(memory, m) {
  for (let run = 0; run < 16; run++) {
    const isCareful = run % 2 === 0;
    const steps = isCareful ? ["login", "build", "deploy"] : ["build", "deploy"];
    for (const [at, tool] of steps.entries()) {
      const failed = tool === "deploy" && !isCareful;
      await memory.experience.logStep({
        taskType: m("deploy"),
        toolName: m(tool),
        input: { [m("branch")]: m("main"), run },
        output: failed ? undefined : m("done"),
        error: failed ? m("not logged in") : undefined,
        errorType: failed ? m("auth") : undefined,
        latencyMs: 120 + 90 * at + 13 * run,
        cost: 0.001 * (at + 1),
        traceId: m(`run-${run}`),
        session: run % 4 === 0 ? "chat-1" : undefined,
        agent: m("planner"),
        flow: m("release"),
        node: m(tool),
      });
    }
  }
  await memory.learn();
}

async function files(memory, m) {
  const path = m("agents/planner/memory/decisions.md");
  await memory.files.write(
    path,
    m("# Decisions\n\n## 2026-03-01: Use the vault\n\n**Decision:** keys stay there\n"),
  );
  await memory.files.write(
    path,
    m(
      "# Decisions\n\n## 2026-03-01: Use the vault\n\n**Decision:** keys stay there\n\n## Something vague\n\nmaybe\n",
    ),
  );
  await memory.files.write(
    "agents/planner/memory/context.md",
    m("# Context\n\n## Active focus\n\n- [ ] the talk\n"),
  );
  await memory.files.write("notes.md", m("# Notes\n\nNothing yet.\n"));
}

/** So many entries more, a thousand at a time: passages of documents are entries, and come in one write. */
export async function fillMany(memory, count) {
  const passage = (n) =>
    `Entry number ${n} of many, which says little but is there, and is long enough to be a passage of its own here.`;
  for (let at = 0; at < count; at += 1000) {
    const text = Array.from({ length: Math.min(1000, count - at) }, (_, n) => passage(at + n)).join("\n\n");
    await memory.ingest(text, { source: `many-${at}`, namespace: "bulk", targetChars: 100 });
  }
}
