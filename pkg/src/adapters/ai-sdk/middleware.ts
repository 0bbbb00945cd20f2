// A language model with a memory: relevant memories go into the prompt, and the conversation is recorded.

import type { LanguageModelMiddleware } from "ai";
import { refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { LongTermOptions } from "../../memory/long-term.js";
import type { Memory } from "../../memory/memory.js";
import { LONG_TERM_OPTIONS } from "../../memory/option-checks.js";
import type { ContextKind } from "../../wire/context.js";
import { type MessageInput, textOf } from "../../wire/messages.js";
import { fitted } from "../talk/fitted.js";
import { mark } from "../talk/rows.js";
import {
  answerOf,
  type Call,
  type Content,
  Gathered,
  isGood,
  lastQuestion,
  newIn,
  type Prompt,
  plain,
  type StreamPart,
} from "./turns.js";
import { warn } from "./warn.js";

/** Options of `memoryMiddleware`. */
export interface MemoryMiddlewareOptions extends LongTermOptions {
  /** Whether messages are appended to the `session`, if there is one. Default: `true`. */
  append?: boolean | undefined;
  /** The maximum number of tokens of memories in a prompt. Default: 1,000. */
  budget?: number | undefined;
  /** The kinds to retrieve, unless there is a `store`. Default: `["instruction", "profile", "skill", "document", "memory"]`. */
  include?: ContextKind[] | undefined;
}

/** A middleware that retrieves before a model answers and records after it. */
export interface MemoryMiddleware extends Omit<LanguageModelMiddleware, "specificationVersion"> {
  /** The version of the SDK's interface. */
  readonly specificationVersion: "v4";
  /** Resolves when everything so far is recorded. Call it before `memory.close`. */
  idle(): Promise<void>;
}

const BUDGET = 1000;
const KNOWN: ContextKind[] = ["instruction", "profile", "skill", "document", "memory"];

/** How many of the last messages are searched for a repeated question. */
const RECENT = 30;

/**
 * Gives a model of the AI SDK a memory. In the mode `"AGENT_CONTROL"` it only appends messages to the session; it retrieves
 * and records nothing by itself.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai("gpt-5"), middleware: memoryMiddleware(memory, { session: "s-1" }) });
 */
export function memoryMiddleware(memory: Memory, options: MemoryMiddlewareOptions = {}): MemoryMiddleware {
  known(options, `append budget include ${LONG_TERM_OPTIONS}`);
  const { append = true, budget = BUDGET, include = KNOWN, ...rest } = options;
  if (!Number.isSafeInteger(budget) || budget < 0) throw refused("budget", "must be an integer >= 0");
  if (rest.session === "") throw refused("session", "must not be empty");
  const onError = rest.onError ?? warn;
  const longTerm = memory.longTerm({ ...rest, onError });
  const session =
    append && rest.session ? memory.session(rest.session, { agent: rest.agent, onError }) : undefined;
  // A session without messages: its context has only memories.
  const silent = memory.session(`ai-sdk/${mark()}`);
  /** The original prompts, without the added memories. */
  const asked = new WeakMap<Call, Call>();
  let recording = Promise.resolve();

  const recall = async (prompt: Prompt): Promise<string> => {
    const query = lastQuestion(prompt).trim();
    if (rest.store) return longTerm.retrieve(query);
    const about = { budget, include, limit: rest.limit, agent: rest.agent, ...(query && { query }) };
    return (await silent.context(about)).prompt;
  };

  const record = (params: Call, content: readonly Content[]): void => {
    const call = asked.get(params) ?? params;
    const answer = answerOf(content);
    if (answer.length === 0) return;
    // A copy: the app may change its arrays afterwards.
    const turns = plain([...newIn(call), ...answer]);
    const recorded = recording.then(async () => {
      const said = (await memory.parse("ai-sdk", turns)).map(fitted);
      longTerm.afterReply(said);
      if (session) await session.append((await wasAsked(said, call)) ? said.slice(1) : said);
    });
    recording = recorded.catch(onError);
  };

  /** Whether the question is already in the session: its first answer failed, or was regenerated. */
  const wasAsked = async ([first]: MessageInput[], { prompt }: Call): Promise<boolean> => {
    if (first?.role !== "user") return false;
    const question = textOf(first);
    const users = prompt.filter(({ role }) => role === "user");
    // The user may repeat a message on purpose.
    if (users.length > 1 && lastQuestion(users.slice(0, -1)) === question) return false;
    const recent = await session?.messages({ limit: RECENT });
    const last = recent?.messages.findLast(({ role }) => role === "user");
    return last !== undefined && textOf(last) === question;
  };

  return {
    specificationVersion: "v4",
    async transformParams({ params }) {
      if (longTerm.mode === "AGENT_CONTROL") return params;
      const known = await recall(params.prompt).catch(onError);
      if (!known) return params;
      const told = { ...params, prompt: withData(params.prompt, known) };
      asked.set(told, params);
      return told;
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      if (isGood(result.finishReason)) record(params, result.content);
      return result;
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...others } = await doStream();
      const gathered = new Gathered();
      const passed = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          gathered.add(part);
          controller.enqueue(part);
        },
        // Not called for a stream that is aborted or fails.
        flush: () => record(params, gathered.content()),
      });
      return { ...others, stream: stream.pipeThrough(passed) };
    },
    async idle() {
      await recording;
      await longTerm.idle();
    },
  };
}

/**
 * The prompt with quoted data before the user's last message. It is not a system message: memories have no more authority
 * than the user, and some models accept system messages only at the beginning.
 */
function withData(prompt: Prompt, data: string): Prompt {
  const at = prompt.findLastIndex(({ role }) => role === "user");
  return prompt.map((message, place) =>
    place === at && message.role === "user"
      ? { ...message, content: [{ type: "text", text: data }, ...message.content] }
      : message,
  );
}
