// Skills in the forms of Acontext: folders with a SKILL.md go round byte for byte, blocks through its own client.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { AcontextClient } from "@acontext/acontext";
import { jsonl, MemoryError, nodeFolder, openMemory, zipFolder } from "keepsake";
import { acontextSkills } from "keepsake/acontext";
import { memoryOf } from "./support/talk.mjs";

const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const main = (text) => [{ path: "SKILL.md", bytes: encode(text) }];
const skillOf = (name, description, body = "Do it.") =>
  main(`---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`);

async function folderOf(t) {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-acontext-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** What is in a folder, by path. */
async function contentsOf(folder) {
  const found = {};
  for await (const path of await folder.list()) {
    found[path] = Buffer.from(await folder.read(path)).toString("base64");
  }
  return found;
}

const BINARY = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256);

test("B38 folders with a SKILL.md come out byte for byte as they went in, also after a reload", async (t) => {
  const root = await folderOf(t);
  const files = {
    "social-contacts/SKILL.md":
      "\uFEFF---\r\nname: social-contacts\r\ndescription: >-\r\n  Keep track of people.\r\n  Use when a person is named.\r\nlicense: MIT\r\nmetadata:\r\n  author: ann\r\n---\r\n# People\r\n\r\n## Steps\r\n\r\n1. `find_file`: look for the person\r\n2. `write_file`\r\n",
    "social-contacts/scripts/run.py": "print('xin chào')\n",
    "social-contacts/assets/logo.png": BINARY,
    "social-contacts/references/empty.md": "",
    "pdf/SKILL.md": "---\nname: \"pdf\"\ndescription: 'It''s for PDFs'\nallowed-tools:\n  - Read\n---\n",
    "deep/er/SKILL.md": "---\nname: người-dùng\ndescription: kỹ năng tiếng Việt # a remark\n---\nnội dung",
    "README.md": "not of a skill",
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, "in", path)), { recursive: true });
    await writeFile(join(root, "in", path), content);
  }
  const open = () => openMemory({ user: "u-1", storage: jsonl(join(root, "memory.jsonl")) });
  let memory = await open();
  const { skills, problems } = await acontextSkills(memory).importFrom(nodeFolder(join(root, "in")));
  assert.deepEqual(problems, []);
  assert.deepEqual(skills.map(({ id }) => id).sort(), ["người-dùng", "pdf", "social-contacts"]);
  const contacts = await memory.procedural.get("social-contacts");
  assert.equal(contacts.use_when, "Keep track of people. Use when a person is named.");
  assert.deepEqual(contacts.tool_sops, [
    { tool: "find_file", action: "look for the person" },
    { tool: "write_file" },
  ]);
  const [found] = await memory.procedural.searchSkills(null, "who is this person?");
  assert.equal(found.id, "social-contacts", "an agent finds it");
  await memory.close();

  memory = await open();
  t.after(() => memory.close());
  const again = acontextSkills(memory);
  const zip = zipFolder();
  assert.deepEqual((await again.exportTo(zip)).sort(), ["người-dùng", "pdf", "social-contacts"]);
  const out = await contentsOf(zipFolder(await zip.toBytes()));
  const wanted = Object.entries(files).flatMap(([path, content]) => {
    const to = path.replace("deep/er/", "người-dùng/");
    return to === "README.md" ? [] : [[to, Buffer.from(content).toString("base64")]];
  });
  assert.deepEqual(out, Object.fromEntries(wanted));
  // What came out goes in again, and nothing is new.
  const second = await again.importFrom(zipFolder(await zip.toBytes()));
  assert.ok(second.skills.every(({ version }) => version === 1));
});

test("skills of this library become folders and come back the same", async () => {
  const memory = await memoryOf();
  const hard = [
    {
      use_when: "deploy Next.js to Vercel",
      tool_sops: [{ tool: "sh", action: "npm install" }],
      preferences: "pnpm",
    },
    {
      use_when: ' odd "quotes": \\ --- \n---\n# `x`\u2028',
      tool_sops: [
        { tool: "a`b\nc", action: " x\n" },
        { tool: "z", action: "" },
      ],
    },
    { use_when: "x".repeat(5000), tool_sops: [], preferences: "" },
    { use_when: "🍜🍜", tool_sops: [], taskType: "food", id: "__proto__" },
    { use_when: "Never delete the database", tool_sops: [], kind: "guard", id: "../.." },
    { use_when: "deploy Next.js to Vercel", tool_sops: [], preferences: "## Steps\n\n1. `not`: a step" },
  ];
  for (const skill of hard) await memory.procedural.addSkill(skill);
  const zip = zipFolder();
  const names = await acontextSkills(memory).exportTo(zip);
  assert.equal(new Set(names).size, hard.length);
  const other = await memoryOf();
  const { skills, problems } = await acontextSkills(other).importFrom(zipFolder(await zip.toBytes()));
  assert.deepEqual(problems, []);
  const plain = ({ id, kind, taskType, use_when, tool_sops, preferences }) =>
    JSON.stringify({ id, kind, taskType, use_when, tool_sops, preferences });
  assert.deepEqual(skills.map(plain).sort(), (await memory.procedural.list()).map(plain).sort());
});

