// The component in wasmtime with a real Redis behind it, for tests and benchmarks.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { tokenOf } from "../../js/support/edge.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The host, and the program of its store. */
export const WASMTIME = process.env.KEEPSAKE_WASMTIME ?? join(root, "target/debug/keepsake-wasmtime");
export const REDIS_SERVER = process.env.REDIS_SERVER ?? "redis-server";

/** Both versions of `wasi:keyvalue`. */
export const DRAFTS = ["draft", "draft2"];

const running = new Set();
process.once("exit", () => {
  for (const end of running) end();
});

/** A Redis on a free port, which keeps everything in memory and nothing on the disk. */
export async function redis() {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-redis-"));
  const port = await freePort();
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn(REDIS_SERVER, [...options, "--dir", folder], { stdio: ["ignore", "pipe", "inherit"] });
  const end = ended(child, () => rmSync(folder, { recursive: true, force: true }));
  await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${REDIS_SERVER} ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (/ready to accept connections/i.test(line)) resolve();
    });
  });
  return { port, end, command: (...words) => command(port, words) };
}

/** Each start but the first finds the component compiled. */
const QUICKLY = ["--compile", "quickly", "--cache", join(root, "target/compiled")];

/** A server of the component for one version of `wasi:keyvalue`, before a Redis. */
export async function wasmtimeServer(draft, { port }, options = QUICKLY) {
  const component = join(root, `target/component/keepsake-service-${draft}.wasm`);
  const args = [component, "--listen", "127.0.0.1:0", "--redis", `redis://127.0.0.1:${port}`, ...options];
  const child = spawn(WASMTIME, args, { stdio: ["ignore", "pipe", "pipe"] });
  const end = ended(child);
  let complaints = "";
  child.stderr.on("data", (data) => {
    complaints = (complaints + data).slice(-20_000);
  });
  const url = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`keepsake-wasmtime ended with ${code}:\n${complaints}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, address] = /listening on (http:\S+)/.exec(line) ?? [];
      if (address) resolve(address);
    });
  });
  return { url, end, complaints: () => complaints };
}

/** Gives each of these users a token, and the service its settings. */
export async function admit(store, users, config = { origins: "*" }) {
  await store.command("SET", "keepsake.config", JSON.stringify(config));
  for (const user of users) {
    const hash = createHash("sha256").update(tokenOf(user)).digest("hex");
    await store.command("SET", `keepsake.token.${hash}`, user);
  }
}

function ended(child, after = () => {}) {
  const end = async () => {
    running.delete(kill);
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }
    after();
  };
  const kill = () => child.kill("SIGKILL");
  running.add(kill);
  return end;
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** One command in the protocol of Redis, and the bytes that it was answered with. */
export async function command(port, words) {
  const socket = connect(port, "127.0.0.1");
  const pieces = words.map((word) => Buffer.from(word));
  socket.write(`*${pieces.length}\r\n`);
  for (const piece of pieces)
    socket.write(Buffer.concat([Buffer.from(`$${piece.length}\r\n`), piece, Buffer.from("\r\n")]));
  const [answer] = await once(socket, "data");
  socket.destroy();
  const text = answer.toString();
  if (text.startsWith("-")) throw new Error(text);
  return text;
}
