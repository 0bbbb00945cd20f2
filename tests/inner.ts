// Parts of the package that it has no door to, for tests that put them together in their own way: with a wasm module that
// can be told to trap, or a host without a worker. `cargo xtask build --testing` bundles this.

export { Engine, FIRST_VERBS } from "../pkg/src/engine.js";
export { databaseName, indexedDb } from "../pkg/src/indexeddb/store.js";
export { MemoryStorage } from "../pkg/src/memory-storage.js";
export { starter } from "../pkg/src/start.js";
export { Wire } from "../pkg/src/wire.js";
export { server } from "../pkg/src/worker/host.js";
