// Asking a model over HTTP, and reading its answer as it comes: server-sent events.

import { createParser } from "eventsource-parser";
import { AgentFailure } from "./agent.js";

/** Where a model is, and who asks. */
export interface Remote {
  url: string;
  model: string;
  key: string;
}

/** The address of `path` behind the base that the user typed. */
export function addressOf({ url, model }: Remote, path: string): string {
  let base: URL;
  try {
    base = new URL(url);
  } catch {
    throw new AgentFailure("bad-address", url);
  }
  const local = base.hostname === "localhost" || base.hostname === "127.0.0.1";
  // Anything else is refused by the page's policy, in words that nobody understands.
  if (base.protocol !== "https:" && !(base.protocol === "http:" && local)) {
    throw new AgentFailure("bad-address", url);
  }
  if (model.trim() === "") throw new AgentFailure("no-model");
  return `${base.href.replace(/\/+$/, "")}/${path}`;
}

/** Posts JSON and answers the data of each event. Ends when the stream does; whether that was the end is the caller's. */
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
      // The key goes where the user said, and nowhere that place points to; no cookies go with it.
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
      // Some servers leave out the empty line behind the last event.
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

/** The failure that a status stands for, with what the other side said. */
async function refusal(response: Response): Promise<AgentFailure> {
  const detail = wordsOf(await response.text().catch(() => ""));
  const { status } = response;
  if (status === 401 || status === 403) return new AgentFailure("refused-key", detail);
  if (status === 404) return new AgentFailure("not-found", detail);
  if (status === 413) return new AgentFailure("too-long", detail);
  if (status === 429) return new AgentFailure("too-many", detail);
  return new AgentFailure("server", detail || `HTTP ${status}`);
}

/** Both kinds of endpoints say `{ error: { message } }`. */
function wordsOf(body: string): string {
  try {
    const message = at(JSON.parse(body), "error", "message");
    return typeof message === "string" ? message : "";
  } catch {
    return "";
  }
}

/** The value at the end of a path through what somebody else sent. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}
