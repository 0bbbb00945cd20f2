// A transport for `useChat` without a server: calls the model in the page, with a memory, and stores the chat.

import {
  type ChatTransport,
  convertToModelMessages,
  generateId,
  type ModelMessage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  toUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  type UIMessageStreamOptions,
  wrapLanguageModel,
} from "ai";
import { refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Memory } from "../../memory/memory.js";
import { Answering } from "./answering.js";
import { ChatStore } from "./chats.js";
import { type MemoryMiddleware, type MemoryMiddlewareOptions, memoryMiddleware } from "./middleware.js";

/** The request to answer. */
export interface AnswerRequest<UI extends UIMessage = UIMessage> {
  /** The id of the chat. */
  chatId: string;
  /** The messages in the model's format. */
  messages: ModelMessage[];
  /** The messages in the UI's format. */
  uiMessages: UI[];
  /** Aborted when the answer is no longer needed. */
  abortSignal: AbortSignal;
  /** The trigger of the request. */
  trigger: "submit-message" | "regenerate-message";
  /** The `body` of `sendMessage`. */
  body: object | undefined;
  /** The `metadata` of `sendMessage`. */
  metadata: unknown;
}

/** An answer: the result of `streamText` or of an agent's `stream`. */
export interface Answer {
  /** The parts of the answer. */
  stream: ReadableStream<TextStreamPart<ToolSet>>;
}

/** Options of `MemoryChatTransport`. Either `model` or `answer` is required. */
export interface MemoryChatTransportOptions<UI extends UIMessage = UIMessage> {
  /** The model that answers, by `streamText`, with a memory as `remember` says. No default: it or `answer` is required. */
  model?: Parameters<typeof wrapLanguageModel>[0]["model"] | undefined;
  /** Further options of `streamText`: `instructions`, `stopWhen` … Default: none. */
  settings?:
    | Omit<
        Parameters<typeof streamText<ToolSet>>[0],
        "model" | "messages" | "prompt" | "tools" | "abortSignal"
      >
    | undefined;
  /**
   * Answers instead of `model`: an agent, or any function. `memoryMiddleware` adds a memory to its models. Default: `model`
   * answers.
   */
  answer?: ((request: AnswerRequest<UI>) => Answer | PromiseLike<Answer>) | undefined;
  /** The tools of the model. Default: none. */
  tools?: ToolSet | undefined;
  /** Options of the model's memory; `false` turns it off. Default: those of `memoryMiddleware`. */
  remember?: Omit<MemoryMiddlewareOptions, "session" | "append"> | false | undefined;
  /** The store of the chats. Default: `new ChatStore(memory)`. */
  chats?: ChatStore<UI> | undefined;
  /** Options of the UI stream: `sendReasoning`, `messageMetadata` … Default: those of the SDK, with full error messages. */
  stream?: Omit<UIMessageStreamOptions<UI>, "originalMessages" | "onEnd" | "onFinish"> | undefined;
}

/**
 * A `ChatTransport` that calls a model in the page, and stores the chat in a memory: the question before the call, the
 * answer when it is complete. An answer continues and is stored even if it has no reader any more; an aborted one is stored
 * as far as it came, a failed one is not.
 *
 * @example
 * const transport = new MemoryChatTransport(memory, { model });
 * const { messages, sendMessage } = useChat({ id: "c-1", messages: await transport.chats.load("c-1"), transport });
 */
export class MemoryChatTransport<UI extends UIMessage = UIMessage> implements ChatTransport<UI> {
  /** The store of the chats. */
  readonly chats: ChatStore<UI>;
  /** Pending answers, which readers get from the beginning. */
  readonly resumeStreamIsReplay = true;
  readonly #memory: Memory;
  readonly #options: MemoryChatTransportOptions<UI>;
  readonly #answering = new Map<string, { answer: Answering<UIMessageChunk>; stop: AbortController }>();
  /** Middleware that records in the background, by chat. */
  readonly #recording = new Map<string, MemoryMiddleware>();

  constructor(memory: Memory, options: MemoryChatTransportOptions<UI>) {
    known(options, "model settings answer tools remember chats stream");
    const { model, answer } = options ?? {};
    // A string is no model; and exactly one of both must answer.
    if (!model === !answer || typeof model === "string") throw refused("model", "or `answer` must be given");
    this.#memory = memory;
    this.#options = options;
    this.chats = options.chats ?? new ChatStore<UI>(memory);
  }

