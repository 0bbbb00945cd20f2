// A small static server for the built demo: loopback only, and with the policy the page is meant to live under.

import { realpathSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { HEADER_POLICY } from "./policy.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));

const TYPES = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".mjs", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".json", "application/json"],
  [".map", "application/json"],
  [".webmanifest", "application/manifest+json"],
  [".wasm", "application/wasm"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".txt", "text/plain; charset=utf-8"],
]);

/** The file that an address stands for, or undefined if the folder has none. */
async function resolve(root, address) {
  try {
    const path = decodeURIComponent(new URL(address, "http://localhost").pathname);
    let file = await realpath(join(root, path));
    if ((await stat(file)).isDirectory()) file = await realpath(join(file, "index.html"));
    // Checked last, on the real path: neither dots nor a link may lead out of the folder.
    return file.startsWith(root.endsWith(sep) ? root : root + sep) ? file : undefined;
  } catch {
    return undefined;
  }
}

async function answer(root, headers, request, response) {
  const all = {
    "Content-Security-Policy": HEADER_POLICY,
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    ...headers,
  };
  const say = (status, text, more = {}) => {
    response.writeHead(status, { ...all, "Content-Type": "text/plain; charset=utf-8", ...more }).end(text);
  };
  if (request.method !== "GET" && request.method !== "HEAD") {
    return say(405, "Only GET and HEAD are answered.\n", { Allow: "GET, HEAD" });
  }
  const file = await resolve(root, request.url);
  const bytes = file === undefined ? undefined : await readFile(file).catch(() => undefined);
  if (bytes === undefined) return say(404, "There is no such file.\n");
  const type = TYPES.get(extname(file)) ?? "application/octet-stream";
  response.writeHead(200, { ...all, "Content-Type": type, "Content-Length": bytes.length });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

/** Serves a folder on 127.0.0.1; port 0 takes a free one. `headers` are added to the usual ones, or replace them. */
export async function serve({ folder = join(HERE, "dist"), port = 0, headers = {} } = {}) {
  const root = await realpath(folder).catch(() => {
    throw new Error(`there is no folder ${folder}; the demo's is made by: npm run build -w www`);
  });
  const server = createServer((request, response) => {
    answer(root, headers, request, response).catch((error) => response.destroy(error));
  });
  await new Promise((listening, failed) => {
    server.once("error", failed).listen(port, "127.0.0.1", listening);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const { values, positionals } = parseArgs({
      options: { port: { type: "string", default: "4173" } },
      allowPositionals: true,
    });
    if (positionals.length > 1 || !/^\d{1,5}$/.test(values.port)) {
      throw new Error("usage: node serve.mjs [folder] [--port N]");
    }
    const { url } = await serve({ folder: positionals[0], port: Number(values.port) });
    console.log(url);
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}