test("what a person changes in a SKILL.md counts, and so does what the app changes in a skill", async () => {
  const memory = await memoryOf();
  const skills = acontextSkills(memory);
  const { id } = await memory.procedural.addSkill({ use_when: "star a repo", tool_sops: [{ tool: "goto" }] });
  const [{ name }] = await skills.list();
  assert.equal(name, "star-a-repo");
  const [file] = await skills.get(name);
  const edited = decode(file.bytes).replace("1. `goto`", "1. `goto`: github.com\n2. `click`: the star");
  const changed = await skills.add(main(edited));
  assert.equal(changed.id, id);
  assert.equal(changed.version, 2);
  assert.deepEqual(changed.tool_sops, [
    { tool: "goto", action: "github.com" },
    { tool: "click", action: "the star" },
  ]);
  assert.equal(decode((await skills.get(name))[0].bytes), edited);
  await memory.procedural.addSkill({ id, use_when: "star a repository", tool_sops: [{ tool: "press" }] });
  const [now] = await skills.get(name);
  assert.match(decode(now.bytes), /^1\. `press`$/m);
  assert.match(decode(now.bytes), /star a repository/);
});

test("a skill that is replaced loses its old files; one that is deleted is gone", async () => {
  const memory = await memoryOf();
  const skills = acontextSkills(memory, { folder: "team/skills" });
  const files = [
    ...skillOf("pdf", "for PDFs"),
    { path: "a.md", bytes: encode("a") },
    { path: "b.bin", bytes: BINARY },
  ];
  await skills.add(files);
  await skills.add([...skillOf("pdf-2", "for other PDFs"), { path: "b.bin", bytes: BINARY }]);
  await skills.add(files.slice(0, 1));
  assert.deepEqual(
    (await skills.get("pdf")).map(({ path }) => path),
    ["SKILL.md"],
  );
  assert.deepEqual(
    (await skills.get("pdf-2")).map(({ path }) => path),
    ["SKILL.md", "b.bin"],
  );
  const folder = zipFolder();
  await folder.write("pdf/old.md", encode("old"));
  await folder.write("other/keep.md", encode("keep"));
  assert.deepEqual(await skills.exportTo(folder, { only: ["pdf"] }), ["pdf"]);
  assert.deepEqual((await folder.list()).sort(), ["other/keep.md", "pdf/SKILL.md"]);
  assert.equal(await skills.delete("pdf-2"), true);
  assert.equal(await skills.delete("pdf-2"), false);
  assert.equal(await skills.get("pdf-2"), null);
  assert.deepEqual(await memory.collection("acontext/files").list(), []);
  assert.deepEqual(
    (await memory.files.list()).map(({ path }) => path),
    ["team/skills/pdf/SKILL.md"],
  );
});

test("blocks of a space come and go through Acontext's own client", async (t) => {
  const blocks = [
    {
      type: "sop",
      title: "Star a repo",
      props: {
        use_when: "star a repo on github.com",
        preferences: "use the user's account",
        tool_sops: [
          { tool_name: "goto", action: "goto github.com", tool_id: "t-1" },
          { tool_name: "click", action: "" },
        ],
        color: "red",
      },
    },
    { type: "page", title: "Notes", props: {} },
  ];
  const stored = [];
  const add = (block) => {
    const id = `b-${stored.length}`;
    const time = new Date(0).toISOString();
    stored.push({
      id,
      space_id: "s",
      parent_id: null,
      sort: 0,
      is_archived: false,
      created_at: time,
      updated_at: time,
      props: {},
      title: "",
      ...block,
    });
    return { id };
  };
  blocks.forEach(add);
  // The parts of the service that the client asks for.
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const url = new URL(request.url, "http://x");
    const type = url.searchParams.get("type");
    const data =
      request.method === "POST"
        ? add(JSON.parse(body))
        : stored.filter((block) => !type || block.type === type);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ code: 0, msg: "ok", data }));
  });
  await new Promise((resolve) => server.listen(0, resolve));
  t.after(() => server.close());
  const client = new AcontextClient({ apiKey: "none", baseUrl: `http://127.0.0.1:${server.address().port}` });

  const memory = await memoryOf();
  const skills = acontextSkills(memory);
  for (const block of await client.blocks.list("s", { blockType: "sop" })) await skills.addBlock(block);
  const [skill] = await memory.procedural.list();
  assert.deepEqual(skill.tool_sops, [{ tool: "goto", action: "goto github.com" }, { tool: "click" }]);
  assert.equal(skill.preferences, "use the user's account");
  await memory.procedural.addSkill({
    use_when: "write a test",
    tool_sops: [{ tool: "sh", action: "npm test" }],
  });
  await memory.procedural.addSkill({ use_when: "never push on Fridays", tool_sops: [], kind: "guard" });
  for (const block of await skills.toBlocks()) await client.blocks.create("s", block);
  const [, , same, fresh, ...none] = await client.blocks.list("s");
  assert.deepEqual(same.props, blocks[0].props, "what a skill has no place for is there again");
  assert.equal(same.title, "Star a repo");
  assert.deepEqual(fresh.props, {
    use_when: "write a test",
    preferences: "",
    tool_sops: [{ tool_name: "sh", action: "npm test" }],
  });
  assert.deepEqual(none, []);
});

