// Folders in ZIPs: written for other programs and read from them, and what a bad one cannot do.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { MemoryError, zipFolder } from "keepsake";
import { memoryOf } from "./support/talk.mjs";

const run = promisify(execFile);
const bytes = (text) => new TextEncoder().encode(text);
const text = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsake-zip-"));
});
after(() => rm(folder, { recursive: true, force: true }));

/** The files of this test: text that packs well, bytes that do not, nothing at all, and names of all kinds. */
const FILES = {
  "context.md": "# Current Context\n".repeat(200),
  "agents/planner/memory/ghi chú 🎉.md": "\uFEFFKế hoạch\r\n",
  "empty.md": "",
  "one.md": "x",
  ["__proto__"]: "a name like any other",
};

/** Reads a ZIP by its directory, with nothing of ours: what a careful program would find in it. */
function unzipped(zip) {
  const view = Buffer.from(zip);
  const end = view.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const found = new Map();
  let at = view.readUInt32LE(end + 16);
  assert.equal(at + view.readUInt32LE(end + 12), end, "the directory ends where the end begins");
  for (let n = 0; n < view.readUInt16LE(end + 10); n++) {
    assert.equal(view.readUInt32LE(at), 0x02014b50);
    const [flags, method] = [view.readUInt16LE(at + 8), view.readUInt16LE(at + 10)];
    const [crc, packed, size] = [16, 20, 24].map((field) => view.readUInt32LE(at + field));
    const [named, extra, comment] = [28, 30, 32].map((field) => view.readUInt16LE(at + field));
    const local = view.readUInt32LE(at + 42);
    assert.equal(flags & 0x800, 0x800, "names are said to be UTF-8");
    const name = view.toString("utf8", at + 46, at + 46 + named);
    // What stands before the file says the same as the directory.
    assert.equal(view.readUInt32LE(local), 0x04034b50);
    assert.deepEqual(view.subarray(local + 4, local + 30), view.subarray(at + 6, at + 32), name);
    const from = local + 30 + named + view.readUInt16LE(local + 28);
    const raw = view.subarray(from, from + packed);
    const content = method === 8 ? inflateRawSync(raw) : raw;
    assert.deepEqual([content.length, crcOf(content)], [size, crc], name);
    found.set(name, content);
    at += 46 + named + extra + comment;
  }
  return found;
}

