// Workers on the real runtime, for tests and benchmarks: bundled as Cloudflare's tools do, with Durable Objects on the disk.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import workerd from "workerd";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The example, which is what the tests run. */
export const EXAMPLE = join(root, "examples/cloudflare-worker/src/worker.ts");

const running = new Set();
process.once("exit", () => {
  for (const edge of running) edge.remove();
});

export const tokenOf = (user) => `token-of-${user}`;

/** What the example takes as its secret: a token for each of these users. */
export function tokensOf(users) {
  const hash = (user) => createHash("sha256").update(tokenOf(user)).digest("hex");
  return JSON.stringify(Object.fromEntries(users.map((user) => [hash(user), user])));
}

/**
 * A runtime with the worker of `source`, a file or code. `classes` are its Durable Objects by their bindings, `texts` its
 * variables, `kv` its namespaces of KV by their bindings, each with the address of what keeps them. It can be killed and started again; what its objects have written stays.
 */
export async function edge({ source = EXAMPLE, classes = { MEMORY: "MemoryObject" }, texts = {}, kv = {} }) {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-edge-"));
  await mkdir(join(folder, "disk"));
  const wasm = await bundle(source, folder);
  await writeFile(join(folder, "config.capnp"), config({ classes, texts, kv, wasm }));
  const self = new Edge(folder);
  running.add(self);
  await self.start();
  return self;
}

class Edge {
  constructor(folder) {
    this.folder = folder;
    this.complaints = "";
  }

  /** Starts the runtime. It takes a free port the first time, and then the same one again. */
  async start() {
    const args = ["serve", "config.capnp", "--control-fd=3", "--experimental"];
    if (this.url) args.push(`--socket-addr=http=127.0.0.1:${new URL(this.url).port}`);
    const child = spawn(workerd.default, args, {
      cwd: this.folder,
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    });
    this.child = child;
    child.stderr.on("data", (data) => {
      this.complaints = (this.complaints + data).slice(-20_000);
    });
    this.url = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`workerd ended with ${code}:\n${this.complaints}`)));
      createInterface({ input: child.stdio[3] }).on("line", (line) => {
        const { event, port } = JSON.parse(line);
        if (event === "listen") resolve(`http://127.0.0.1:${port}`);
      });
    });
  }

  /** Ends it without a word of warning, in the middle of whatever it does. */
  async kill() {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  remove() {
    this.child?.kill("SIGKILL");
    running.delete(this);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function bundle(source, folder) {
  const wasm = new Map();
  const plugin = {
    name: "wasm-modules",
    setup: ({ onResolve }) =>
      onResolve({ filter: /\.wasm$/ }, async ({ path, resolveDir }) => {
        const from = join(resolveDir, path);
        const name = wasm.get(from) ?? `${wasm.size}-${basename(path)}`;
        if (!wasm.has(from)) await copyFile(from, join(folder, name));
        wasm.set(from, name);
        return { path: `./${name}`, external: true };
      }),
  };
  const code = source.includes("\n");
  await build({
    ...(code
      ? { stdin: { contents: source, resolveDir: join(root, "tests/js") } }
      : { entryPoints: [source] }),
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd"],
    external: ["cloudflare:*"],
    nodePaths: [join(root, "node_modules")],
    outfile: join(folder, "worker.js"),
    logLevel: "silent",
    plugins: [plugin],
  });
  return [...wasm.values()];
}

function config({ classes, texts, kv, wasm }) {
  const namespacesOfKv = Object.keys(kv).map((name) => `(name = "${name}", kvNamespace = "kv-${name}"),`);
  const keepers = Object.entries(kv).map(
    ([name, address]) => `(name = "kv-${name}", external = (address = "${address}", http = ())),`,
  );
  const modules = wasm.map((name) => `(name = "${name}", wasm = embed "${name}"),`).join("\n");
  const namespaces = Object.values(classes).map(
    (name) => `(className = "${name}", uniqueKey = "${name}", enableSql = true),`,
  );
  const bound = Object.entries(classes).map(
    ([name, type]) => `(name = "${name}", durableObjectNamespace = "${type}"),`,
  );
  const said = Object.entries(texts).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)}),`,
  );
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js"), ${modules}],
      compatibilityDate = "${workerd.compatibilityDate}",
      durableObjectNamespaces = [${namespaces.join("\n")}],
      durableObjectStorage = (localDisk = "disk"),
      bindings = [${bound.join("\n")} ${said.join("\n")} ${namespacesOfKv.join("\n")}],
    )),
    (name = "disk", disk = (path = "disk", writable = true)),
    ${keepers.join("\n")}
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
}
