// What a reader and an editor see of the package: no `any`, a comment on everything public, and an import that does
// nothing.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { isClassDeclaration, isInterfaceDeclaration, SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

const LIMIT_MS = 60_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = [...(await declarations("pkg/dist")), ...(await declarations("pkg/wasm"))];
const { exports } = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8"));
const entries = typesOf([".", "./node", "./full", "./slim", "./worker"].map((name) => exports[name]));
/** What apps import beside an entry. */
const more = typesOf(exports).filter((file) => !entries.includes(file));

/** The declarations that a part of `exports` names, each once. */
function typesOf(part) {
  const found = typeof part === "string" ? [part] : Object.values(part).flatMap(typesOf);
  const named = found.filter((name) => name.endsWith(".d.ts"));
  return [...new Set(named.map((name) => (name.startsWith("./") ? join(root, "pkg", name) : name)))];
}

const compiler = new API({ cwd: root });
after(() => compiler.close());
const snapshot = compiler.updateSnapshot({ openFiles: files });

async function declarations(folder) {
  const found = await readdir(join(root, folder), { recursive: true });
  return found.filter((name) => name.endsWith(".d.ts")).map((name) => join(root, folder, name));
}

function open(file) {
  const project = snapshot.getDefaultProjectForFile(file);
  return { project, source: project.program.getSourceFile(file) };
}

function place(node) {
  const source = node.getSourceFile();
  const line = source.text.slice(0, node.getStart(source)).split("\n").length;
  return `${relative(root, source.fileName)}:${line}`;
}

test("there are declarations to look at", () => {
  assert.equal(entries.length, 6, `entries: ${entries.join(" ")}`);
  assert.ok(more.length >= 24, `more: ${more.join(" ")}`);
});

test("no declaration says `any`", () => {
  const found = [];
  const visit = (node) => {
    if (node.kind === SyntaxKind.AnyKeyword) found.push(place(node));
    node.forEachChild(visit);
  };
  for (const file of files) visit(open(file).source);
  assert.deepEqual(found, []);
});

/** What an app that imports `entry` can name: the declarations behind the exports. */
function exported(entry) {
  const { project, source } = open(entry);
  const { checker } = project;
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
  return symbols.flatMap((symbol) => {
    const isAlias = symbol.declarations.some(({ kind }) => kind === SyntaxKind.ExportSpecifier);
    const { declarations } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    return declarations.map((handle) => ({ name: symbol.name, node: handle.resolve(project) }));
  });
}

/** The members that have a name for apps. A constructor goes with its class. */
function members({ name, node }) {
  if (!isClassDeclaration(node) && !isInterfaceDeclaration(node)) return [];
  return [...node.members]
    .filter((member) => member.name && member.name.kind !== SyntaxKind.PrivateIdentifier)
    .map((member) => ({ name: `${name}.${member.name.getText()}`, node: member }));
}

function hasComment(node) {
  // That of a constant is on its statement.
  const holder = node.kind === SyntaxKind.VariableDeclaration ? node.parent.parent : node;
  return (holder.jsDoc ?? []).some((comment) => /[a-z]{2}/i.test(comment.getText()));
}

test("everything public has a comment", () => {
  const bare = new Set();
  for (const entry of [...entries, ...more]) {
    const all = exported(entry);
    const names = all.map(({ name }) => name);
    const own = entry.endsWith("slim.d.ts") ? "withWasm" : "openMemory";
    const wanted = [own, "Memory", "MemoryEntry", "MemoryError", "OpenOptions", "Session", "StorageAdapter"];
    for (const name of entries.includes(entry) ? wanted : []) {
      assert.ok(names.includes(name), `${relative(root, entry)} does not export ${name}`);
    }
    for (const { name, node } of [...all, ...all.flatMap(members)]) {
      if (!hasComment(node)) bare.add(`${place(node)} ${name}`);
    }
  }
  assert.deepEqual([...bare], []);
});

test("an editor shows the words of a union, not the name of its type", () => {
  const unions = {
    Role: '"assistant" | "system" | "tool" | "user"',
    Trust: '"high" | "low" | "normal"',
    DefaultNamespace: '"long-term" | "short-term"',
    Format: '"ai-sdk" | "ai-sdk-ui" | "anthropic" | "gemini" | "openai" | "openai-responses"',
    ToolFormat: '"ai-sdk" | "anthropic" | "gemini" | "mcp" | "openai" | "openai-responses"',
    MemoryEvent: '"change" | "conflict" | "evicted" | "quota" | "superseded"',
    LongTermMode: '"AGENT_CONTROL" | "BOTH" | "STATIC_CONTROL"',
  };
  const [entry] = entries;
  const { project, source } = open(entry);
  const { checker } = project;
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
  const typeOf = (name) =>
    checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(symbols.find((symbol) => symbol.name === name)));
  for (const [name, wanted] of Object.entries(unions)) {
    assert.equal(checker.typeToString(typeOf(name)), wanted, name);
  }
});

test("what is made for frameworks fits their own types, and wrong options do not", async () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const project = join(root, "tests/types/frameworks");
  const compiled = promisify(execFile)(process.execPath, [tsc, "--pretty", "false", "-p", project], {
    timeout: LIMIT_MS,
  });
  await compiled.catch(({ stdout }) => assert.fail(stdout));
});

