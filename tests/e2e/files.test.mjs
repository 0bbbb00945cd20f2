// Files in a real browser: on real IndexedDB in two tabs, in step with the page's own folder, and in ZIPs that are
// downloaded and taken back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { zipFolder } from "keepsake";
import { notInWebKit } from "./support/browser.mjs";
import { downloaded } from "./support/downloads.mjs";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

const tab = (name) => browser.tabWith(name);

test("A5 A30 F17 two tabs end a session at the same moment: both decisions are kept, and the context of one, whole", async () => {
  const tabs = [await tab("end"), await tab("end")];
  const ROUNDS = 10;
  for (const page of tabs) {
    await page.evaluate(async () => {
      globalThis.agent = await globalThis.memory.files.activate("planner");
    });
  }
  for (let round = 0; round < ROUNDS; round++) {
    const end = (page, who) =>
      page.evaluate(
        async ([who, round]) => {
          const lines = [...Array(50).keys()].map((n) => `- ${who} of ${round}, line ${n}`);
          const files = await globalThis.agent.endSession({
            date: "2025-12-31",
            context: `# Current Context\n\n${lines.join("\n")}\n`,
            decisions: [{ title: `${who} ${round}`, decision: `What ${who} decided` }],
            learnings: [{ title: `${who} ${round}`, pattern: "p", code: "c()", why: "w" }],
          });
          return files.length;
        },
        [who, round],
      );
    assert.deepEqual(await Promise.all(tabs.map((page, at) => end(page, `tab ${at}`))), [3, 3]);
  }
  await tabs[0].reload();
  await tabs[0].close();
  const fresh = await tab("end");
  const seen = await fresh.evaluate(async () => {
    const { files } = globalThis.memory;
    const home = "agents/planner/memory";
    const titles = async (name) =>
      (await files.parse(`${home}/${name}.md`)).entries.map(({ title }) => title);
    const { text } = await files.read(`${home}/context.md`);
    return { text, decisions: await titles("decisions"), learnings: await titles("learnings") };
  });
  const all = [...Array(ROUNDS).keys()].flatMap((round) => [`tab 0 ${round}`, `tab 1 ${round}`]).sort();
  assert.deepEqual(seen.decisions.toSorted(), all);
  assert.deepEqual(seen.learnings.toSorted(), all);
  const lines = seen.text.trimEnd().split("\n").slice(2);
  assert.equal(lines.length, 50);
  assert.equal(new Set(lines.map((line) => line.split(",")[0])).size, 1, "of one tab, whole");
  assert.match(lines[0], new RegExp(`^- tab [01] of ${ROUNDS - 1}, line 0$`));
});

test("the page's own folder and the memory are kept in step, also over a reload", {
  skip: notInWebKit("folder of the page's own"),
}, async () => {
  const page = await tab("opfs");
  const first = await page.evaluate(async () => {
    const { keepsake, memory } = globalThis;
    await memory.files.write(
      "agents/planner/memory/context.md",
      "# Current Context\n\n## Notes\n\n- từ bộ nhớ 🎉\n",
    );
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("memory", { create: true });
    const file = await folder.getFileHandle("byhand.md", { create: true });
    const writable = await file.createWritable();
    await writable.write("\uFEFFby hand\r\n");
    await writable.close();
    const bytes = await folder.getFileHandle("picture.png", { create: true });
    const picture = await bytes.createWritable();
    await picture.write(new Uint8Array([0x89, 0x50, 0xff, 0xfe]));
    await picture.close();
    return memory.files.sync(keepsake.directoryFolder(folder));
  });
  assert.deepEqual(first, {
    imported: ["byhand.md"],
    exported: ["agents/planner/memory/context.md"],
    merged: [],
    conflicts: [],
    removed: [],
    skipped: [{ path: "picture.png", reason: "is not text in UTF-8" }],
  });
  await page.reload();
  await page.close();

  const fresh = await tab("opfs");
  const second = await fresh.evaluate(async () => {
    const { keepsake, memory } = globalThis;
    const root = await navigator.storage.getDirectory();
    const handle = await root.getDirectoryHandle("memory");
    const folder = keepsake.directoryFolder(handle);
    const path = "agents/planner/memory/context.md";
    const read = async (path) =>
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(await folder.read(path));
    const idle = await memory.files.sync(folder);
    // Changed on both sides, in two sections.
    await memory.files.append(path, "\n## From the agent\n\n- new\n");
    await folder.write(path, new TextEncoder().encode((await read(path)).replace("từ bộ nhớ", "bằng tay")));
    await memory.files.delete("byhand.md");
    const done = await memory.files.sync(folder);
    const listed = [];
    for await (const name of folder.list()) listed.push(name);
    const inside = (await memory.files.read(path)).text;
    return { idle, done, inside, outside: await read(path), listed: listed.sort() };
  });
  assert.equal(second.idle.skipped.length, 1);
  assert.deepEqual([second.idle.imported, second.idle.exported, second.idle.removed], [[], [], []]);
  assert.deepEqual(second.done.merged, ["agents/planner/memory/context.md"]);
  assert.deepEqual([second.done.removed, second.done.conflicts], [["byhand.md"], []]);
  assert.equal(second.inside, second.outside);
  assert.ok(second.inside.includes("bằng tay 🎉") && second.inside.includes("## From the agent"));
  assert.deepEqual(second.listed, [".keepsake.json", "agents/planner/memory/context.md", "picture.png"]);
});

