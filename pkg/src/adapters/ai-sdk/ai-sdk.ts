/**
 * A memory for the AI SDK: a middleware that gives a model a memory, tools, persistent chats, and a transport for `useChat`
 * without a server.
 *
 * @module keepsake/ai-sdk
 */

export { type ChatInfo, ChatStore, type ChatStoreOptions, type SaveOptions } from "./chats.js";
export { type MemoryMiddleware, type MemoryMiddlewareOptions, memoryMiddleware } from "./middleware.js";
export { memoryTools } from "./tools.js";
export {
  type Answer,
  type AnswerRequest,
  MemoryChatTransport,
  type MemoryChatTransportOptions,
} from "./transport.js";