for (const resolution of ["NodeNext", "Bundler"]) {
  test(`the first program of the README compiles with the resolution ${resolution}`, async () => {
    const readme = await readFile(join(root, "README.md"), "utf8");
    const [, program] = /```js\n(.*?)```/s.exec(readme);
    assert.match(program, /jsonl/);
    // In the repository, where `keepsake` is installed.
    const folder = await mkdtemp(join(root, "tests/types/readme-"));
    try {
      await writeFile(join(folder, "chat.mts"), program);
      const compilerOptions = {
        target: "ES2022",
        lib: ["ES2022", "DOM"],
        types: ["node"],
        module: resolution === "Bundler" ? "ESNext" : resolution,
        moduleResolution: resolution,
        strict: true,
        // The program is JavaScript: its parameters have no types.
        noImplicitAny: false,
        noEmit: true,
      };
      await writeFile(
        join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions, files: ["chat.mts"] }),
      );
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const compiled = promisify(execFile)(process.execPath, [tsc, "--pretty", "false", "-p", folder], {
        timeout: LIMIT_MS,
      });
      await compiled.catch(({ stdout }) => assert.fail(stdout));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

test("a page that calls `jsonl` is told that it needs Node", async () => {
  for (const name of ["browser", "full"]) {
    const { jsonl } = await import(pathToFileURL(join(root, `pkg/dist/entry/${name}.js`)).href);
    assert.throws(() => jsonl("memory.jsonl"), { code: "unavailable", message: /`jsonl` needs Node/ });
  }
});

/** Runs alone in a Node of its own: everything a module could do on import tells on itself first. */
const WATCHED_IMPORT = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const seen = [];
Error.stackTraceLimit = Number.POSITIVE_INFINITY;
/** Notes what a module does. Node's loader reads files and runs wasm too, but with no frame of a module's above it. */
const note = (what) => {
  const frames = new Error().stack.split("\\n").slice(1);
  if (frames.some((frame) => /(file|data):/.test(frame) && !frame.includes("[eval1]"))) seen.push(what);
};
const watch = (object, name, holder) => {
  object[name] = new Proxy(object[name], {
    apply: (target, self, args) => (note(holder + name), Reflect.apply(target, self, args)),
    construct: (target, args) => (note("new " + holder + name), Reflect.construct(target, args)),
  });
};
for (const [holder, object] of [["fs.", fs], ["fs.promises.", fs.promises], ["WebAssembly.", WebAssembly]]) {
  for (const name of Object.getOwnPropertyNames(object)) {
    if (typeof object[name] === "function") watch(object, name, holder);
  }
}
const timers = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"];
for (const name of ["fetch", ...timers, "Worker", "BroadcastChannel", "MessageChannel"]) {
  if (globalThis[name]) watch(globalThis, name, "");
}
watch(Date, "now", "Date.");
watch(crypto, "getRandomValues", "crypto.");
syncBuiltinESMExports();
// Descriptors, because to read some globals is to make Node load them.
const globals = () => Object.getOwnPropertyDescriptors(globalThis);
const before = globals();
for (const entry of process.argv.slice(1)) await import(entry);
await new Promise((resolve) => process.nextTick(resolve));
const after = globals();
for (const key of Reflect.ownKeys(after)) {
  const same = Object.is(before[key]?.value, after[key].value) && before[key]?.get === after[key].get;
  if (!same || !Object.hasOwn(before, key)) seen.push("the global " + String(key));
}
process.stdout.write(JSON.stringify(seen));
`;

async function seenOnImport(...entries) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", WATCHED_IMPORT, ...entries],
    { cwd: root, timeout: LIMIT_MS },
  );
  return JSON.parse(stdout);
}

test("importing the package does nothing: no global, no request, no file, no timer", async () => {
  const scripts = entries.map((entry) => pathToFileURL(entry.replace(/\.d\.ts$/, ".js")).href);
  // Not `ai-sdk`, `langchain`, `langgraph`, `mastra` and `mcp`: the packages that they import have globals of their own;
  // nor `cloudflare`: only Cloudflare has what it imports.
  const own = [
    "node",
    "full",
    "slim",
    "agentscope",
    "http",
    "inspector",
    "jsonl",
    "remote",
    "worker",
    "worker/host",
    "react",
  ];
  const subpaths = [...own, "acontext", "anthropic", "mem0", "openai-agents"];
  const names = subpaths.map((name) => `keepsake/${name}`);
  assert.deepEqual(await seenOnImport("keepsake", ...names, ...scripts), []);
});

test("an import that does something would be noticed", async () => {
  const guilty = {
    "globalThis.left = undefined": "the global left",
    "globalThis.Array = class {}": "the global Array",
    'await fetch("data:,")': "fetch",
    'import { readFileSync } from "node:fs"; readFileSync("package.json")': "fs.readFileSync",
    'import { readFile } from "node:fs/promises"; await readFile("package.json")': "fs.promises.readFile",
    "new WebAssembly.Memory({ initial: 1 })": "new WebAssembly.Memory",
    "setTimeout(() => {})": "setTimeout",
  };
  for (const [code, wanted] of Object.entries(guilty)) {
    const seen = await seenOnImport(`data:text/javascript,${encodeURIComponent(code)}`);
    assert.ok(seen.includes(wanted), `${code}: ${seen}`);
  }
});
