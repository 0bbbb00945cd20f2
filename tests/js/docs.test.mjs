// Every TypeScript example of the README and of docs/ is type-checked and run, each as a module of its own; links between files of
// the repository lead to files and headings.
//
// An example is a fenced block that says `ts`, or `tsx` for React. One that says `no-run` after that, because it needs a
// browser, is only type-checked.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

const LIMIT_MS = 60_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Inside the project, so that `keepsake` is found where an app would find it. */
const folder = join(root, "target/docs-examples");

const TSCONFIG = {
  compilerOptions: {
    target: "ES2022",
    module: "NodeNext",
    moduleDetection: "force",
    lib: ["ES2023", "ESNext.Disposable", "DOM"],
    types: ["node"],
    jsx: "react-jsx",
    strict: true,
    // Of frameworks, which do not all stand up to it; the package's own are checked by tests/types.
    skipLibCheck: true,
    noEmit: true,
  },
  // Beside the examples, what Cloudflare's own types would say.
  include: ["*.ts", "*.tsx", "../../tests/types/workers.d.ts"],
};

async function pages() {
  const docs = join(root, "docs");
  const names = existsSync(docs) ? await readdir(docs, { recursive: true }) : [];
  // The reference has packages of its own, once it was written.
  const inDocs = names.filter((name) => name.endsWith(".md") && !name.includes("node_modules")).sort();
  return ["README.md", ...inDocs.map((name) => join("docs", name))].filter((page) =>
    existsSync(join(root, page)),
  );
}

/** The examples of a page: where each begins, and its code behind as many empty lines, so that line numbers agree. */
function examples(page, text) {
  const found = [];
  let fence;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const [, mark, info] = line.match(/^\s*(`{3,}|~{3,})(.*)$/) ?? [];
    if (fence === undefined) {
      if (mark === undefined || (mark[0] === "`" && info.includes("`"))) continue;
      fence = { mark, words: info.trim().split(/\s+/), at, lines: [] };
    } else if (mark?.startsWith(fence.mark) && info.trim() === "") {
      if (/^(ts|tsx|typescript)$/i.test(fence.words[0])) found.push(example(page, fence));
      fence = undefined;
    } else {
      fence.lines.push(line);
    }
  }
  assert.ok(fence === undefined, `${page}:${fence?.at + 1}: this block has no end`);
  return found;
}

function example(page, { words, at, lines }) {
  const unknown = words.slice(1).filter((word) => word !== "no-run");
  assert.deepEqual(unknown, [], `${page}:${at + 1}: only \`no-run\` may follow \`${words[0]}\``);
  const place = `${page}:${at + 1}`;
  const loader = words[0].toLowerCase() === "tsx" ? "tsx" : "ts";
  return {
    place,
    page,
    loader,
    file: `${place.replace(/[^\w.-]/g, "_")}.${loader}`,
    code: "\n".repeat(at + 1) + lines.join("\n"),
    runs: !words.includes("no-run"),
  };
}

/** What a program says and how it ended; 0 is well. */
function run(args, options) {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: LIMIT_MS, ...options }, (error, stdout, stderr) => {
      const late = error?.killed ? `not done after ${LIMIT_MS / 1000} s\n` : "";
      resolve({ code: error ? (error.code ?? error.signal) : 0, said: late + stdout + stderr });
    });
  });
}

const all = [];
for (const page of await pages()) all.push(...examples(page, await readFile(join(root, page), "utf8")));

/** Names the page instead of the module that was made of it. */
function inPages(text) {
  let named = text;
  for (const { file, page } of all) named = named.replaceAll(join(folder, file), page).replaceAll(file, page);
  return named;
}

test("the README has examples", () => {
  assert.ok(existsSync(join(root, "README.md")), "there is no README.md");
  assert.ok(
    all.some(({ page, runs }) => page === "README.md" && runs),
    "README.md has no ```ts block that runs",
  );
});

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(text) {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("relative links lead to files and headings", async () => {
  const others = [
    "tests/scenarios",
    "wit",
    "www",
    "examples/cloudflare-worker",
    "examples/spin",
    "examples/wasmtime",
  ];
  const further = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "SECURITY.md",
    ...others.map((at) => `${at}/README.md`),
  ];
  const broken = [];
  let links = 0;
  for (const page of [...(await pages()), ...further]) {
    const prose = (await readFile(join(root, page), "utf8")).replace(/^```.*?^```/gms, "");
    for (const [, file, anchor] of prose.matchAll(/\]\(([^)\s#]*)#?([^)\s]*)\)/g)) {
      if (/^[a-z]+:/.test(file)) continue;
      links += 1;
      const target = file === "" ? join(root, page) : join(root, dirname(page), file);
      const isThere =
        existsSync(target) && (anchor === "" || anchors(await readFile(target, "utf8")).includes(anchor));
      if (!isThere) broken.push(`${page}: ${file}#${anchor}`);
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(links > 100, `${links} links were found`);
});

test("the examples have the types they should", async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  await Promise.all(all.map(({ file, code }) => writeFile(join(folder, file), code)));
  if (all.length === 0) return;
  const { code, said } = await run(
    [join(root, "node_modules/typescript/bin/tsc"), "--pretty", "false", "-p", folder],
    { cwd: folder },
  );
  assert.equal(code, 0, inPages(said));
});

for (const { place, file, loader, code } of all.filter(({ runs }) => runs)) {
  test(`the example at ${place} runs`, async () => {
    const script = join(folder, file.replace(/\.tsx?$/, ".mjs"));
    const target = { format: "esm", target: "node20", jsx: "automatic" };
    const compiled = await transform(code, { ...target, loader, sourcemap: "inline", sourcefile: file });
    await mkdir(folder, { recursive: true });
    await writeFile(script, compiled.code);
    const { code: ended, said } = await run(["--enable-source-maps", script], { cwd: folder });
    assert.equal(ended, 0, `${place} ended with ${ended}\n${inPages(said)}`);
  });
}
