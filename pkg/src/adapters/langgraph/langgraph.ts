/**
 * A memory behind LangGraph's interfaces: a checkpoint saver, and a store that threads share.
 *
 * @module keepsake/langgraph
 */

export { KeepsakeSaver, type SaverOptions } from "./saver.js";
export { KeepsakeStore, type StoreFilter, type StoreOptions } from "./store.js";
