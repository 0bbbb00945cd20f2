// Runs in the page: how much wasm memory all modules have together. Libraries do not show it, but their instances are made
// here.

const memories = new Set();

function note(instance, imports = {}) {
  const candidates = [instance.exports, ...Object.values(imports)].flatMap((part) => Object.values(part));
  for (const one of candidates) if (one instanceof WebAssembly.Memory) memories.add(one);
}

WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(module, imports) {
    super(module, imports);
    note(this, imports);
  }
};

for (const name of ["instantiate", "instantiateStreaming"]) {
  const original = WebAssembly[name];
  WebAssembly[name] = async (source, imports) => {
    const made = await original.call(WebAssembly, source, imports);
    note(made.instance ?? made, imports);
    return made;
  };
}

/** Bytes. A memory never shrinks, so this is the most there ever was. */
export const wasmBytes = () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