test("a ZIP is downloaded, changed elsewhere, and taken back through a file input", async () => {
  const page = await tab("zip");
  const { name, bytes } = await downloaded(page, () =>
    page.evaluate(async () => {
      const { keepsake, memory } = globalThis;
      for (let n = 0; n < 20; n++)
        await memory.files.write(`notes/${n}.md`, `# Ghi chú ${n}\n\n## One\n\nfirst\n\n## End\n`);
      const zip = keepsake.zipFolder();
      await memory.files.exportTo(zip);
      const link = document.createElement("a");
      link.download = "memory.zip";
      link.href = URL.createObjectURL(await zip.toBlob());
      link.click();
    }),
  );
  assert.equal(name, "memory.zip");
  // Here it is Node that packs and unpacks.
  const zip = zipFolder(bytes);
  assert.equal((await zip.list()).length, 21);
  const text = new TextDecoder().decode(await zip.read("notes/7.md"));
  assert.equal(text, "# Ghi chú 7\n\n## One\n\nfirst\n\n## End\n");
  await zip.write("notes/7.md", new TextEncoder().encode(text.replace("first", "changed elsewhere")));
  await zip.write("notes/new.md", new TextEncoder().encode("new"));
  await zip.remove("notes/8.md");

  const upload = {
    name: "memory.zip",
    mimeType: "application/zip",
    buffer: Buffer.from(await zip.toBytes()),
  };
  await page.evaluate(() => {
    const input = document.createElement("input");
    input.type = "file";
    document.body.append(input);
  });
  await page.locator("input").setInputFiles(upload);
  const taken = await page.evaluate(async () => {
    const { keepsake, memory } = globalThis;
    const [file] = document.querySelector("input").files;
    await memory.files.append("notes/7.md", "\n## Two\n\nmeanwhile\n");
    const done = await memory.files.sync(keepsake.zipFolder(await file.arrayBuffer()));
    return {
      done,
      text: (await memory.files.read("notes/7.md")).text,
      count: (await memory.files.list()).length,
    };
  });
  assert.deepEqual(taken.done, {
    imported: ["notes/new.md"],
    exported: [],
    merged: ["notes/7.md"],
    conflicts: [],
    removed: ["notes/8.md"],
    skipped: [],
  });
  assert.equal(taken.count, 20);
  assert.ok(taken.text.includes("changed elsewhere") && taken.text.includes("meanwhile"));
});

test("A34 a model's call changes one section, and the memory tool sees it", async () => {
  const page = await tab("tool");
  const seen = await page.evaluate(async () => {
    const { memory } = globalThis;
    const path = "agents/planner/memory/context.md";
    await memory.files.write(path, "# Current Context\n\n## Mine\n\nkept  \n\n## Notes\n\n- old\n");
    const [tool] = await memory.tools("anthropic", { agent: "planner", only: ["update_memory_section"] });
    const args = { file: "context", section: "Ghi chú", text: "- new" };
    const { isError } = await memory.call(tool.name, args, { agent: "planner" });
    const view = await memory.files
      .memoryTool({ root: "agents/planner/memory" })
      .view({ path: "/memories/context.md" });
    return { isError, text: (await memory.files.read(path)).text, view };
  });
  assert.deepEqual(
    [seen.isError, seen.text],
    [false, "# Current Context\n\n## Mine\n\nkept  \n\n## Notes\n\n- new\n"],
  );
  assert.match(seen.view, /- new/);
});
