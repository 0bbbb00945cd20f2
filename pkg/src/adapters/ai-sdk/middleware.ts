// A language model that remembers: what bears on the question goes into the prompt, and what was said is kept.

import type { LanguageModelMiddleware } from "ai";
import { refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import { LONG_TERM_OPTIONS, type LongTermOptions } from "../../memory/long-term.js";
import type { Memory } from "../../memory/memory.js";
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

/** How a language model remembers. */
export interface MemoryMiddlewareOptions extends LongTermOptions {
  /** Whether what is said is appended to the `session`, if there is one. Default: `true`. */
  append?: boolean | undefined;
  /** The most tokens that what is remembered may have in a prompt. Default: 1,000. */
  budget?: number | undefined;
  /** The kinds to retrieve, unless there is a `store`. Default: `["profile", "skill", "document", "memory"]`. */
  include?: ContextKind[] | undefined;
}

/** A middleware that retrieves before a model answers and records after it. */
export interface MemoryMiddleware extends Omit<LanguageModelMiddleware, "specificationVersion"> {
  /** Which of the SDK's interfaces it is. */
  readonly specificationVersion: "v4";
  /** Resolves when everything that was said so far is recorded. Comes before `memory.close`. */
  idle(): Promise<void>;
}

const BUDGET = 1000;
const KNOWN: ContextKind[] = ["profile", "skill", "document", "memory"];

/** How many of the last messages are looked at for a question that is asked again. */
const RECENT = 30;

/**
 * Gives a model of the AI SDK a memory. In the mode `"AGENT_CONTROL"` it retrieves and records nothing by itself, and
 * only appends what is said to the session.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai("gpt-5"), middleware: memoryMiddleware(memory, { session: "s-1" }) });
 */
export function memoryMiddleware(memory: Memory, options: MemoryMiddlewareOptions = {}): MemoryMiddleware {
  known(options, `append budget include ${LONG_TERM_OPTIONS}`);
  const { append = true, budget = BUDGET, include = KNOWN, ...rest } = options;
  if (!Number.isSafeInteger(budget) || budget < 0) throw refused("budget", "must be an integer >= 0");
  if (rest.session === "") throw refused("session", "must not be empty");
  const onError = rest.onError ?? ((error: unknown) => console.warn("keepsake: ai-sdk:", error));
  const longTerm = memory.longTerm({ ...rest, onError });
  const session =
    append && rest.session ? memory.session(rest.session, { agent: rest.agent, onError }) : undefined;
  // Nothing is ever said in it: what is asked of it is only what is remembered beside all talk.
  const silent = memory.session(`ai-sdk/${mark()}`);
  /** What was asked, without what was added to it. */
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
    // The app may go on with its lists at once.
    const turns = plain([...newIn(call), ...answer]);
    const recorded = recording.then(async () => {
      const said = (await memory.parse("ai-sdk", turns)).map(fitted);
      longTerm.afterReply(said);
      if (session) await session.append((await wasAsked(said, call)) ? said.slice(1) : said);
    });
    recording = recorded.catch(onError);
  };

  /** Whether the question is in the session already: its first answer failed half way, or another one was wanted. */
  const wasAsked = async ([first]: MessageInput[], { prompt }: Call): Promise<boolean> => {
    if (first?.role !== "user") return false;
    const question = textOf(first);
    const users = prompt.filter(({ role }) => role === "user");
    // The user may say the same thing twice.
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
 * The prompt with quoted data in front of the user's last message. It is no message of the system's: what was remembered
 * has no more to say than the user, and some models take those only at the beginning.
 */
function withData(prompt: Prompt, data: string): Prompt {
  const at = prompt.findLastIndex(({ role }) => role === "user");
  return prompt.map((message, place) =>
    place === at && message.role === "user"
      ? { ...message, content: [{ type: "text", text: data }, ...message.content] }
      : message,
  );
}
