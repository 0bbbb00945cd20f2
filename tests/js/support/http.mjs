// The two servers that the tests of the API run against: Node's own, and the example on Cloudflare's runtime.

import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { MemoryStorage, openMemory } from "keepsake";
import { memoryApi, nodeListener, refuseMalformed } from "keepsake/http";
import { edge, tokenOf, tokensOf } from "./edge.mjs";

export const USERS = ["ann", "bob", "cyd", "dan", "eve", "fay"];

/** A server of Node's, with a memory for each user. */
export async function nodeServer(options = {}) {
  const storage = new MemoryStorage();
  const memories = new Map();
  const users = new Map(USERS.map((user) => [tokenOf(user), user]));
  const api = memoryApi({
    authorize: (token) => users.get(token),
    memory: (user) => {
      if (!memories.has(user)) memories.set(user, openMemory({ user, storage: storage.connect() }));
      return memories.get(user);
    },
    origins: "*",
    ...options,
  });
  const server = createServer(nodeListener(api)).on("clientError", refuseMalformed).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    memories,
    close: async () => {
      server.closeAllConnections();
      server.close();
      for (const memory of memories.values()) await (await memory).close();
    },
  };
}

/** The example on the real runtime. */
export async function workerdServer() {
  const runtime = await edge({ texts: { TOKENS: tokensOf(USERS) } });
  return { url: runtime.url, runtime, close: async () => runtime.remove() };
}

/** A request of `user` in JSON; the status and what was answered. */
export async function ask(url, user, method, path, body, headers = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(user && { Authorization: `Bearer ${tokenOf(user)}` }), ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, json, text, headers: response.headers };
}

/** Sends bytes as they are, and answers what came back until the other end closed or the answer was whole. */
export async function raw(url, head, { body = "", repeat = 1, last = "" } = {}) {
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  let text = "";
  socket.on("data", (data) => {
    text += data.toString("latin1");
    if (whole(text)) socket.destroy();
  });
  // Who refuses a body may hang up in the middle of it.
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  socket.write(head, "latin1");
  for (let at = 0; at < repeat && !socket.destroyed; at++) {
    if (!socket.write(body))
      await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
  }
  if (!socket.destroyed) socket.write(last);
  await closed;
  const [start = "", said = ""] = text.split("\r\n\r\n");
  return { status: Number(start.split(" ")[1]), head: start, body: said };
}

function whole(text) {
  const [head, body] = text.split("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  if (body !== undefined && length !== undefined) return body.length >= Number(length);
  return (
    body !== undefined &&
    /chunked/i.test(head) &&
    body.endsWith("0\r\n\r\n".slice(0, 1)) &&
    text.endsWith("0\r\n\r\n")
  );
}
