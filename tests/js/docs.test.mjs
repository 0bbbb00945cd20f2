// Every example of the README and of docs/, in TypeScript or JavaScript, is type-checked and run, each as a module of its own, and
// prints what its page shows. Links between files of the repository lead to files and headings, and every error code has its page.
// tests/js/support/pages.mjs says what the words of a block mean; tests/js/commands.test.mjs runs the commands.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { transform } from "esbuild";
import { openMemory } from "keepsake";
import { repository, withLinks } from "../../xtask/src/build/documents.mjs";
import { assertCommented, assertPrinted, blocks, pages, pageText, root } from "./support/pages.mjs";

const LIMIT_MS = 60_000;

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

/** Of JavaScript, with the types that are inferred. */
const JS_TSCONFIG = {
  compilerOptions: { ...TSCONFIG.compilerOptions, noImplicitAny: false },
  include: ["*.ts"],
};

/** The languages of blocks that no test reads. Rust is tested by rustdoc, and OpenAPI, WIT and Markdown are shown, not used. */
const SHOWN = ["rust", "css", "html", "json", "jsonc", "toml"];

/**
 * Blocks that are not run, by page and language: how many there are, and why. TypeScript is type-checked all the same.
 */
const BROWSER = "needs a browser";
const WORKER = "needs Workers, where tests/js/cloudflare.test.mjs runs the same calls";
const NOT_RUN = {
  "README.md sh": [
    3,
    "Spin and wasmtime, which tests/service runs; commands that build the project for minutes",
  ],
  "README.md ts": [1, WORKER],
  "docs/ai-sdk.md tsx": [1, BROWSER],
  "docs/bundlers.md js": [5, "tests/packaging runs them, each with its bundler"],
  "docs/bundlers.md sh": [1, "tests/packaging runs it"],
  "docs/chat.md ts": [1, BROWSER],
  "docs/cloudflare.md ts": [5, WORKER],
  "docs/devices.md ts": [1, "needs a server; the one of docs/remote.md is run"],
  "docs/files.md ts": [1, BROWSER],
  "docs/inspector.md ts": [2, BROWSER],
  "docs/pwa.md js": [1, "a service worker, which tests/examples/pwa-offline.test.mjs runs"],
  "docs/pwa.md ts": [4, BROWSER],
  "docs/react.md ts": [2, BROWSER],
  "docs/react.md tsx": [1, BROWSER],
  "docs/rust.md sh": [2, "installs and builds for minutes; the lints compile the page"],
  "docs/scale.md sh": [1, "the form of a command, with its options in brackets"],
  "docs/service.md sh": [1, "needs Redis, where tests/service sets the same keys"],
  "docs/storage.md ts": [1, BROWSER],
  "docs/workers.md ts": [5, BROWSER],
};

const all = [];
for (const page of await pages()) all.push(...blocks(page, await pageText(page)));

const examples = all
  .filter(({ language }) => /^(ts|tsx|js)$/.test(language))
  .map(({ page, place, at, language, file, code, runs, prints }) => {
    const loader = language === "tsx" ? "tsx" : "ts";
    return {
      place,
      page,
      loader,
      prints,
      file: join(language === "js" ? "js" : "", `${place.replace(/[^\w.-]/g, "_")}.${loader}`),
      // As many empty lines before it as the page has, so that line numbers agree.
      code: `${"\n".repeat(at + 1)}${code}`,
      checked: language !== "js" || runs,
      // A file is run by a command of its page.
      runs: runs && file === undefined,
    };
  });

/** What a program says and how it ended; 0 is well. */
function run(args, options) {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: LIMIT_MS, ...options }, (error, stdout, stderr) => {
      const late = error?.killed ? `not done after ${LIMIT_MS / 1000} s\n` : "";
      resolve({
        code: error ? (error.code ?? error.signal) : 0,
        printed: stdout,
        said: late + stdout + stderr,
      });
    });
  });
}

/** Names the page instead of the module that was made of it. */
function inPages(text) {
  let named = text;
  for (const { file, page } of examples)
    named = named.replaceAll(join(folder, file), page).replaceAll(file, page);
  return named;
}

test("the README has examples", () => {
  const isFirst = ({ page, language }) => page === "README.md" && language === "js";
  const [first] = all.filter(isFirst);
  assert.ok(first?.runs && first.file, "README.md has no example that is a file");
});

