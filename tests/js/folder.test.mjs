// Files in real folders: in and out byte for byte, both ways at once, and what a folder can be made of.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { directoryFolder, MemoryStorage, nodeFolder, openMemory } from "keepsake";
import { memoryOf } from "./support/talk.mjs";

const RECORD = ".keepsake.json";
const NOTHING = { imported: [], exported: [], merged: [], conflicts: [], removed: [], skipped: [] };

const hash = (text) => createHash("sha256").update(text).digest("hex");

const made = [];
after(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));

/** A folder on the disk that is gone after the tests. */
async function tempFolder() {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-folder-"));
  made.push(folder);
  return folder;
}

async function put(root, path, content) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

const look = (root, path) => readFile(join(root, path), "utf8");

/** The smallest folder there is: a map of texts or bytes. What was done to it is in `done`. */
function mapFolder(files = {}) {
  const held = new Map(Object.entries(files));
  const done = [];
  return {
    held,
    done,
    list: async () => [...held.keys()],
    async read(path) {
      const content = held.get(path);
      if (content === undefined) throw new Error("no such file");
      return typeof content === "string" ? new TextEncoder().encode(content) : content;
    },
    async write(path, bytes) {
      done.push(`write ${path}`);
      held.set(path, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    },
    async remove(path) {
      done.push(`remove ${path}`);
      held.delete(path);
    },
  };
}

/** The texts of all files of a memory, by their paths. */
async function textsOf({ files }) {
  const all = await files.list();
  return Object.fromEntries(
    await Promise.all(all.map(async ({ path }) => [path, (await files.read(path)).text])),
  );
}

test("500 files come in, are edited on both sides, and go out: identical where nobody touched them", async () => {
  const samples = fileURLToPath(new URL("../fixtures/markdown/", import.meta.url));
  const texts = await Promise.all((await readdir(samples)).sort().map((name) => look(samples, name)));
  const root = await tempFolder();
  const paths = [...Array(500).keys()].map(
    (n) => `agents/a${n % 25}/memory/${n % 2 ? "" : "ghi chú/"}${n}.md`,
  );
  const original = new Map(
    paths.map((path, n) => [path, `${n % 7 ? "" : "\uFEFF"}${texts[n % texts.length]}\r\n<!-- ${n} -->`]),
  );
  for (const [path, text] of original) await put(root, path, text);
  const memory = await memoryOf();
  const { files } = memory;
  const progress = [];
  const first = await files.sync(nodeFolder(root), { onProgress: (so) => progress.push(so) });
  assert.deepEqual(first, { ...NOTHING, imported: [...paths].sort() });
  assert.deepEqual(
    progress.map(({ done, total }) => [done, total]),
    paths.map((_, at) => [at + 1, 500]),
  );
  assert.deepEqual(await textsOf(memory), Object.fromEntries(original));
  assert.deepEqual(await files.sync(nodeFolder(root)), NOTHING, "nothing is left to do");

  const [inside, outside, both, gone] = [
    paths.slice(0, 5),
    paths.slice(5, 10),
    paths.slice(10, 15),
    paths.slice(15, 20),
  ];
  for (const path of [...inside, ...both]) await files.append(path, "## From inside\n\nours\n");
  for (const path of outside) await put(root, path, `${original.get(path)}\n## From outside\n`);
  for (const path of both) await put(root, path, `# Put in front\n\n${original.get(path)}`);
  for (const path of gone) await rm(join(root, path));
  const second = await files.sync(nodeFolder(root));
  assert.deepEqual(second, {
    ...NOTHING,
    imported: [...outside].sort(),
    exported: [...inside].sort(),
    merged: [...both].sort(),
    removed: [...gone].sort(),
  });
  const touched = new Set([...inside, ...outside, ...both, ...gone]);
  for (const path of paths) {
    if (!touched.has(path)) assert.equal(await look(root, path), original.get(path), path);
  }
  for (const path of both) {
    const text = await look(root, path);
    assert.ok(text.includes("# Put in front") && text.includes("## From inside"), path);
  }
  const left = await textsOf(memory);
  assert.equal(Object.keys(left).length, 495);
  for (const [path, text] of Object.entries(left)) assert.equal(await look(root, path), text, path);
  const before = await stat(join(root, RECORD));
  assert.deepEqual(await files.sync(nodeFolder(root)), NOTHING);
  assert.equal((await stat(join(root, RECORD))).mtimeMs, before.mtimeMs, "nothing new, nothing written");
});

/** What a file was on both sides the last time, and is now; what is to be on both, and what is told. */
const MATRIX = [
  // base, inside, outside, both afterwards, told
  [null, null, "o", "o", "imported"],
  [null, "i", null, "i", "exported"],
  [null, "s", "s", "s", null],
  ["b", "b", "b", "b", null],
  ["b", "b", "o", "o", "imported"],
  ["b", "i", "b", "i", "exported"],
  ["b", "s", "s", "s", null],
  ["b", null, null, null, null],
  ["b", null, "b", null, "removed"],
  ["b", "b", null, null, "removed"],
  ["b", null, "o", "o", "imported"],
  ["b", "i", null, "i", "exported"],
];

/** A memory and a folder that had `base` in common and then went on by themselves. */
async function apart(base, inside, outside) {
  const memory = await memoryOf();
  const { files } = memory;
  const folder = mapFolder();
  if (base !== null) {
    await files.write("f.md", base);
    await files.sync(folder);
  }
  if (inside === null) await files.delete("f.md");
  else if (inside !== base) await files.write("f.md", inside);
  if (outside === null) folder.held.delete("f.md");
  else folder.held.set("f.md", outside);
  folder.done.length = 0;
  return { memory, files, folder };
}

test("every way in which a file can have changed on two sides", async () => {
  for (const [base, inside, outside, wanted, told] of MATRIX) {
    const { files, folder } = await apart(base, inside, outside);
    const place = JSON.stringify([base, inside, outside]);
    const expected = told === null ? NOTHING : { ...NOTHING, [told]: ["f.md"] };
    assert.deepEqual(await files.sync(folder), expected, place);
    assert.equal((await files.read("f.md"))?.text ?? null, wanted, `inside after ${place}`);
    assert.equal(folder.held.get("f.md") ?? null, wanted, `outside after ${place}`);
    assert.deepEqual(await files.sync(folder), NOTHING, `again after ${place}`);
    const record = JSON.parse(folder.held.get(RECORD));
    assert.equal(record.version, 1);
    assert.deepEqual(record.files, wanted === null ? {} : { "f.md": hash(wanted) }, place);
  }
});

test("one way only: a folder that is imported from stays as it is, and one that is exported to loses nothing", async () => {
  // base, inside, outside; inside after an import and what it tells; outside after an export and what that tells
  const ways = [
    [null, null, "o", "o", "imported", "o", null],
    [null, "i", null, "i", null, "i", "exported"],
    ["b", "b", "o", "o", "imported", "o", "skipped"],
    ["b", "i", "b", "i", null, "i", "exported"],
    ["b", null, "b", "b", "imported", "b", null],
    ["b", "b", null, "b", null, "b", "exported"],
    ["b", null, "o", "o", "imported", "o", null],
    ["b", "i", null, "i", null, "i", "exported"],
  ];
  for (const [base, inside, outside, imported, toldIn, exported, toldOut] of ways) {
    const place = JSON.stringify([base, inside, outside]);
    const taken = await apart(base, inside, outside);
    const came = await taken.files.importFrom(taken.folder);
    assert.deepEqual(came, toldIn === null ? NOTHING : { ...NOTHING, [toldIn]: ["f.md"] }, place);
    assert.equal((await taken.files.read("f.md"))?.text ?? null, imported, place);
    assert.deepEqual(taken.folder.done, [], `the folder stays as it is: ${place}`);

    const given = await apart(base, inside, outside);
    const { skipped, ...went } = await given.files.exportTo(given.folder);
    assert.deepEqual(went.exported, toldOut === "exported" ? ["f.md"] : [], place);
    assert.deepEqual(
      skipped.map(({ path }) => path),
      toldOut === "skipped" ? ["f.md"] : [],
    );
    assert.equal(given.folder.held.get("f.md") ?? null, exported, place);
    assert.equal((await given.files.read("f.md"))?.text ?? null, inside, place);
  }
});

const BASE = "# Plan\n\n## One\n\nfirst\n\n## Two\n\nsecond\n";

test("what both sides changed is merged by what both had; conflicts stay in the file and are named", async () => {
  const { files, folder } = await apart(
    BASE,
    BASE.replace("first", "ours"),
    BASE.replace("second", "theirs"),
  );
  assert.deepEqual(await files.sync(folder), { ...NOTHING, merged: ["f.md"] });
  const both = BASE.replace("first", "ours").replace("second", "theirs");
  assert.deepEqual([(await files.read("f.md")).text, folder.held.get("f.md")], [both, both]);

  const torn = await apart(BASE, BASE.replace("first", "ours"), BASE.replace("first", "theirs"));
  assert.deepEqual(await torn.files.sync(torn.folder), {
    ...NOTHING,
    merged: ["f.md"],
    conflicts: [{ path: "f.md", section: "One", line: 3 }],
  });
  const { text } = await torn.files.read("f.md");
  assert.match(text, /<<<<<<< memory\nours\n=======\ntheirs\n>>>>>>> file/);
  assert.equal(torn.folder.held.get("f.md"), text);
  assert.deepEqual(await torn.files.sync(torn.folder), NOTHING, "it is not torn again");
  torn.folder.held.set("f.md", BASE.replace("first", "decided"));
  assert.deepEqual(await torn.files.sync(torn.folder), { ...NOTHING, imported: ["f.md"] });

  const oneWay = await apart(BASE, BASE.replace("first", "ours"), BASE.replace("second", "theirs"));
  assert.deepEqual(await oneWay.files.importFrom(oneWay.folder), { ...NOTHING, merged: ["f.md"] });
  assert.equal((await oneWay.files.read("f.md")).text, both);
  assert.deepEqual(oneWay.folder.done, []);
});

test("an app decides conflicts itself, or leaves them", async () => {
  const ours = BASE.replace("first", "ours");
  const theirs = BASE.replace("first", "theirs");
  const asked = [];
  for (const answer of ["# Decided\n", undefined, null]) {
    const { files, folder } = await apart(BASE, ours, theirs);
    const onConflict = async (conflict) => {
      asked.push(conflict);
      return answer;
    };
    const { conflicts } = await files.sync(folder, { onConflict });
    const { text } = await files.read("f.md");
    assert.equal(folder.held.get("f.md"), text);
    if (answer) assert.deepEqual([text, conflicts], [answer, []]);
    else assert.ok(text.includes("<<<<<<< memory") && conflicts.length === 1);
  }
  const [{ merged, ...first }] = asked;
  assert.deepEqual(first, {
    path: "f.md",
    base: BASE,
    memory: ours,
    folder: theirs,
    conflicts: [{ section: "One", line: 3 }],
  });
  assert.match(merged, /<<<<<<< memory/);
  assert.equal(asked.length, 3);
});

test("S12 what cannot be taken is named with a reason and stays as it is; the others go on", async () => {
  const root = await tempFolder();
  const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
  await put(root, "good.md", "good");
  await put(root, "latin.md", latin);
  await put(root, "huge.md", Buffer.alloc(50_000_000, "x"));
  await put(root, "12:30.md", "refused by the tree");
  await put(root, ".git/config", "not for agents");
  await put(root, "node_modules/x/readme.md", "nor this");
  const { files } = await memoryOf();
  const { skipped, ...done } = await files.sync(nodeFolder(root));
  assert.deepEqual(done.imported, ["good.md"]);
  assert.deepEqual(
    skipped.map(({ path }) => path),
    ["12:30.md", "huge.md", "latin.md"],
  );
  const [refused, huge, notText] = skipped.map(({ reason }) => reason);
  assert.match(refused, /colons/);
  assert.match(huge, /50000000 bytes, more than 900000/);
  assert.equal(notText, "is not text in UTF-8");
  assert.deepEqual(await readFile(join(root, "latin.md")), latin);
  assert.equal((await stat(join(root, "huge.md"))).size, 50_000_000);

  // What the memory has at such a place stays as well, and nothing of it counts as deleted.
  await files.write("latin.md", "inside");
  const again = await files.sync(nodeFolder(root));
  assert.ok(again.skipped.some(({ path }) => path === "latin.md"));
  assert.equal((await files.read("latin.md")).text, "inside");
  assert.deepEqual(await readFile(join(root, "latin.md")), latin);
  const only = await files.sync(nodeFolder(root), { only: (path) => path === "good.md" });
  assert.deepEqual(only, NOTHING);
});

test("symbolic links are not followed, neither in nor out, and what was behind one is not deleted", async () => {
  const [root, elsewhere] = [await tempFolder(), await tempFolder()];
  await put(elsewhere, "secret.md", "secret");
  await put(root, "team/plan.md", "plan");
  await symlink(join(elsewhere, "secret.md"), join(root, "link.md"));
  await symlink(elsewhere, join(root, "linked"));
  await symlink(join(root, "nowhere"), join(root, "dangling.md"));
  const memory = await memoryOf();
  const { files } = memory;
  const first = await files.sync(nodeFolder(root));
  assert.deepEqual(first.imported, ["team/plan.md"]);
  assert.deepEqual(
    first.skipped.map(({ path }) => path),
    ["dangling.md", "link.md", "linked"],
  );
  assert.ok(first.skipped.every(({ reason }) => reason === "symbolic links are not followed"));

  await files.write("linked/new.md", "out");
  await files.write("link.md", "out");
  const second = await files.sync(nodeFolder(root));
  assert.deepEqual([second.exported, second.removed], [[], []]);
  assert.deepEqual(await readdir(elsewhere), ["secret.md"]);
  assert.equal(await look(elsewhere, "secret.md"), "secret");

  // The folder is moved away and a link put in its place.
  await rm(join(root, "team"), { recursive: true });
  await symlink(elsewhere, join(root, "team"));
  const third = await files.sync(nodeFolder(root));
  assert.deepEqual(third.removed, []);
  assert.ok(
    third.skipped.some(({ path, reason }) => path === "team/plan.md" && reason.includes("is below team")),
  );
  assert.equal((await files.read("team/plan.md")).text, "plan");

  const folder = nodeFolder(root);
  for (const path of ["../x", "/etc/passwd", "a/../../x", "linked/secret.md", "", "a\\b"]) {
    await assert.rejects(folder.read(path), { code: "invalid-input" }, path);
    await assert.rejects(folder.write(path, new Uint8Array()), { code: "invalid-input" }, path);
    await assert.rejects(folder.remove(path), { code: "invalid-input" }, path);
  }
  assert.deepEqual(await readdir(elsewhere), ["secret.md"]);
});

test("what is no file is not read: a pipe would never end", async () => {
  const root = await tempFolder();
  await put(root, "a.md", "a");
  await promisify(execFile)("mkfifo", [join(root, "pipe.md")]);
  const { files } = await memoryOf();
  const { imported, skipped } = await files.sync(nodeFolder(root));
  assert.deepEqual([imported, skipped], [["a.md"], [{ path: "pipe.md", reason: "`path` must be a file" }]]);
});

test("a folder that cannot be looked into hides its files, and deletes none", async () => {
  const folder = mapFolder({ "team/plan.md": "plan", "own.md": "own" });
  const memory = await memoryOf();
  await memory.files.sync(folder);
  // As an adapter says that it was not let in.
  folder.list = async () => ["team", "own.md", RECORD];
  const only = (path) => path.endsWith(".md");
  for (const options of [{}, { only }]) {
    const { removed, skipped } = await memory.files.sync(folder, options);
    assert.deepEqual(removed, []);
    assert.ok(skipped.some(({ path }) => path === "team/plan.md"));
  }
  assert.equal((await memory.files.read("team/plan.md")).text, "plan");
});

test("files on a disk are written whole, keep their mode, and leave nothing half done behind", async () => {
  const root = await tempFolder();
  const folder = nodeFolder(join(root, "not/yet/there"));
  for await (const path of folder.list()) assert.fail(`there is ${path}`);
  const { files } = await memoryOf();
  await files.write("run.sh", "echo 1\n");
  await files.sync(folder);
  const place = join(root, "not/yet/there/run.sh");
  await chmod(place, 0o755);
  await files.write("run.sh", "echo 2\n");
  await writeFile(join(dirname(place), ".keepsake-0123456789abcdef.tmp"), "of a program that was killed");
  assert.deepEqual((await files.sync(folder)).exported, ["run.sh"]);
  assert.equal((await stat(place)).mode & 0o777, 0o755);
  assert.equal(await readFile(place, "utf8"), "echo 2\n");
  assert.deepEqual(await files.list().then((all) => all.map(({ path }) => path)), ["run.sh"]);
  // A folder stands where a file is to be.
  await files.write("taken", "a file");
  await mkdir(join(dirname(place), "taken"));
  await writeFile(join(dirname(place), "taken/by.md"), "a folder");
  const { skipped, imported } = await files.sync(folder);
  assert.deepEqual([skipped.map(({ path }) => path), imported], [["taken"], ["taken/by.md"]]);
  const left = await readdir(dirname(place));
  assert.deepEqual(
    left.filter((name) => name.endsWith(".tmp")),
    [".keepsake-0123456789abcdef.tmp"],
  );
});

test("F9 F15 a memory that was emptied, or is another, takes everything from a folder and deletes nothing there", async () => {
  const one = await memoryOf();
  await one.files.write("a.md", "one");
  await one.files.write("b.md", BASE);
  const folder = mapFolder();
  await one.files.sync(folder);
  const fresh = await memoryOf();
  assert.deepEqual(await fresh.files.sync(folder), { ...NOTHING, imported: ["a.md", "b.md"] });

  // From then on the two meet in the folder, as two devices do.
  await fresh.files.write("b.md", BASE.replace("second", "of the second"));
  await fresh.files.delete("a.md");
  assert.deepEqual(await fresh.files.sync(folder), { ...NOTHING, exported: ["b.md"], removed: ["a.md"] });
  await one.files.write("b.md", BASE.replace("first", "of the first"));
  assert.deepEqual(await one.files.sync(folder), { ...NOTHING, merged: ["b.md"], removed: ["a.md"] });
  assert.deepEqual(await fresh.files.sync(folder), { ...NOTHING, imported: ["b.md"] });
  const both = BASE.replace("first", "of the first").replace("second", "of the second");
  assert.deepEqual(await textsOf(fresh), { "b.md": both });
  assert.deepEqual(await textsOf(one), { "b.md": both });

  // A copy of what the memory once had is no change to what it has now.
  const copy = mapFolder({ "b.md": BASE });
  assert.deepEqual((await one.files.sync(copy)).conflicts, []);
  assert.equal(copy.held.get("b.md"), both);
});

test("F40 F41 a record that makes no sense deletes nothing, and one of a newer version is refused", async () => {
  for (const record of ["", "{", "[]", '{"version":1}', '{"version":1,"memory":7,"files":[]}', "\uFFFE"]) {
    const { files, folder } = await apart("b", "b", null);
    folder.held.set(RECORD, record);
    assert.deepEqual(await files.sync(folder), { ...NOTHING, exported: ["f.md"] }, record);
    assert.deepEqual(await files.sync(folder), NOTHING);
  }
  const { files, folder } = await apart("b", "b", null);
  folder.held.set(RECORD, '{"version":2,"anything":true}');
  await assert.rejects(files.sync(folder), { code: "newer-version" });
  assert.deepEqual(folder.done, []);
});

test("the record and the name of the memory are no files: they are neither listed nor taken along", async () => {
  const { files, folder } = await apart("b", "b", "b");
  assert.deepEqual(
    (await files.list()).map(({ path }) => path),
    ["f.md"],
  );
  assert.deepEqual([...folder.held.keys()].sort(), [RECORD, "f.md"]);
  const before = (await files.read(RECORD)).text;
  await files.sync(mapFolder({ [RECORD]: "{}" }));
  assert.equal((await files.read(RECORD)).text, before);
});

test("what is saved while it is under way is not lost, on either side", async () => {
  const scene = await apart(BASE, BASE.replace("first", "ours"), BASE);
  const { files, folder } = scene;
  // An editor saves between the look and the write.
  const { read } = folder;
  let looks = 0;
  folder.read = async (path) => {
    if (path === "f.md" && ++looks === 2) folder.held.set("f.md", BASE.replace("second", "saved"));
    return read(path);
  };
  assert.deepEqual(await files.sync(folder), { ...NOTHING, merged: ["f.md"] });
  const both = BASE.replace("first", "ours").replace("second", "saved");
  assert.deepEqual([(await files.read("f.md")).text, folder.held.get("f.md")], [both, both]);

  const other = await apart(BASE, BASE, BASE.replace("second", "theirs"));
  const inner = other.folder.read;
  let once = true;
  other.folder.read = async (path) => {
    const bytes = await inner(path);
    if (path === "f.md" && once) {
      once = false;
      await other.files.write("f.md", BASE.replace("first", "meanwhile"));
    }
    return bytes;
  };
  assert.deepEqual(await other.files.sync(other.folder), { ...NOTHING, merged: ["f.md"] });
  assert.equal(other.folder.held.get("f.md"), BASE.replace("first", "meanwhile").replace("second", "theirs"));

  // While a merge is under way: what came of it is the beginning of the next.
  const third = await apart(BASE, BASE.replace("first", "ours"), BASE.replace("second", "theirs"));
  const reading = third.folder.read;
  let reads = 0;
  third.folder.read = async (path) => {
    if (path === "f.md" && ++reads === 2)
      third.folder.held.set("f.md", `${BASE.replace("second", "theirs")}\n## Three\n`);
    return reading(path);
  };
  const { merged, conflicts } = await third.files.sync(third.folder);
  assert.deepEqual([merged, conflicts], [["f.md"], []]);
  const { text } = await third.files.read("f.md");
  assert.ok(
    ["ours", "theirs", "## Three"].every((word) => text.includes(word)),
    text,
  );
  assert.equal(third.folder.held.get("f.md"), text);
});

test("a file that somebody changes all the time is left, and the others go on", async () => {
  const { files, folder } = await apart("b", "i", "b");
  folder.held.set("g.md", "g");
  const { read } = folder;
  let n = 0;
  folder.read = async (path) => {
    if (path === "f.md") folder.held.set("f.md", `saved ${n++}`);
    return read(path);
  };
  const { skipped, imported } = await files.sync(folder);
  assert.deepEqual(skipped, [{ path: "f.md", reason: "is being changed all the time" }]);
  assert.deepEqual(imported, ["g.md"]);
});

test("F43 it can be ended between two files, and what was done is known the next time", async () => {
  const folder = mapFolder(Object.fromEntries([..."abcdef"].map((name) => [`${name}.md`, name])));
  const { files } = await memoryOf();
  const ending = new AbortController();
  const onProgress = ({ done }) => done === 3 && ending.abort(new Error("enough"));
  await assert.rejects(files.sync(folder, { signal: ending.signal, onProgress }), /enough/);
  assert.equal((await files.list()).length, 3);
  assert.deepEqual(Object.keys(JSON.parse(folder.held.get(RECORD)).files), ["a.md", "b.md", "c.md"]);
  await files.delete("a.md");
  const rest = await files.sync(folder);
  assert.deepEqual([rest.imported, rest.removed], [["d.md", "e.md", "f.md"], ["a.md"]]);
  await assert.rejects(files.sync(folder, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("names that differ only by case or by how accents are written are not made one file", async () => {
  const { files } = await memoryOf();
  await files.write("Notes.md", "one");
  await files.write("notes.md", "other");
  await files.write("caf\u00e9.md", "composed");
  await files.write("cafe\u0301.md", "decomposed");
  const folder = mapFolder();
  const { exported, skipped } = await files.sync(folder);
  assert.equal(exported.length, 2);
  assert.equal(skipped.length, 2);
  assert.ok(skipped.every(({ reason }) => reason.startsWith("has the same name as ")));
  // Where both are there already, both are files.
  const both = mapFolder({
    "Notes.md": "one",
    "notes.md": "other",
    "caf\u00e9.md": "composed",
    "cafe\u0301.md": "decomposed",
  });
  assert.deepEqual(await files.sync(both), NOTHING);
});

test("S7 paths that look dangerous are paths like any other", async () => {
  const { files } = await memoryOf();
  const paths = ["__proto__", "constructor", "toString/hasOwnProperty"];
  for (const path of paths) await files.write(path, path);
  const folder = mapFolder();
  assert.deepEqual((await files.sync(folder)).exported.sort(), [...paths].sort());
  assert.deepEqual(await files.sync(folder), NOTHING);
  for (const path of paths) assert.equal(folder.held.get(path), path);
  await files.delete("__proto__");
  assert.deepEqual((await files.sync(folder)).removed, ["__proto__"]);
});

test("a folder that fails for one file costs that file, and a memory that fails ends it", async () => {
  const { files, folder, memory } = await apart(null, "i", null);
  await files.write("g.md", "g");
  const { write } = folder;
  folder.write = async (path, bytes) => {
    if (path === "f.md") throw new Error("the disk is full");
    return write(path, bytes);
  };
  const { exported, skipped } = await files.sync(folder);
  assert.deepEqual([exported, skipped], [["g.md"], [{ path: "f.md", reason: "the disk is full" }]]);
  folder.list = async () => {
    throw new Error("not let in");
  };
  await assert.rejects(files.sync(folder), /not let in/);
  await memory.close();
  await assert.rejects(files.sync(mapFolder({ "a.md": "a" })), { code: "closed" });
});

test("F17 two handles of one memory sync with one folder at once, and agree", async () => {
  const storage = new MemoryStorage();
  const open = () => openMemory({ user: "u-1", storage: storage.connect() });
  const [one, other] = [await open(), await open()];
  const folder = mapFolder(Object.fromEntries([...Array(20).keys()].map((n) => [`${n}.md`, `text ${n}`])));
  await one.files.write("inside.md", "inside");
  await Promise.all([one.files.sync(folder), other.files.sync(folder)]);
  assert.deepEqual(await one.files.sync(folder), NOTHING);
  assert.deepEqual(await other.files.sync(folder), NOTHING);
  assert.equal((await one.files.list()).length, 21);
  assert.equal(JSON.parse(folder.held.get(RECORD)).others, undefined, "it is one memory");
});

/** What a browser gives for a directory, over a map. */
function handleOf(files, before = "") {
  const children = () => {
    const below = [...files.keys()].filter((path) => path.startsWith(before));
    return [...new Set(below.map((path) => path.slice(before.length).split("/")[0]))];
  };
  const isFolder = (name) => [...files.keys()].some((path) => path.startsWith(`${before}${name}/`));
  const missing = () => Object.assign(new Error("not found"), { name: "NotFoundError" });
  const fileAt = (path) => ({
    kind: "file",
    getFile: async () => new Blob([files.get(path) ?? ""]),
    createWritable: async () => {
      const pieces = [];
      return {
        write: async (data) => void pieces.push(new Uint8Array(data)),
        close: async () => void files.set(path, Buffer.concat(pieces).toString()),
        abort: async () => {},
      };
    },
  });
  return {
    kind: "directory",
    async *entries() {
      for (const name of children()) {
        yield [name, isFolder(name) ? handleOf(files, `${before}${name}/`) : fileAt(`${before}${name}`)];
      }
    },
    async getDirectoryHandle(name, { create } = {}) {
      if (!create && !isFolder(name)) throw missing();
      return handleOf(files, `${before}${name}/`);
    },
    async getFileHandle(name, { create } = {}) {
      if (!create && !files.has(`${before}${name}`)) throw missing();
      return fileAt(`${before}${name}`);
    },
    async removeEntry(name) {
      files.delete(`${before}${name}`);
    },
  };
}

test("a folder behind a browser's handle: listed below, read, written, removed", async () => {
  const held = new Map([
    ["a.md", "a"],
    ["team/plan.md", "plan"],
    ["big.md", "x".repeat(900_001)],
  ]);
  const folder = directoryFolder(handleOf(held));
  const { files } = await memoryOf();
  const first = await files.sync(folder);
  assert.deepEqual(first.imported, ["a.md", "team/plan.md"]);
  assert.deepEqual(
    first.skipped.map(({ path }) => path),
    ["big.md"],
  );
  await files.write("team/new/deep.md", "deep");
  await files.delete("a.md");
  const second = await files.sync(folder);
  assert.deepEqual([second.exported, second.removed], [["team/new/deep.md"], ["a.md"]]);
  assert.deepEqual([held.get("team/new/deep.md"), held.has("a.md")], ["deep", false]);
  await assert.rejects(folder.write("../x", new Uint8Array()), { code: "invalid-input" });
  // Some browsers read and do not write.
  const readOnly = handleOf(new Map());
  readOnly.getFileHandle = async () => ({ kind: "file", getFile: async () => new Blob([]) });
  await assert.rejects(directoryFolder(readOnly).write("a.md", new Uint8Array()), { code: "unavailable" });
  // Some do not list: the folder must not count as empty.
  const { entries: _, ...unlisted } = handleOf(held);
  await assert.rejects(files.sync(directoryFolder(unlisted)), { code: "unavailable" });
});

test("an independent program finds the same texts in the folder", async () => {
  const root = await tempFolder();
  const memory = await memoryOf();
  for (const name of ["one.md", "ghi chú/hai.md"]) await memory.files.write(name, `# ${name}\n🎉`);
  await memory.files.sync(nodeFolder(root));
  const { stdout } = await promisify(execFile)("cat", ["one.md", "ghi chú/hai.md"], { cwd: root });
  assert.equal(stdout, "# one.md\n🎉# ghi chú/hai.md\n🎉");
});
