// A transport for `useChat` that needs no server: the model is asked in the page, with a memory, and the chat stays.

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

/** What there is to answer. */
export interface AnswerRequest<UI extends UIMessage = UIMessage> {
  /** The chat. */
  chatId: string;
  /** What was said, as models take it. */
  messages: ModelMessage[];
  /** The same as the screen has it. */
  uiMessages: UI[];
  /** Aborted when nobody wants the answer any more. */
  abortSignal: AbortSignal;
  /** Why there is something to answer. */
  trigger: "submit-message" | "regenerate-message";
  /** What `sendMessage` was given as `body`. */
  body: object | undefined;
  /** What `sendMessage` was given as `metadata`. */
  metadata: unknown;
}

/** An answer: what `streamText` and the `stream` of an agent give. */
export interface Answer {
  /** The parts of the answer. */
  stream: ReadableStream<TextStreamPart<ToolSet>>;
}

/** Who answers, and how it is kept. One of `model` and `answer` is needed. */
export interface MemoryChatTransportOptions<UI extends UIMessage = UIMessage> {
  /** The model that answers, by `streamText`. It remembers, as `remember` says. */
  model?: Parameters<typeof wrapLanguageModel>[0]["model"] | undefined;
  /** What else `streamText` is given: `instructions`, `stopWhen` … Default: nothing. */
  settings?:
    | Omit<
        Parameters<typeof streamText<ToolSet>>[0],
        "model" | "messages" | "prompt" | "tools" | "abortSignal"
      >
    | undefined;
  /** Answers in place of `model`: an agent, or any function. `memoryMiddleware` makes its models remember. */
  answer?: ((request: AnswerRequest<UI>) => Answer | PromiseLike<Answer>) | undefined;
  /** The tools that the model has. Default: none. */
  tools?: ToolSet | undefined;
  /** How `model` remembers; `false`: not at all. Default: as `memoryMiddleware` does. */
  remember?: Omit<MemoryMiddlewareOptions, "session" | "append"> | false | undefined;
  /** Where chats are kept. Default: `new ChatStore(memory)`. */
  chats?: ChatStore<UI> | undefined;
  /** What the screen is sent: `sendReasoning`, `messageMetadata` … Default: as the SDK does, with errors in their own words. */
  stream?: Omit<UIMessageStreamOptions<UI>, "originalMessages" | "onEnd" | "onFinish"> | undefined;
}

/**
 * A `ChatTransport` that asks a model in the page, and keeps the chat in a memory: the question before the model is asked,
 * the answer when it is done. An answer goes on, and is kept, also if nobody looks any more; an aborted one is kept as
 * far as it came, a failed one is not.
 *
 * @example
 * const transport = new MemoryChatTransport(memory, { model });
 * const { messages, sendMessage } = useChat({ id: "c-1", messages: await transport.chats.load("c-1"), transport });
 */
export class MemoryChatTransport<UI extends UIMessage = UIMessage> implements ChatTransport<UI> {
  /** Where the chats are kept. */
  readonly chats: ChatStore<UI>;
  /** An answer under way is given again from its beginning. */
  readonly resumeStreamIsReplay = true;
  readonly #memory: Memory;
  readonly #options: MemoryChatTransportOptions<UI>;
  readonly #answering = new Map<string, { answer: Answering<UIMessageChunk>; stop: AbortController }>();
  /** What records in the background, by chat. */
  readonly #recording = new Map<string, MemoryMiddleware>();

  constructor(memory: Memory, options: MemoryChatTransportOptions<UI>) {
    known(options, "model settings answer tools remember chats stream");
    const { model, answer } = options ?? {};
    // A name is no model, and both or neither would leave it open who answers.
    if (!model === !answer || typeof model === "string")
      throw refused("model", "must be a model, or `answer` in its place");
    this.#memory = memory;
    this.#options = options;
    this.chats = options.chats ?? new ChatStore<UI>(memory);
  }

  /** Answers what was said. `useChat` calls it. */
  async sendMessages(
    request: Parameters<ChatTransport<UI>["sendMessages"]>[0],
  ): Promise<ReadableStream<UIMessageChunk>> {
    const { chatId, messages, trigger, messageId, abortSignal, body, metadata } = request;
    // Whoever wants another answer, or has changed a question, has no use for what came after it.
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
      // There is no server whose errors would have to be hidden.
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
      // An error on the way does not keep the SDK from calling it completed.
      const isWhole = parts.every(({ type }) => type !== "error");
      if (kept && isWhole) await this.chats.save(chatId, [kept]);
    });
    this.#answering.set(chatId, { answer, stop });
    void answer.done.then(() => {
      if (this.#answering.get(chatId)?.answer === answer) this.#answering.delete(chatId);
    });
    return answer.view();
  }

  /** The answer that is under way in this page, from its beginning; `null` if there is none. `useChat` calls it. */
  async reconnectToStream(
    request: Parameters<ChatTransport<UI>["reconnectToStream"]>[0],
  ): Promise<ReadableStream<UIMessageChunk> | null> {
    const under = this.#answering.get(request.chatId);
    if (!under) return null;
    follow(request.abortSignal, under.stop);
    return under.answer.view();
  }

  /** Resolves when no answer is under way and all is recorded. Comes before `memory.close`. */
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

  /** What makes the model remember in a chat. The talk is the store's business. */
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

/** What aborts the one aborts the other. */
function follow(signal: AbortSignal | undefined, stop: AbortController): void {
  if (signal?.aborted) stop.abort(signal.reason);
  else signal?.addEventListener("abort", () => stop.abort(signal.reason), { once: true });
}