/** A checksum that is not ours: Node has one from 20.15 on; the slow way is good enough elsewhere. */
function crcOf(content) {
  if (crc32) return crc32(content);
  let crc = -1;
  for (const byte of content) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** The program `name`, if this machine has it. */
async function has(name) {
  return run(name, ["--version"]).then(
    () => true,
    () => false,
  );
}

test("what goes into a ZIP comes out of it, for us and for others", async () => {
  const zip = zipFolder();
  for (const [name, content] of Object.entries(FILES)) await zip.write(name, bytes(content));
  const packed = await zip.toBytes();
  const size = Object.values(FILES).join("").length;
  assert.ok(packed.length < size, `${packed.length} of ${size}: it is packed`);
  const theirs = unzipped(packed);
  assert.deepEqual([...theirs.keys()], Object.keys(FILES));
  for (const [name, content] of Object.entries(FILES)) assert.equal(text(theirs.get(name)), content, name);
  const again = zipFolder(packed);
  assert.deepEqual(await again.list(), Object.keys(FILES));
  for (const [name, content] of Object.entries(FILES))
    assert.equal(text(await again.read(name)), content, name);
  assert.deepEqual(await again.toBytes(), packed, "what nobody writes to stays as it is");
  const blob = await again.toBlob();
  assert.deepEqual([blob.type, blob.size], ["application/zip", packed.length]);
  await again.remove("one.md");
  await again.write("context.md", bytes("new"));
  const changed = zipFolder((await again.toBytes()).buffer);
  assert.equal(text(await changed.read("context.md")), "new");
  await assert.rejects(changed.read("one.md"), { code: "not-found" });
});

test("other programs unpack our ZIPs, and we theirs", async () => {
  const zip = zipFolder();
  const names = Object.keys(FILES).filter((name) => name !== "__proto__");
  for (const name of names) await zip.write(name, bytes(FILES[name]));
  const file = join(folder, "ours.zip");
  await writeFile(file, await zip.toBytes());
  if (await has("python3")) {
    const program = [
      "import zipfile,sys,json",
      "z=zipfile.ZipFile(sys.argv[1])",
      "assert z.testzip() is None",
      "print(json.dumps({n:z.read(n).decode('utf-8') for n in z.namelist()}))",
      "w=zipfile.ZipFile(sys.argv[2],'w',zipfile.ZIP_DEFLATED)",
      "[w.writestr(n,z.read(n)) for n in z.namelist()]",
      "w.writestr('folder/','')",
      "w.comment=b'a comment'",
      "w.close()",
    ];
    const theirs = join(folder, "python.zip");
    const { stdout } = await run("python3", ["-c", program.join("\n"), file, theirs]);
    assert.deepEqual(JSON.parse(stdout), Object.fromEntries(names.map((name) => [name, FILES[name]])));
    const read = zipFolder(await readFile(theirs));
    assert.deepEqual(await read.list(), names, "folders are no files");
    for (const name of names) assert.equal(text(await read.read(name)), FILES[name], name);
  }
  if (
    await run("unzip", ["-v"]).then(
      () => true,
      () => false,
    )
  ) {
    await run("unzip", ["-tq", file]);
    const { stdout } = await run("unzip", ["-p", file, "context.md"]);
    assert.equal(stdout, FILES["context.md"]);
  }
  if (await has("zip")) {
    const source = join(folder, "source");
    await mkdir(join(source, "ghi chú"), { recursive: true });
    await writeFile(join(source, "ghi chú/hai.md"), "hai ".repeat(100));
    await writeFile(join(source, "target.md"), "target");
    await symlink("target.md", join(source, "link.md"));
    const theirs = join(folder, "theirs.zip");
    await run("zip", ["-qry", theirs, "."], { cwd: source, env: { ...process.env, LC_ALL: "C.UTF-8" } });
    const read = zipFolder(await readFile(theirs));
    assert.deepEqual((await read.list()).sort(), ["ghi chú/hai.md", "link.md", "target.md"]);
    assert.equal(text(await read.read("ghi chú/hai.md")), "hai ".repeat(100));
    await assert.rejects(read.read("link.md"), /is a symbolic link/);
  }
  // Also where none of them is to be had.
  for (const [name, content] of unzipped(await zip.toBytes())) assert.equal(text(content), FILES[name]);
});

test("a memory goes into a ZIP, to another device, and back with what was changed there", async () => {
  const memory = await memoryOf();
  const { files } = memory;
  for (let n = 0; n < 30; n++) await files.write(`agents/a/memory/${n}.md`, `# ${n}\n\n## One\n\nfirst\n`);
  const out = zipFolder();
  const { exported } = await files.exportTo(out);
  assert.equal(exported.length, 30);
  const download = await out.toBytes();

  const other = await memoryOf();
  const upload = zipFolder(download);
  assert.equal((await other.files.importFrom(upload)).imported.length, 30);
  assert.deepEqual(await upload.toBytes(), download, "nothing was written to it");
  await other.files.write("agents/a/memory/1.md", "# 1\n\n## One\n\nfrom there\n");
  const back = zipFolder(download);
  assert.deepEqual(
    (await other.files.exportTo(back)).skipped.length,
    1,
    "nothing is known of who changed it",
  );
  assert.deepEqual((await other.files.sync(back)).merged, ["agents/a/memory/1.md"]);

  // And changed by hand: what the ZIP remembers tells who did what.
  const edited = zipFolder(download);
  await edited.write("agents/a/memory/2.md", bytes("# 2\n\n## One\n\nby hand\n"));
  await edited.remove("agents/a/memory/3.md");
  await files.write("agents/a/memory/4.md", "# 4\n\n## One\n\nmeanwhile\n");
  const { imported, removed, exported: updated, skipped } = await files.sync(edited);
  assert.deepEqual(
    [imported, removed, updated, skipped],
    [["agents/a/memory/2.md"], ["agents/a/memory/3.md"], ["agents/a/memory/4.md"], []],
  );
});

/** A ZIP of one file, any field of which may lie. `tail` stands between the file and the directory. */
function forged({
  name = "a.md",
  content = "content",
  method = 0,
  crc,
  size,
  flags = 0x800,
  made = 0,
  attributes = 0,
  offset = 0,
  packed,
  count = 1,
} = {}) {
  const plain = Buffer.from(content);
  const data = packed ?? (method === 8 ? deflateRawSync(plain) : plain);
  const named = Buffer.isBuffer(name) ? name : Buffer.from(name);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(flags, 2);
  shared.writeUInt16LE(method, 4);
  shared.writeUInt32LE(crc ?? crcOf(plain), 10);
  shared.writeUInt32LE(data.length, 14);
  shared.writeUInt32LE(size ?? plain.length, 18);
  shared.writeUInt16LE(named.length, 22);
  const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), shared, named, data]);
  const more = Buffer.alloc(14);
  more.writeUInt32LE(attributes >>> 0, 6);
  more.writeUInt32LE(offset, 10);
  const entry = Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, made]), shared, more, named]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(entry.length * count, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, ...Array(count).fill(entry), end]);
}

