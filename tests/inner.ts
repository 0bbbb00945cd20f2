// Parts of the package that it has no door to, for tests that put them together in their own way: with a wasm module that
// can be told to trap, or a host without a worker. `cargo xtask build --testing` bundles this.

export { Engine, FIRST_VERBS } from "../pkg/src/engine/engine.js";
export { Wire } from "../pkg/src/engine/storage-wire.js";
export { starter } from "../pkg/src/open/start.js";
export { server } from "../pkg/src/open/worker/host.js";
export { MemoryStorage } from "../pkg/src/storage/in-memory.js";
export { databaseName, indexedDb } from "../pkg/src/storage/indexeddb/store.js";
