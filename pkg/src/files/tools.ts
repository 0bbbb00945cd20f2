// Tools by which an agent keeps its files itself. What a model gets wrong is answered, so that it can try again.

import { MemoryError, refused } from "../errors.js";
import type { Json } from "../types.js";
import { recordOf, searchLearnings } from "./agent.js";
import type { FileCalls } from "./calls.js";
import type { DocumentEntry, MemoryDocument } from "./document.js";
import type { MemoryFileInfo } from "./file.js";
import { AGENT_FILES, type AgentFile, agentFile } from "./paths.js";

/** A tool for an agent. */
export interface FileTool {
  /** Its name. */
  name: "update_memory_section" | "record_decision" | "record_learning" | "search_learnings" | "hand_over";
  /** What it is for, in the model's words. */
  description: string;
  /** The JSON schema of its arguments. */
  inputSchema: { [key: string]: Json };
  /** Does it, and answers what to tell the model; also if the model's arguments are not what they should be. */
  call(args: { [key: string]: Json }): Promise<string>;
}

type Args = { [key: string]: Json };

/** A tool, and what it does when its arguments are good. */
interface Draft extends Omit<FileTool, "inputSchema"> {
  properties: { [name: string]: Json };
  required: string[];
}

/** The tools of an agent. */
export function fileTools(calls: FileCalls, agent: string): FileTool[] {
  // Here, because later a wrong name would look like the model's mistake.
  agentFile(agent, "context");
  const drafts = [
    updateSection(calls, agent),
    recordDecision(calls, agent),
    recordLearning(calls, agent),
    search(calls, agent),
    handOver(calls, agent),
  ];
  return drafts.map(({ properties, required, call, ...tool }) => ({
    ...tool,
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    call: async (args) => {
      try {
        known(args, Object.keys(properties));
        return await call(args);
      } catch (error) {
        if (!(error instanceof MemoryError) || !CORRECTABLE.includes(error.code)) throw error;
        return `Not done: ${error.message}. Correct it and call ${tool.name} again.`;
      }
    },
  }));
}

/** What a model can put right. All else is for the app. */
const CORRECTABLE: readonly string[] = ["invalid-input", "too-large", "not-found", "already-exists"];

function updateSection(calls: FileCalls, agent: string): Draft {
  return {
    name: "update_memory_section",
    description:
      "Replace the text of one section of one of your memory files. Use it when something significant has changed, not after every step.",
    properties: {
      file: { type: "string", enum: [...AGENT_FILES], description: "Which file" },
      section: {
        type: "string",
        description: "The heading of the section, such as Active Focus, Blockers or Notes",
      },
      text: { type: "string", description: "What is to stand below the heading from now on, as Markdown" },
    },
    required: ["file", "section", "text"],
    call: async ({ file, section, text: body }) => {
      const path = agentFile(agent, (typeof file === "string" ? file : "") as AgentFile);
      const args = { path, section: needed("section", section), text: text("text", body) };
      try {
        await calls.write("updateSection", args);
      } catch (error) {
        if (!(error instanceof MemoryError) || error.field !== "section") throw error;
        throw refused("section", `is no section of ${file}.md. ${await sectionsOf(calls, path)}`);
      }
      return `Updated ${args.section} in ${file}.md`;
    },
  };
}

/** What a model may choose from. */
async function sectionsOf(calls: FileCalls, path: string): Promise<string> {
  const document = await calls.ask<MemoryDocument | null>("parseFile", { path });
  const titles = (document?.sections ?? []).map(({ title }) => title).filter((title) => title !== "");
  return titles.length > 0 ? `Its sections are: ${titles.join("; ")}` : "It has no sections yet";
}

function recordDecision(calls: FileCalls, agent: string): Draft {
  return {
    name: "record_decision",
    description:
      "Write down a decision when it is made, if it affects later work. Not for trivial choices such as formatting.",
    properties: {
      title: { type: "string", description: "The decision in a few words" },
      context: { ...TEXT, description: "Why the question came up" },
      decision: { ...TEXT, description: "What was decided" },
      reason: { ...TEXT, description: "Why" },
      alternatives: { ...TEXT, description: "What else was considered, and why not" },
      impact: { ...TEXT, description: "What follows from it" },
      reversible: { ...TEXT, description: "Yes or No, and a note" },
    },
    required: ["title", "decision", "reason"],
    call: async ({ title, decision, reason, ...more }) => {
      const entry = {
        title: needed("title", title),
        decision: needed("decision", decision),
        reason: needed("reason", reason),
        ...texts(more, "context", "alternatives", "impact", "reversible"),
      };
      await recordOf(calls, agentFile(agent, "decisions"), entry);
      return "Recorded the decision in decisions.md";
    },
  };
}

