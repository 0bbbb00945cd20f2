// A store in one file from Rust (`FileStore`) beside `jsonl` in Node, in turn on the same texts:
// `node benches/native.mjs [--entries 200000] [--single 500] [--users 64] [--rounds 3]`. Needs `cargo xtask build --web`.
// Times are medians of the rounds, except for filling, which happens once. Figures, no verdict.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { document, questions } from "./bench/corpus.mjs";
import { median } from "./bench/measure.mjs";
import { table } from "./table.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const number = (size) => ({ type: "string", default: String(size) });
const { values } = parseArgs({
  options: { entries: number(200_000), single: number(500), users: number(64), rounds: number(3) },
});
const [entries, single, users, rounds] = ["entries", "single", "users", "rounds"].map((name) =>
  Number(values[name]),
);

/** Builds the program in Rust, as fast as servers run it, and answers its path. */
function built() {
  const args = ["build", "--profile", "server", "--bench", "native", "--message-format", "json"];
  const lines = execFileSync("cargo", args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 28,
  });
  const artefacts = lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { executable } = artefacts.find(({ target, executable }) => executable && target.name === "native");
  return executable;
}

/** Starts a program, which says one line of JSON; with `kill`, it is killed as soon as it has. */
async function run([program, ...args], { kill = false } = {}) {
  const child = spawn(program, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let figures;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("{")) figures = JSON.parse(line);
    if (figures && kill) child.kill("SIGKILL");
  }
  const [code] = await ended;
  if (!figures || (!kill && code !== 0)) throw new Error(`${program} ${args.join(" ")} ended with ${code}`);
  return figures;
}

async function texts(folder) {
  const paths = { drafts: join(folder, "drafts.jsonl"), questions: join(folder, "questions.json") };
  const file = createWriteStream(paths.drafts);
  for (let at = 0; at < entries; at += 1) {
    if (!file.write(`${JSON.stringify({ id: String(at), content: document(at) })}\n`))
      await once(file, "drain");
  }
  file.end();
  await once(file, "close");
  await writeFile(paths.questions, JSON.stringify(questions));
  return paths;
}

const ms = (time) => `${time.toFixed(time < 10 ? 3 : 0)} ms`;

await mkdir(join(ROOT, "target"), { recursive: true });
const folder = await mkdtemp(join(ROOT, "target/native-"));
try {
  const programs = {
    node: [process.execPath, fileURLToPath(new URL("native/node.mjs", import.meta.url))],
    rust: [built()],
  };
  const { drafts, questions } = await texts(folder);
  const file = (who, name) => join(folder, `${who}-${name}`);
  const found = { node: {}, rust: {} };
  const keep = (who, figures) => {
    for (const [name, value] of Object.entries(figures)) {
      found[who][name] ??= [];
      found[who][name].push(value);
    }
  };
  const each = async (work) => {
    for (const who of Object.keys(programs)) keep(who, await work(who, programs[who]));
  };
  console.error(`filling with ${entries}`);
  await each((who, program) => run([...program, "fill", file(who, "large"), drafts]));
  await each(async (who) => ({ bytes: (await stat(file(who, "large"))).size }));
  for (let round = 0; round < rounds; round += 1) {
    console.error(`round ${round + 1} of ${rounds}`);
    await each((who, program) =>
      run([...program, "single", file(who, `single-${round}`), drafts, String(single)]),
    );
    await each((who, program) =>
      run([...program, "users", file(who, `users-${round}`), drafts, String(users)]),
    );
    await each((who, program) => run([...program, "open", file(who, "large"), questions]));
    // A copy would be in the cache of the file system as the original is; the file itself is, too.
    await each((who, program) => run([...program, "write", file(who, "large")], { kill: true }));
    await each(async (who, program) => {
      const { firstHit } = await run([...program, "open", file(who, "large"), questions]);
      return { afterKill: firstHit };
    });
  }
  const row = (heading, name, show = ms, nodeName = name) => {
    const [node, rust] = [median(found.node[nodeName]), median(found.rust[name])];
    return [heading, show(node), show(rust), `${(rust / node).toFixed(2)} ×`];
  };
  const plain = (value) => value.toFixed(1);
  console.log(
    table([
      [`${entries} entries`, "jsonl in Node", "FileStore in Rust", "Rust beside Node"],
      row("add many, each", "each"),
      row("add one, p50", "p50"),
      row("add one, p95", "p95"),
      row("add one and flush, p50", "p50", ms, "flushed"),
      row(`${users} users at once, each add`, "user"),
      row("open", "opened"),
      row("open to first hit", "firstHit"),
      row("the same after SIGKILL", "afterKill"),
      row("search p50", "search50"),
      row("search p95", "search95"),
      row("answers among 5 hits, %", "r5", plain),
      row("file, MB", "bytes", (bytes) => plain(bytes / 1e6)),
    ]),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
