// The demo agent in Node, bundled from its sources: it needs a memory and nothing of the page.

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Inside the project, so that imports of the package are found. */
await mkdir(at("target"), { recursive: true });
const folder = await mkdtemp(at("target/demo-agent-"));
after(() => rm(folder, { recursive: true }));
const outfile = `${folder}/demo.mjs`;
await build({
  entryPoints: [at("www/src/agents/demo/demo.ts")],
  bundle: true,
  format: "esm",
  packages: "external",
  outfile,
});
const { demoAgent } = await import(pathToFileURL(outfile).href);

/** Says a text in a session and returns the answer, as the page does it. */
export async function say(memory, id, text, language = "en") {
  const session = memory.session(id);
  const { id: message } = await session.append({ role: "user", content: text });
  const { signal } = new AbortController();
  let answer = "";
  for await (const piece of demoAgent({ memory, session, text, message, language, signal })) {
    answer += piece.text ?? "";
  }
  await session.append({ role: "assistant", content: answer });
  return answer;
}