test("a block that is not run has a reason, and a reason its blocks", () => {
  const found = {};
  for (const { page, language, runs } of all) {
    if (runs || SHOWN.includes(language)) continue;
    const name = `${page} ${language}`;
    found[name] = (found[name] ?? 0) + 1;
  }
  const listed = Object.fromEntries(Object.entries(NOT_RUN).map(([name, [count]]) => [name, count]));
  assert.deepEqual(found, listed);
  const known = [...SHOWN, "ts", "tsx", "js", "sh", ""];
  const unknown = all.filter(({ language }) => !known.includes(language));
  assert.deepEqual(
    unknown.map(({ place }) => place),
    [],
    "blocks in a language that no test knows",
  );
});

test("the page in docs/rust.md is the example that the lints compile", async () => {
  const shown = all.filter(({ page }) => page === "docs/rust.md").map(({ code }) => code.trim());
  for (const name of ["main.rs", "index.html"]) {
    const file = await readFile(join(root, "examples/rust-page", name), "utf8");
    const code = file.replace(/^\/\/! .*\n\n/, "").trim();
    assert.ok(shown.includes(code), name);
  }
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
    "examples/pwa-offline",
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
    const found = [];
    withLinks(await pageText(page), (file, heading) => found.push([file, heading.slice(1)]));
    for (const [file, anchor] of found) {
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
  await mkdir(join(folder, "js"), { recursive: true });
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  await writeFile(join(folder, "js/tsconfig.json"), JSON.stringify(JS_TSCONFIG));
  const checked = examples.filter((example) => example.checked);
  await Promise.all(checked.map(({ file, code }) => writeFile(join(folder, file), code)));
  for (const project of [folder, join(folder, "js")]) {
    const tsc = [join(root, "node_modules/typescript/bin/tsc"), "--pretty", "false", "-p", project];
    const { code, said } = await run(tsc, { cwd: project });
    assert.equal(code, 0, inPages(said));
  }
});

for (const { place, file, loader, code, prints } of examples.filter(({ runs }) => runs)) {
  test(`the example at ${place} runs`, async () => {
    const script = join(folder, file.replace(/\.tsx?$/, ".mjs"));
    const target = { format: "esm", target: "node20", jsx: "automatic" };
    const compiled = await transform(code, { ...target, loader, sourcemap: "inline", sourcefile: file });
    await mkdir(dirname(script), { recursive: true });
    await writeFile(script, compiled.code);
    const { code: ended, said, printed } = await run(["--enable-source-maps", script], { cwd: folder });
    assert.equal(ended, 0, `${place} ended with ${ended}\n${inPages(said)}`);
    if (prints !== undefined) assertPrinted(place, printed, prints);
    assertCommented(place, printed, code);
  });
}

test("docs/errors.md has every error code of the contract, and no other", async () => {
  const contract = await readFile(join(root, "wit/types.wit"), "utf8");
  const [, cases] = contract.match(/variant error \{(.*?)^ {4}\}/ms) ?? [];
  const codes = [];
  let isOther = false;
  for (const line of cases.split("\n").map((line) => line.trim())) {
    // Such a case has the code of another one.
    if (line.startsWith("/// @is")) isOther = true;
    const [name] = line.match(/^[a-z-]+/) ?? [];
    if (name === undefined) continue;
    if (!isOther) codes.push(name);
    isOther = false;
  }
  assert.ok(codes.length > 10, codes.join());
  // A code of the package alone: the instance itself has failed.
  const wanted = [...codes, "crashed"].sort();
  const page = await pageText("docs/errors.md");
  const headings = [...page.matchAll(/^## ([a-z-]+)$/gm)].map(([, code]) => code).sort();
  assert.deepEqual(headings, wanted);
});

test("every call that docs/api.md names exists", async () => {
  const memory = await openMemory({ user: "u-42", storage: "memory" });
  const handles = { memory, chat: memory.session("s-1") };
  const names = [...(await pageText("docs/api.md")).matchAll(/\b((?:memory|chat)(?:\.\w+)+)[`(]/g)];
  const missing = names
    .map(([, name]) => name)
    // Set only where IndexedDB is refused.
    .filter((name) => name !== "memory.storageProblem")
    .filter((name) => name.split(".").reduce((value, part) => value?.[part], handles) === undefined);
  assert.ok(names.length > 40, `${names.length} calls`);
  assert.deepEqual(missing, []);
  await memory.close();
});

test("the address of the repository is said once, and the rest agrees with it", async () => {
  const address = await repository();
  const { homepage, bugs } = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8"));
  assert.deepEqual([homepage, bugs], [`${address}#readme`, `${address}/issues`]);
  const [, ofCrate] =
    (await readFile(join(root, "Cargo.toml"), "utf8")).match(/^repository = "(.*)"$/m) ?? [];
  assert.equal(ofCrate, address);
});
