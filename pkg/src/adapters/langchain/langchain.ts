/**
 * A memory behind LangChain's interfaces: a chat history, a key-value store, and a retriever.
 *
 * @module keepsake/langchain
 */

export { type ChatHistoryOptions, KeepsakeChatMessageHistory } from "./history.js";
export { KeepsakeKeyValueStore, type KeyValueStoreOptions } from "./key-value-store.js";
export { KeepsakeRetriever, type RetrievedMetadata, type RetrieverOptions } from "./retriever.js";
