// A chat's memory on Cloudflare: one Durable Object a user, the whole API of docs/openapi.json, and one route of our own.

import { MemoryObject, memoryGateway, memoryOf, type ObjectNamespaceLike } from "keepsake/cloudflare";

// Cloudflare makes the objects of this class, one for each user.
export { MemoryObject };

interface Env {
  /** The binding of wrangler.jsonc. */
  MEMORY: ObjectNamespaceLike;
  /** A secret: `{"<SHA-256 of a token in hex>": "<user>"}`. Until it is set, no token is known. */
  TOKENS?: string;
}

/** Whose token it is. Only its hash is known here, so that nothing is to be had by comparing, or by reading the secret. */
async function userOf(token: string, env: Env): Promise<string | undefined> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return new Map(Object.entries<string>(JSON.parse(env.TOKENS ?? "{}"))).get(hash);
}

/** Stores what the user says, and answers the messages for a model: what it should know, and what was said. */
async function turn(request: Request, user: string, env: Env): Promise<Response> {
  const said: unknown = await request.json().catch(() => undefined);
  const { session, text } = (said ?? {}) as { session?: unknown; text?: unknown };
  if (typeof session !== "string" || typeof text !== "string" || text === "") {
    const error = { code: "invalid-input", message: "`session` and `text` must be texts", field: "body" };
    return Response.json({ error }, { status: 400 });
  }
  const talk = memoryOf(env.MEMORY, user).session(session);
  await talk.append({ role: "user", content: text });
  const { messages } = await talk.context({ budget: 4000, format: "openai" });
  return Response.json({ messages });
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const authorize = (token: string) => userOf(token, env);
    if (request.method === "POST" && new URL(request.url).pathname === "/turn") {
      const user = await authorize(request.headers.get("Authorization")?.replace(/^Bearer /, "") ?? "");
      const error = { code: "unauthorized", message: "a known bearer token is needed" };
      return user ? turn(request, user, env) : Response.json({ error }, { status: 401 });
    }
    return memoryGateway({ namespace: env.MEMORY, authorize, origins: "*" })(request);
  },
};