test("what is no skill is said plainly, and nothing of it is kept", async (t) => {
  const memory = await memoryOf();
  const skills = acontextSkills(memory);
  const good = skillOf("good", "fine");
  const more = (path, bytes = encode("x")) => [...good, { path, bytes }];
  const wrong = [
    [undefined, "files"],
    [[], "files"],
    [[null], "files[0].path"],
    [[{ path: "SKILL.md", bytes: "text" }], "files[0].bytes"],
    [[{ path: "README.md", bytes: encode("x") }], "files"],
    [[...good, ...good], "files"],
    [[{ path: "SKILL.md", bytes: BINARY }], "SKILL.md"],
    [main("# No front matter"), "SKILL.md"],
    [main("---\nname: x\ndescription: y\n"), "SKILL.md"],
    [main("---\nwhat is this\n---\n"), "SKILL.md"],
    [main("---\ndescription: y\n---\n"), "name"],
    [main("---\nname: x\n---\n"), "description"],
    [main("---\nname: x\ndescription:\n---\n"), "description"],
    [main("---\nname: x\nname: y\ndescription: z\n---\n"), "name"],
    [main('---\nname: x\ndescription: "no end\n---\n'), "description"],
    [main('---\nname: x\ndescription: "a \\q b"\n---\n'), "description"],
    [main("---\nname: x\ndescription: 'no end\n---\n"), "description"],
    [skillOf("../x", "y"), "name"],
    [skillOf("a/b", "y"), "name"],
    [skillOf("..", "y"), "name"],
    [skillOf("x".repeat(65), "y"), "name"],
    [skillOf("x", "y".repeat(20_000)), "skill"],
    [more("../out.md"), "files"],
    [more("/out.md"), "files"],
    [more("a//b.md"), "files"],
    [more("a\\b.md"), "path"],
    [more("c:x.md"), "path"],
    [more("big.bin", new Uint8Array(6_000_001)), "files[1].bytes"],
    [more("y".repeat(2000), BINARY), "keys[0]"],
  ];
  for (const [files, field] of wrong) {
    await assert.rejects(skills.add(files), (error) => {
      assert.ok(error instanceof MemoryError, error.stack);
      assert.equal(error.field, field, error.message);
      return true;
    });
  }
  for (const [block, field] of [
    [undefined, "block.id"],
    [{ id: "" }, "block.id"],
    [{ id: "1", type: "page", title: "x", props: {} }, "block.type"],
    [{ id: "1", type: "sop", title: "", props: {} }, "block.props.use_when"],
    [{ id: "1", type: "sop", title: "x", props: { preferences: 1 } }, "block.props.preferences"],
    [{ id: "1", type: "sop", title: "x", props: { tool_sops: {} } }, "block.props.tool_sops"],
    [{ id: "1", type: "sop", title: "x", props: { tool_sops: [{}] } }, "block.props.tool_sops[0].tool_name"],
  ]) {
    await assert.rejects(skills.addBlock(block), { code: "invalid-input", field });
  }
  assert.throws(() => acontextSkills(memory, { folder: "" }), { field: "folder" });
  await assert.rejects(skills.exportTo(zipFolder(), { only: ["none"] }), {
    code: "not-found",
    field: "only",
  });
  assert.deepEqual(await memory.procedural.list(), []);
  assert.deepEqual(await memory.files.list(), []);
  // One that is bad keeps none of the others out.
  const root = await folderOf(t);
  await mkdir(join(root, "bad"));
  await mkdir(join(root, "good"));
  await writeFile(join(root, "bad/skill.md"), "no");
  await writeFile(join(root, "good/SKILL.md"), good[0].bytes);
  const { skills: taken, problems } = await skills.importFrom(nodeFolder(root));
  assert.deepEqual(
    taken.map(({ id }) => id),
    ["good"],
  );
  assert.deepEqual(
    problems.map(({ path, error }) => [path, error.field]),
    [["bad", "SKILL.md"]],
  );
  assert.equal(await readFile(join(root, "bad/skill.md"), "utf8"), "no");
  await memory.close();
  await assert.rejects(skills.list(), { code: "closed" });
  await assert.rejects(skills.add(good), { code: "closed" });
});

test("two instances keep skills at once, and none is lost", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const memories = await Promise.all([1, 2].map(() => openMemory({ user: "u-1", storage: jsonl(path) })));
  t.after(() => Promise.all(memories.map((memory) => memory.close())));
  await Promise.all(
    memories.flatMap((memory, which) =>
      Array.from({ length: 8 }, (_, n) =>
        acontextSkills(memory).add([
          ...skillOf(`skill-${which}-${n}`, "of use"),
          { path: "x.bin", bytes: BINARY },
        ]),
      ),
    ),
  );
  const skills = acontextSkills(memories[0]);
  assert.equal((await skills.list()).length, 16);
  for (const { name } of await skills.list()) assert.equal((await skills.get(name)).length, 2);
});
