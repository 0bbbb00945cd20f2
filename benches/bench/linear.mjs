// Runs in the page: how much wasm memory there is. The package does not show it, but its instances are made here.

let linear;
WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...given) {
    super(...given);
    linear = this.exports.memory;
  }
};

/** Bytes of the last instance. They never get fewer, so this is the most there ever was. */
export const wasmMemory = () => linear.buffer.byteLength;
