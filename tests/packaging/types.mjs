// Every entry of the package, compiled as apps do that check their libraries too: nothing is left out of the check.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { modules, project, tool } from "./support/harness.mjs";

const strict = {
  target: "ES2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
};
const bundled = { ...strict, module: "ESNext", moduleResolution: "Bundler" };

/** The entries that need no more than the language. The others talk to workers or to React. */
const EVERYWHERE = ["keepsake", "keepsake/full", "keepsake/slim", "keepsake/agentscope"];

const apps = {
  "an app that is bundled": { ...bundled, lib: ["ES2022", "DOM"], types: [] },
  "a worker that is bundled": { ...bundled, lib: ["ES2022", "WebWorker"], types: [] },
  "an app of Node": { ...strict, module: "NodeNext", lib: ["ES2022"], types: ["node"] },
  "an app of Cloudflare's": { ...bundled, lib: ["ES2022"], types: [], customConditions: ["workerd"] },
  "an app of another host": { ...bundled, lib: ["ES2022"], types: [] },
};

/** The older one takes seconds for each. */
const compilers = {
  typescript: Object.keys(apps),
  "typescript-5": ["an app that is bundled", "an app of Node"],
};

async function manifestOf(name) {
  return JSON.parse(await readFile(join(modules, name, "package.json"), "utf8"));
}

const { exports } = await manifestOf("keepsake");
const withTypes = Object.keys(exports).filter((entry) => JSON.stringify(exports[entry]).includes(".d.ts"));
/** Not those whose types are as sound as another package's, which is not checked here; tests/types compiles them. */
const ADAPTERS = [
  "ai-sdk",
  "anthropic",
  "cloudflare",
  "langchain",
  "langgraph",
  "mastra",
  "mcp",
  "openai-agents",
];
const all = withTypes
  .filter((entry) => !ADAPTERS.includes(entry.slice(2)))
  .map((entry) => entry.replace(".", "keepsake"));

export function types() {
  for (const [compiler, names] of Object.entries(compilers)) {
    for (const name of names) {
      test(`${compiler}: ${name}`, () => compiles(compiler, apps[name]));
    }
  }
}

async function compiles(compiler, compilerOptions) {
  const hasPlatform = compilerOptions.lib.length > 1 || compilerOptions.types.length > 0;
  const entries = hasPlatform ? all : EVERYWHERE;
  const folder = await project("types", {
    "all.ts": entries.map((entry, at) => `export * as entry${at} from "${entry}";\n`).join(""),
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["all.ts", "use.ts"] }),
  });
  await tool(`${compiler}/bin/tsc`, ["-p", folder, "--pretty", "false"], folder);
}
