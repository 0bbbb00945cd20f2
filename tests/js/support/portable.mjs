// Export and import as the command line and the inspector use them: no entry of the package exports them.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const { outputFiles } = await build({
  stdin: {
    contents: `
      export { exported } from "./exported.ts";
      export { numbered, takeAll } from "./read.ts";
      export { checked, sealed } from "./seal.ts";
      export { Taker } from "./taker.ts";
    `,
    resolveDir: fileURLToPath(new URL("../../../pkg/src/portable", import.meta.url)),
  },
  plugins: [
    {
      // An import tells errors of the memory from others by their class, so it needs the package's own.
      name: "errors",
      setup: ({ onResolve }) =>
        onResolve({ filter: /\/base\/errors\.js$/ }, () => ({
          path: import.meta.resolve("keepsake"),
          external: true,
        })),
    },
  ],
  bundle: true,
  write: false,
  format: "esm",
  target: "es2022",
});

const [{ contents }] = outputFiles;
const url = `data:text/javascript;base64,${Buffer.from(contents).toString("base64")}`;
const { checked, exported, numbered, sealed, Taker, takeAll } = await import(url);

/** The items of an async iterable as an array. */
export async function collected(items) {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The lines of an export of this memory. */
export const exportOf = (memory) => collected(sealed(exported(memory)));

/** What the check of an export says, before anything of it is imported. */
export const checkOf = (lines) => checked(numbered([Buffer.from(lines.join("\n"))]));

/** Imports lines of an export. Resolves to the counts, the line numbers reported on the way, and the error, if it fails. */
export async function importInto(memory, lines, { at, signal, onLine = () => {} } = {}) {
  const rest = numbered([Buffer.from(lines.join("\n"))]);
  await rest.next();
  const taker = new Taker(memory, at);
  const reported = [];
  const line = (number) => {
    reported.push(number);
    onLine(number);
  };
  const error = await takeAll(taker, rest, { signal, onLine: line }).catch((error) => error);
  return { taken: taker.taken, kept: taker.kept, reported, error };
}
