// Calls a model over HTTP, and reads its answer as server-sent events.

import { createParser } from "eventsource-parser";
import { AgentFailure } from "./agent.js";

/** The endpoint of a model, and the key. */
export interface Remote {
  url: string;
  model: string;
  key: string;
}

/** The URL of `path` below the base that the user typed. */
export function addressOf({ url, model }: Remote, path: string): string {
  let base: URL;
  try {
    base = new URL(url);
  } catch {
    throw new AgentFailure("bad-address", url);
  }
  const local = base.hostname === "localhost" || base.hostname === "127.0.0.1";
  // Anything else is refused by the content security policy, with an error that users do not understand.
  if (base.protocol !== "https:" && !(base.protocol === "http:" && local)) {
    throw new AgentFailure("bad-address", url);
  }
  if (model.trim() === "") throw new AgentFailure("no-model");
  return `${base.href.replace(/\/+$/, "")}/${path}`;
}

/** Posts JSON and yields the data of each event. Ends with the stream; the caller checks whether it was complete. */
export async function* post(
  address: string,
  headers: Record<string, string>,
  body: object,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  let response: Response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal,
      // No redirects: the key goes only to the URL that the user typed. No cookies either.
      redirect: "error",
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new AgentFailure("unreachable");
  }
  if (!response.ok || !response.body) throw await refusal(response);
  yield* events(response.body, signal);
}

async function* events(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const arrived: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => arrived.push(data) });
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        if (signal.aborted) throw error;
        throw new AgentFailure("cut");
      });
      // Some servers omit the empty line after the last event.
      parser.feed(decoder.decode(value, { stream: !done }) + (done ? "\n" : ""));
      for (const data of arrived.splice(0)) yield data === "[DONE]" ? data : parsed(data);
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AgentFailure("not-understood");
  }
}

/** The failure for an HTTP status, with the message of the server. */
async function refusal(response: Response): Promise<AgentFailure> {
  const detail = wordsOf(await response.text().catch(() => ""));
  const { status } = response;
  if (status === 401 || status === 403) return new AgentFailure("refused-key", detail);
  if (status === 404) return new AgentFailure("not-found", detail);
  if (status === 413) return new AgentFailure("too-long", detail);
  if (status === 429) return new AgentFailure("too-many", detail);
  return new AgentFailure("server", detail || `HTTP ${status}`);
}

/** Both kinds of endpoints return `{ error: { message } }`. */
function wordsOf(body: string): string {
  try {
    const message = at(JSON.parse(body), "error", "message");
    return typeof message === "string" ? message : "";
  } catch {
    return "";
  }
}

/** The value at a path in untrusted JSON. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}
