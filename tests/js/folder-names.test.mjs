// Names that programs act on: no memory writes them into a real folder, and no model's tool writes them at all.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { directoryFolder, nodeFolder } from "keepsake";
import { memoryTools as aiTools } from "keepsake/ai-sdk";
import { memoryTool as anthropicTool } from "keepsake/anthropic";
import { mcpServer } from "keepsake/mcp";
import { memoryOf } from "./support/talk.mjs";

const made = [];
after(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));

async function tempFolder(files = {}) {
  const root = await mkdtemp(join(tmpdir(), "keepsake-names-"));
  made.push(root);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** All files below a folder but the record of the sync. */
async function on(root) {
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  return paths
    .map((path) => path.slice(root.length + 1))
    .filter((path) => path !== ".keepsake.json")
    .sort();
}

/** Paths that some file system or program takes for a place where code is run from. */
const RUN = [
  ".git/hooks/post-checkout",
  ".Git/hooks/post-checkout",
  ".GIT/config",
  "docs/.gIt/config",
  ".gi\u200ct/config",
  "\ufeff.git/config",
  ".g\u206ait/config",
  ".g\u0131t/config",
  "\uff0egit/config",
  "\u2024git/config",
  ".\uff27\uff29\uff34/config",
  ".git\uff0e/config",
  ".git\u00a0/config",
  ".git\uff1a$INDEX_ALLOCATION/config",
  "a\uff0f.git\uff0fconfig",
  "git~1/config",
  "GIT~1/hooks/pre-commit",
  "gi7eba~1",
  "NODE_M~1/x/index.js",
  "docs/PROGRA~2.TXT",
  "Node_Modules/x/index.js",
  "node_module\u017f/x/index.js",
  "node\u200d_modules/x/index.js",
  ".hg/hgrc",
  ".SVN/config",
  "con",
  "docs/AUX.md",
  "nul.txt",
  "com\u00b9.md",
  "LPT9",
  "conin$",
];

/** Paths that only look like them. */
const HARMLESS = [
  "git/notes.md",
  "digit/notes.md",
  "my.git.md",
  "node-modules.md",
  "ghi chú/Đà Nẵng 👩‍🚀.md",
  "会议：纪要.md",
  "contact.md",
  "console/aux-notes.md",
  "comet.md",
  "nullable.md",
  "approx~1000.md",
  "a~b.md",
  "meeting~1.md",
  "notes~.md",
  ".microai/agents/planner/memory/context.md",
];

test("finding 1: a sync writes nothing into a folder that other programs run, however it is spelled", async () => {
  const { files } = await memoryOf();
  for (const path of [...RUN, ...HARMLESS]) await files.write(path, `at ${path}`);
  const root = await tempFolder();
  const done = await files.sync(nodeFolder(root));
  assert.deepEqual(await on(root), [...HARMLESS].sort());
  assert.deepEqual(done.exported, [...HARMLESS].sort());
  assert.deepEqual(done.skipped.map(({ path }) => path).sort(), [...RUN].sort());
  for (const { reason } of done.skipped) assert.match(reason, /^is (a|the|reserved) .{10,}/);
  // It stays in the memory, and an app's own filter does not let it out either.
  assert.equal((await files.read(".git/hooks/post-checkout")).text, "at .git/hooks/post-checkout");
  const other = await tempFolder();
  await files.sync(nodeFolder(other), { only: () => true });
  await files.exportTo(nodeFolder(other));
  assert.deepEqual(await on(other), [...HARMLESS].sort());
});

test("finding 1: nor does it take such files in, nor remove them", async () => {
  const root = await tempFolder({
    ".git/config": "[core]",
    "node_modules/x/index.js": "1",
    ".GIT/config": "[core]",
    "notes.md": "notes",
  });
  const { files } = await memoryOf();
  const done = await files.sync(nodeFolder(root));
  assert.deepEqual(done.imported, ["notes.md"]);
  // The usual two are in most folders and are not worth a word; one that is spelled otherwise is.
  assert.deepEqual(
    done.skipped.map(({ path }) => path),
    [".GIT/config"],
  );
  assert.deepEqual((await files.importFrom(nodeFolder(root))).imported, []);
  // A record that says otherwise changes nothing.
  const record = JSON.parse(await readFile(join(root, ".keepsake.json"), "utf8"));
  for (const path of [".git/config", ".GIT/config", "../outside.md", "/etc/passwd"]) {
    record.files[path] = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";
  }
  await writeFile(join(root, ".keepsake.json"), JSON.stringify(record));
  const again = await files.sync(nodeFolder(root));
  assert.deepEqual([again.removed, again.exported, again.imported], [[], [], []]);
  assert.deepEqual(await on(root), [".GIT/config", ".git/config", "node_modules/x/index.js", "notes.md"]);
});

test("finding 1: names that a disk takes for one do not overwrite each other", async () => {
  const { files } = await memoryOf();
  for (const path of ["Đà.md", "đà.md", "a\u200db.md", "ab.md", "\uff21.txt", "a.txt", "D/x.md", "d/X.md"]) {
    await files.write(path, path);
  }
  const root = await tempFolder();
  const { exported, skipped } = await files.sync(nodeFolder(root));
  assert.equal(exported.length, 4);
  assert.equal(skipped.length, 4);
  assert.ok(skipped.every(({ reason }) => reason.startsWith("has the same name as ")));
});

test("finding 1: a folder where the record of a sync should be breaks no sync", async () => {
  const { files } = await memoryOf();
  await files.write(".keepsake.json/x", "in the way");
  await files.write(".KEEPSAKE.json", "{}");
  await files.write(".keepsake-0123.tmp", "half");
  await files.write("notes.md", "notes");
  const root = await tempFolder();
  for (let round = 0; round < 2; round++) {
    const { skipped } = await files.sync(nodeFolder(root));
    assert.deepEqual(skipped.map(({ path }) => path).sort(), [
      ".KEEPSAKE.json",
      ".keepsake-0123.tmp",
      ".keepsake.json/x",
    ]);
  }
  assert.deepEqual(await on(root), ["notes.md"]);
  // That folder exists already, with or without files in it.
  for (const inside of ["x/y.md", undefined]) {
    const broken = await tempFolder({ "mine.md": "mine" });
    await mkdir(join(broken, ".keepsake.json"));
    if (inside) {
      await mkdir(join(broken, ".keepsake.json", "x"));
      await writeFile(join(broken, ".keepsake.json", inside), "y");
    }
    const done = await files.sync(nodeFolder(broken));
    assert.deepEqual([done.imported, done.exported], [["mine.md"], ["notes.md"]]);
    const told = done.skipped.find(({ path }) => path === ".keepsake.json");
    assert.match(told.reason, /folder/);
    assert.doesNotMatch(told.reason, /EISDIR/);
    assert.ok(await files.sync(nodeFolder(broken)));
    await files.delete("mine.md");
  }
});

test("finding 1: a folder itself refuses names that lead elsewhere on some system", async () => {
  const root = await tempFolder({ "real/secret.md": "s" });
  await symlink(join(root, "real"), join(root, "link"));
  const folder = nodeFolder(root);
  const handle = { kind: "directory", getDirectoryHandle: assert.fail, getFileHandle: assert.fail };
  const paths = [
    "../x",
    "/x",
    "a/../x",
    ".. /x",
    "a./x",
    "a /x",
    "x:y",
    "x.md::$DATA",
    "C:x",
    "a\\b",
    "a\u0000b",
    "",
  ];
  for (const path of paths) {
    for (const one of [folder, directoryFolder(handle)]) {
      await assert.rejects(one.write(path, new Uint8Array()), { code: "invalid-input" }, path);
      await assert.rejects(one.read(path), { code: "invalid-input" }, path);
    }
  }
  await assert.rejects(folder.write("link/x.md", new Uint8Array()), { code: "invalid-input" });
});

/** Files that a model is not to write: hidden ones, those that programs act on, and programs. */
const ACTED_ON = [
  ...RUN,
  ".env",
  ".env.local",
  ".vscode/tasks.json",
  ".github/workflows/ci.md",
  ".husky/pre-commit",
  ".Microai/agents/planner/memory/context.md",
  "notes/.hidden/a.md",
  ".keepsake.json",
  "package.json",
  "web/Package.JSON",
  "\uff50ackage.json",
  "package-lock.json",
  "tsconfig.build.json",
  "requirements-dev.txt",
  "CMakeLists.txt",
  "CLAUDE.md",
  "run.sh",
  "tool.py",
  "index.js",
  "page.html",
  "setup.exe",
  "lib.rs",
  "lefthook.yml",
  "Cargo.toml",
  "Makefile",
  "gradlew",
  "notes.md.js",
];

const WRITABLE = [
  "notes.md",
  "agents/planner/knowledge/deploy.md",
  "ghi chú/Đà Nẵng.md",
  "données.txt",
  "プロフィール.json",
  "lines.jsonl",
  "table.csv",
  "guidelines.xml",
  ".microai/agents/planner/memory/context.md",
];

/** Each way in which a model writes a file: it answers whether it was let to. */
const WAYS = {
  "memory.call": async (memory, scope) => async (path) => {
    const args = { path: `/${path}`, text: "t" };
    return !(await memory.call("write_memory_file", args, scope)).isError;
  },
  "the memory tool": async (memory, scope) => async (path) => {
    const { run } = memory.files.memoryTool(scope);
    return !(await run({ command: "create", path: `/memories/${path}`, file_text: "t" })).isError;
  },
  "the memory tool's rename": async (memory, scope) => async (path) => {
    const { run } = memory.files.memoryTool(scope);
    await memory.files.write("from.md", "t");
    const { isError } = await run({
      command: "rename",
      old_path: "/memories/from.md",
      new_path: `/memories/${path}`,
    });
    return !isError;
  },
  MCP: async (memory, scope) => {
    const [one, other] = InMemoryTransport.createLinkedPair();
    await mcpServer(memory, scope).connect(one);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(other);
    return async (path) => {
      const asked = { name: "write_memory_file", arguments: { path: `/${path}`, text: "t" } };
      return !(await client.callTool(asked)).isError;
    };
  },
  "the AI SDK": async (memory, scope) => async (path) => {
    const { write_memory_file } = await aiTools(memory, scope);
    return write_memory_file.execute({ path: `/${path}`, text: "t" }).then(
      () => true,
      () => false,
    );
  },
  "Anthropic's SDK": async (memory, scope) => async (path) => {
    const { run } = anthropicTool(memory, scope);
    return run({ command: "create", path: `/memories/${path}`, file_text: "t" }).then(
      () => true,
      () => false,
    );
  },
};

for (const [way, open] of Object.entries(WAYS)) {
  test(`finding 1: by ${way}, a model writes documents, and nothing that a program acts on`, async () => {
    const memory = await memoryOf();
    const write = await open(memory, {});
    for (const path of ACTED_ON) {
      assert.equal(await write(path), false, JSON.stringify(path));
      assert.equal(await memory.files.read(path), null, JSON.stringify(path));
    }
    for (const path of WRITABLE) {
      assert.equal(await write(path), true, path);
      assert.ok(await memory.files.read(path), path);
    }
    // The app may allow more, but for what is never written.
    const allowed = await memoryOf();
    const scripts = await open(allowed, { writable: ["scripts", "package.json"] });
    for (const path of ["scripts/run.sh", "scripts/.env", "package.json", "a.md"])
      assert.ok(await scripts(path), path);
    for (const path of ["scripts2/run.sh", "web/package.json", "run.sh", "scripts/.git/config"]) {
      assert.ok(!(await scripts(path)), path);
    }
    const everything = await open(allowed, { writable: ["/"] });
    for (const path of [".github/workflows/ci.yml", "Makefile"]) assert.ok(await everything(path), path);
    for (const path of RUN) assert.ok(!(await everything(path)), JSON.stringify(path));
  });
}

test("finding 1: a model neither edits nor deletes what it may not write, and is told what it may", async () => {
  const memory = await memoryOf();
  const { files } = memory;
  await files.write("package.json", '{ "name": "x" }');
  await files.write("src/index.js", "1");
  await files.write("src/notes.md", "n");
  const { run } = files.memoryTool();
  const path = "/memories/package.json";
  for (const command of [
    { command: "str_replace", path, old_str: "x", new_str: "y" },
    { command: "insert", path, insert_line: 0, insert_text: "y" },
    { command: "delete", path },
    { command: "delete", path: "/memories/src" },
    { command: "rename", old_path: path, new_path: "/memories/package.md" },
    { command: "rename", old_path: "/memories/src", new_path: "/memories/lib" },
  ]) {
    const { isError, text } = await run(command);
    assert.ok(isError, JSON.stringify(command));
    assert.doesNotMatch(text, /escape/);
  }
  assert.equal((await files.read("package.json")).version, 1);
  assert.match((await run({ command: "view", path })).text, /"name"/);
  assert.ok(!(await run({ command: "delete", path: "/memories/src/notes.md" })).isError);
  const told = await memory.call("write_memory_file", { path: "/run.sh", text: "t" });
  assert.match(told.text, /\.md/);
  // Where an app puts the tool is for the app to say, hidden or not.
  const rooted = files.memoryTool({ root: ".agent/memory" });
  await rooted.create({ path: "/memories/a.md", file_text: "a" });
  assert.ok(await files.read(".agent/memory/a.md"));
  await assert.rejects(rooted.create({ path: "/memories/.env", file_text: "a" }));
});

test("finding 1: the names of agents that a model makes up are held to the same", async () => {
  const memory = await memoryOf();
  for (const agent of [".git", "git~1", ".github", "aux"]) {
    for (const [name, args] of [
      ["write_memory_file", { path: "memory/notes.md", text: "t" }],
      ["update_memory_section", { file: "context", section: "Notes", text: "t" }],
      ["record_decision", { title: "t", decision: "d", reason: "r" }],
      ["record_learning", { title: "t", pattern: "p", why: "w" }],
    ]) {
      const { isError, text } = await memory.call(name, { agent, ...args });
      assert.ok(isError && !/was not called/.test(text), `${name} of ${agent}: ${text}`);
    }
  }
  assert.deepEqual(await memory.files.list(), []);
});

test("finding 1: a mistake in what an app allows is the app's", async () => {
  const memory = await memoryOf();
  for (const writable of [["../x"], ["a//b"], [""], "scripts", [7]]) {
    const asked = () => memory.call("write_memory_file", { path: "a.md", text: "t" }, { writable });
    await assert.rejects(asked, { code: "invalid-input" }, JSON.stringify(writable));
    await assert.rejects(
      async () => memory.files.memoryTool({ writable }).run({ command: "view", path: "/memories" }),
      {
        code: "invalid-input",
      },
    );
  }
});