  /** Answers a message. Called by `useChat`. */
  async sendMessages(
    request: Parameters<ChatTransport<UI>["sendMessages"]>[0],
  ): Promise<ReadableStream<UIMessageChunk>> {
    const { chatId, messages, trigger, messageId, abortSignal, body, metadata } = request;
    // To regenerate an answer, or to edit a question, drops the messages after it.
    const again = trigger === "regenerate-message" || messageId !== undefined;
    const remove = again ? [...this.chats.dropped(chatId, messages), ...(messageId ? [messageId] : [])] : [];
    await this.chats.save(chatId, messages, { remove });

    const stop = new AbortController();
    follow(abortSignal, stop);
    const { tools, stream: shown } = this.#options;
    const { stream } = await this.#answer({
      chatId,
      messages: await convertToModelMessages(messages, {
        ...(tools && { tools }),
        ignoreIncompleteToolCalls: true,
      }),
      uiMessages: messages,
      abortSignal: stop.signal,
      trigger,
      body,
      metadata,
    });
    let kept: UI | undefined;
    const chunks = toUIMessageStream<ToolSet, UI>({
      // The page is the server: errors need not be hidden from it.
      onError: (error) => (error instanceof Error ? error.message : String(error)),
      generateMessageId: generateId,
      ...shown,
      ...(tools && { tools }),
      stream,
      originalMessages: messages,
      onEnd: ({ responseMessage }) => {
        if (responseMessage.parts.some(({ type }) => type !== "step-start")) kept = responseMessage;
      },
    });
    const answer = new Answering<UIMessageChunk>(chunks, async (parts) => {
      // The SDK calls this also after an error in the stream.
      const isWhole = parts.every(({ type }) => type !== "error");
      if (kept && isWhole) await this.chats.save(chatId, [kept]);
    });
    this.#answering.set(chatId, { answer, stop });
    void answer.done.then(() => {
      if (this.#answering.get(chatId)?.answer === answer) this.#answering.delete(chatId);
    });
    return answer.view();
  }

  /** The pending answer of this page, from its beginning; `null` if there is none. Called by `useChat`. */
  async reconnectToStream(
    request: Parameters<ChatTransport<UI>["reconnectToStream"]>[0],
  ): Promise<ReadableStream<UIMessageChunk> | null> {
    const under = this.#answering.get(request.chatId);
    if (!under) return null;
    follow(request.abortSignal, under.stop);
    return under.answer.view();
  }

  /** Resolves when no answer is pending and everything is recorded. Call it before `memory.close`. */
  async idle(): Promise<void> {
    await Promise.all([...this.#answering.values()].map(({ answer }) => answer.done));
    await Promise.all([...this.#recording.values()].map((middleware) => middleware.idle()));
  }

  #answer(request: AnswerRequest<UI>): Answer | PromiseLike<Answer> {
    const { model, answer, settings, tools } = this.#options;
    if (answer) return answer(request);
    const { messages, abortSignal, chatId } = request;
    const remembering = this.#remembering(chatId);
    const asked = model as NonNullable<typeof model>;
    return streamText<ToolSet>({
      ...(settings as object),
      ...(tools && { tools }),
      model: remembering ? wrapLanguageModel({ model: asked, middleware: remembering }) : asked,
      messages,
      abortSignal,
    });
  }

  /** The middleware of a chat. The chat store writes the session. */
  #remembering(chatId: string): MemoryMiddleware | undefined {
    const { remember } = this.#options;
    if (remember === false) return undefined;
    let middleware = this.#recording.get(chatId);
    if (!middleware) {
      const session = this.chats.talkId(chatId);
      middleware = memoryMiddleware(this.#memory, { ...remember, session, append: false });
      this.#recording.set(chatId, middleware);
    }
    return middleware;
  }
}

/** Aborts `own` together with `other`. */
function follow(signal: AbortSignal | undefined, stop: AbortController): void {
  if (signal?.aborted) stop.abort(signal.reason);
  else signal?.addEventListener("abort", () => stop.abort(signal.reason), { once: true });
}
