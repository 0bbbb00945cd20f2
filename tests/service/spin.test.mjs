// The component under Spin, with the store that Spin keeps beside an application: where there is a `spin` in PATH.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { tokenOf } from "../js/support/edge.mjs";
import { ask } from "../js/support/http.mjs";
import { notesOf, writeFrom } from "./support/load.mjs";
import { freePort } from "./support/server.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { SPIN = "spin" } = process.env;
const component = join(root, "target/component/keepsake-service-draft2.wasm");
const skip = reasonToSkip();

function reasonToSkip() {
  if (spawnSync(SPIN, ["--version"]).status !== 0) return `there is no \`${SPIN}\` in PATH`;
  if (!existsSync(component)) return "the component is not built: cargo xtask build";
  return false;
}

const keyOf = (user) => `keepsake.token.${createHash("sha256").update(tokenOf(user)).digest("hex")}`;

/** The example of `examples/spin` in a folder of its own, which stays when the server ends. */
async function application() {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-spin-"));
  const manifest = await readFile(join(root, "examples/spin/spin.toml"), "utf8");
  const source = `source = ${JSON.stringify(component)}`;
  const file = join(folder, "spin.toml");
  await writeFile(file, manifest.replace(/^source = .*$/m, source));
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs it. `values` are set in its store before it serves. */
async function up({ file }, values) {
  const port = await freePort();
  const pairs = Object.entries(values).flatMap(([key, value]) => ["--key-value", `${key}=${value}`]);
  const args = ["up", "--from", file, "--listen", `127.0.0.1:${port}`, ...pairs];
  const child = spawn(SPIN, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      said = (said + data).slice(-20_000);
    });
  }
  const gone = once(child, "exit");
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGINT");
    await gone;
  };
  process.once("exit", () => child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`spin ended with ${child.exitCode}:\n${said}`);
    const healthy = await fetch(`${url}/v1/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (healthy) return { url, end };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("spin: the first writes of new tenants meet, and none is lost", { skip }, async () => {
  const app = await application();
  const users = Array.from({ length: 10 }, (_, at) => `new-${at}`);
  const server = await up(app, Object.fromEntries(users.map((user) => [keyOf(user), user])));
  try {
    for (const user of users) {
      const clients = ["one", "two"].map((name) => writeFrom(server.url, user, name, 6));
      const told = await Promise.all(clients);
      assert.deepEqual(await notesOf(server.url, user), told.flat().sort());
    }
  } finally {
    await server.end();
    await app.remove();
  }
});

test("spin: what was written is there after a restart, and a revoked token is refused", {
  skip,
}, async () => {
  const app = await application();
  let server = await up(app, { [keyOf("ann")]: "ann" });
  try {
    assert.equal((await ask(server.url, "ann", "POST", "/v1/entries", { content: "Kept" })).status, 201);
    await server.end();
    server = await up(app, {});
    assert.deepEqual(await notesOf(server.url, "ann"), ["Kept"]);
    await server.end();
    server = await up(app, { [keyOf("ann")]: "" });
    assert.equal((await ask(server.url, "ann", "GET", "/v1/stats")).status, 401);
    assert.equal((await ask(server.url, undefined, "HEAD", "/v1/health")).status, 200);
  } finally {
    await server.end();
    await app.remove();
  }
});

test("spin: the head and the body of a small answer arrive together", { skip }, async () => {
  const app = await application();
  const server = await up(app, { [keyOf("ann")]: "ann" });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    // The first packet of each answer on a connection that is kept: it ends with the body.
    for (let n = 0; n < 5; n++)
      assert.match(await firstPacket(`${server.url}/v1/health`, agent), /\{"status":"ok"\}$/);
  } finally {
    agent.destroy();
    await server.end();
    await app.remove();
  }
});

async function firstPacket(url, agent) {
  const asked = request(url, { agent });
  const [socket] = await Promise.all([once(asked, "socket").then(([socket]) => socket), asked.end()]);
  const packet = once(socket, "data").then(([data]) => data.toString());
  const [response] = await once(asked, "response");
  response.resume();
  await once(response, "end");
  return packet;
}