test("the forger of this test makes good ZIPs when it does not lie", async () => {
  for (const method of [0, 8]) {
    assert.equal(text(await zipFolder(forged({ method })).read("a.md")), "content");
  }
  const before = Buffer.concat([Buffer.from("a program that unpacks it"), forged()]);
  assert.equal(text(await zipFolder(before).read("a.md")), "content");
  const view = new Uint8Array(new ArrayBuffer(500), 100, forged().length);
  view.set(forged());
  assert.equal(text(await zipFolder(view).read("a.md")), "content", "a part of a larger buffer");
});

test("S12 a file that is not what its ZIP says is refused, and the others are not", async () => {
  const bomb = { method: 8, packed: deflateRawSync(Buffer.alloc(10_000_000)) };
  const wrong = {
    "has another checksum": [{ crc: 1 }, "corrupt"],
    "is longer than it says": [{ ...bomb, size: 10 }, "corrupt"],
    "is shorter than it says": [{ method: 8, size: 100 }, "corrupt"],
    "is stored shorter than it says": [{ size: 100 }, "corrupt"],
    "says nothing that unpacks": [{ method: 8, packed: Buffer.from("not deflated") }, "corrupt"],
    "is encrypted": [{ flags: 0x801 }, "invalid-input"],
    "is packed in another way": [{ method: 12 }, "invalid-input"],
    "is a symbolic link": [{ made: 3, attributes: 0o120777 << 16 }, "invalid-input"],
    "is elsewhere": [{ offset: 30 }, "invalid-input"],
    "is far away": [{ offset: 0x7fffffff }, "invalid-input"],
    "is in a huge archive": [{ size: 0xffffffff }, "invalid-input"],
    "is there twice": [{ count: 2 }, "invalid-input"],
  };
  const { files } = await memoryOf();
  for (const [name, [lie, code]] of Object.entries(wrong)) {
    const zip = zipFolder(forged(lie));
    await assert.rejects(
      zip.read("a.md"),
      (error) => error instanceof MemoryError && error.code === code,
      name,
    );
    const { skipped, imported } = await files.importFrom(zip);
    assert.deepEqual([skipped.map(({ path }) => path), imported], [["a.md"], []], name);
  }
  const latin = zipFolder(forged({ name: Buffer.from([0xe9]), flags: 0 }));
  assert.match((await files.importFrom(latin)).skipped[0].reason, /name that is not UTF-8/);
});

test("S12 a ZIP that says it swells is not unpacked", async () => {
  const { files } = await memoryOf();
  const large = zipFolder(forged({ method: 8, content: Buffer.alloc(50_000_000) }));
  const { skipped } = await files.importFrom(large);
  assert.match(skipped[0].reason, /50000000 bytes, more than 900000/);
  assert.throws(() => zipFolder(forged({ size: 0x7fffffff })), { code: "too-large" });
});

test("names that lead out of the folder are refused, and not passed on", async () => {
  const { files } = await memoryOf();
  for (const name of [
    "../a.md",
    "a/../../b.md",
    "/etc/passwd",
    "C:/x.md",
    "a\\..\\b.md",
    "a//b.md",
    "./a.md",
    "a\0.md",
  ]) {
    const zip = zipFolder(forged({ name }));
    const { imported, skipped } = await files.sync(zip);
    assert.deepEqual([imported, skipped.map(({ path }) => path)], [[], [name]], name);
    assert.deepEqual([...unzipped(await zip.toBytes()).keys()], [".keepsake.json"], name);
    await assert.rejects(zip.write(name, bytes("x")), { code: "invalid-input" }, name);
  }
  assert.deepEqual(await files.list(), []);
});

test("F40 a ZIP that is torn at any byte, or is none, is refused or refuses its files", async () => {
  const whole = forged({ method: 8 });
  for (let length = 0; length < whole.length; length++) {
    assert.throws(() => zipFolder(whole.subarray(0, length)), { code: "corrupt" }, `${length} bytes`);
  }
  for (let at = 0; at < whole.length; at++) {
    const flipped = Buffer.from(whole);
    flipped[at] ^= 0xff;
    try {
      const zip = zipFolder(flipped);
      for (const name of await zip.list()) {
        const content = await zip.read(name);
        assert.equal(text(content), "content", `byte ${at}`);
      }
    } catch (error) {
      assert.ok(error instanceof MemoryError, `byte ${at}: ${error}`);
    }
  }
  assert.throws(() => zipFolder(bytes("no ZIP")), { code: "corrupt" });
  assert.throws(() => zipFolder("text"), { code: "invalid-input", field: "bytes" });
});