function recordLearning(calls: FileCalls, agent: string): Draft {
  return {
    name: "record_learning",
    description: "Write down a pattern that was found to work, with an example in code and why it works.",
    properties: {
      title: { type: "string", description: "The pattern in a few words" },
      pattern: { ...TEXT, description: "When to use it, and how" },
      language: { type: "string", description: "What the code is written in" },
      code: { type: "string", description: "A short example, without a fence" },
      why: { ...TEXT, description: "Why it works" },
    },
    required: ["title", "pattern", "code", "why"],
    call: async ({ title, pattern, code, why, ...more }) => {
      const entry = {
        title: needed("title", title),
        pattern: needed("pattern", pattern),
        code: needed("code", code),
        why: needed("why", why),
        ...texts(more, "language"),
      };
      await recordOf(calls, agentFile(agent, "learnings"), entry);
      return "Recorded the learning in learnings.md";
    },
  };
}

function search(calls: FileCalls, agent: string): Draft {
  return {
    name: "search_learnings",
    description: "Look up what you have learned before. Use it when a problem looks familiar.",
    properties: {
      query: { type: "string", description: "Words that say what the problem is about" },
      limit: { type: "integer", minimum: 1, maximum: 20, description: "How many at most. Default: 5" },
    },
    required: ["query"],
    call: async ({ query, limit }) => {
      if (limit !== undefined && typeof limit !== "number") throw refused("limit", "must be a number");
      const found = await searchLearnings(calls, agent, needed("query", query), { limit });
      return found.map(({ text }) => text).join("\n\n---\n\n") || "No learnings match";
    },
  };
}

function handOver(calls: FileCalls, agent: string): Draft {
  return {
    name: "hand_over",
    description: "Give work to another agent of the team. It finds it when it is activated.",
    properties: {
      to_agent: { type: "string", description: "The name of the agent" },
      task: { ...TEXT, description: "What is to be done" },
      context: { ...TEXT, description: "What the other agent has to know for it" },
      expected_deliverable: { ...TEXT, description: "What is to come of it" },
      files: { ...TEXT, description: "The files that it is about" },
      priority: { type: "string", description: "How soon it is needed" },
    },
    required: ["to_agent", "task", "context", "expected_deliverable"],
    call: async ({ to_agent, task, context, expected_deliverable, ...more }) => {
      const toAgent = needed("to_agent", to_agent);
      const handoff = {
        fromAgent: agent,
        toAgent,
        task: needed("task", task),
        context: needed("context", context),
        expectedDeliverable: needed("expected_deliverable", expected_deliverable),
        ...texts(more, "files", "priority"),
      };
      try {
        const { heading } = await calls.write<DocumentEntry>("handOver", handoff);
        return `Handed over to ${toAgent}: ${heading}`;
      } catch (error) {
        if (!(error instanceof MemoryError) || error.field !== "toAgent") throw error;
        throw refused("to_agent", `is no agent that has files here. ${await agentsOf(calls)}`);
      }
    },
  };
}

/** Who a model may give work to. */
async function agentsOf(calls: FileCalls): Promise<string> {
  const files = await calls.ask<MemoryFileInfo[]>("files", { folder: "agents" });
  const names = new Set(files.map(({ path }) => path.split("/")[1]));
  return names.size > 0 ? `There are: ${[...names].join("; ")}` : "There are none yet";
}

const TEXT = { type: "string" };

/** Refuses what no tool knows: a misspelt name would otherwise be a text that is lost. */
function known(args: Args, names: string[]): void {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw refused("arguments", "must be an object");
  }
  const stranger = Object.keys(args).find((name) => !names.includes(name));
  if (stranger !== undefined) {
    throw refused(stranger.slice(0, 64), `is no argument; there are ${names.join(", ")}`);
  }
}

/** A text of a model, which may give a list where a text is wanted. */
function text(name: string, value: Json | undefined): string {
  if (Array.isArray(value)) return value.map((item) => `- ${text(name, item)}`).join("\n");
  if (typeof value !== "string") throw refused(name, "must be a text");
  return value;
}

/** A text that must be there. */
function needed(name: string, value: Json | undefined): string {
  const said = text(name, value);
  if (said.trim() === "") throw refused(name, "must not be empty");
  return said;
}

/** Those of the texts that are there. */
function texts<K extends string>(args: Args, ...names: K[]): { [name in K]?: string } {
  const given = names.filter((name) => args[name] !== undefined && args[name] !== null);
  return Object.fromEntries(given.map((name) => [name, text(name, args[name])])) as { [name in K]?: string };
}
