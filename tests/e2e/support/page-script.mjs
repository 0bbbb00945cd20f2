// A script with other packages in it, for pages of the browser tests.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The page's import map knows where the openers are, and the wasm file lies beside them. */
const leftToThePage = {
  name: "left-to-the-page",
  setup: ({ onResolve }) => onResolve({ filter: /^keepsake(\/worker)?$/ }, () => ({ external: true })),
};

/** Bundles the module `name` of this folder, and answers where pages find it. */
export async function pageScript(name) {
  const script = `/target/page-scripts/${name.replace(/\.\w+$/, "")}.js`;
  await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    outfile: fileURLToPath(new URL(`../../..${script}`, import.meta.url)),
    bundle: true,
    format: "esm",
    // React's strict mode is strict in development only.
    define: { "process.env.NODE_ENV": '"development"' },
    plugins: [leftToThePage],
  });
  return script;
}
