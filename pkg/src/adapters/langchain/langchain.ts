/**
 * A memory behind LangChain's own interfaces: the history of a chat, a store of keys and values, and a retriever.
 *
 * @module keepsake/langchain
 */

export { type ChatHistoryOptions, KeepsakeChatMessageHistory } from "./history.js";
export { KeepsakeKeyValueStore, type KeyValueStoreOptions } from "./key-value-store.js";
export { KeepsakeRetriever, type RetrievedMetadata, type RetrieverOptions } from "./retriever.js";
