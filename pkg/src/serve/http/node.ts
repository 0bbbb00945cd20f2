// Node's own server: its requests as `Request`s, and a `Response` as its answer.

import { failure, unfit } from "./failures.js";
import { partsOf, RESTS } from "./incoming.js";

/** The part of Node's `IncomingMessage` that is used. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** `GET` and so on. */
  method?: string | undefined;
  /** The path as it was sent. */
  url?: string | undefined;
  /** The headers by name. */
  headers: { [name: string]: string | string[] | undefined };
}

/** The part of Node's `ServerResponse` that is used. */
export interface NodeResponse {
  /** Whether nobody listens any more. */
  readonly destroyed: boolean;
  /** Sends the status and the headers. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Sends a part of the body. */
  write(body: Uint8Array): unknown;
  /** Ends the answer. */
  end(): unknown;
}

/** The part of a connection that is used. */
export interface NodeSocket {
  /** Whether something can still be said. */
  readonly writable: boolean;
  /** Says the last words. */
  end(text: string): unknown;
}

/**
 * A listener for the server of `node:http`.
 *
 * @example
 * createServer(nodeListener(memoryApi(options))).on("clientError", refuseMalformed).listen(8787);
 */
export function nodeListener(
  api: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (incoming, response) => {
    let rest = async () => {};
    const answered = async () => {
      const request = requestOf(incoming);
      rest = async () => RESTS.get(request);
      RESTS.set(request, undefined);
      return api(request);
    };
    const answer = await answered().catch(failure);
    const body = new Uint8Array(await answer.arrayBuffer());
    if (response.destroyed) return;
    const headers = Object.fromEntries(answer.headers);
    // What was not read of a body would be taken for the next request.
    const unread = answer.status === 413 ? { Connection: "close" } : {};
    response.writeHead(answer.status, { ...headers, ...unread, "Content-Length": String(body.length) });
    response.write(body);
    await rest();
    response.end();
  };
}

function requestOf(incoming: NodeRequest): Request {
  const { method = "GET", url = "/" } = incoming;
  // No `Request` can have this method.
  if (method === "TRACE") throw unfit("method", "is not known here");
  // As it was sent: a `Request` would have followed the steps up.
  const address = `http://localhost${url.startsWith("/") ? url : "/"}`;
  partsOf(address);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? ""].flat()) headers.append(name, one);
  }
  const hasBody = !/^(GET|HEAD|OPTIONS)$/.test(method);
  const body = hasBody ? { body: streamOf(incoming), duplex: "half" } : {};
  return new Request(address, { method, headers, ...body } as RequestInit);
}

/** The body, read only as fast as somebody reads the stream. */
function streamOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
  const reader = incoming[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
  });
}

/** For the event `clientError` of Node's server: what is not even HTTP gets an error of the same form. */
export function refuseMalformed(_error: unknown, socket: NodeSocket): void {
  if (!socket.writable) return;
  const body = JSON.stringify({ error: { code: "invalid-input", message: "the request is malformed" } });
  const head =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n";
  socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
}
