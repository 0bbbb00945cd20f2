// An adapter from Node's `http` server to `Request` and `Response`.

import { failure, unfit } from "./failures.js";
import { partsOf, RESTS } from "./incoming.js";

/** The used part of Node's `IncomingMessage`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** The method, such as `GET`. No default: Node sets it for requests of clients. */
  method?: string | undefined;
  /** The path, as sent by the client. No default: Node sets it for requests of clients. */
  url?: string | undefined;
  /** The headers by name. */
  headers: { [name: string]: string | string[] | undefined };
}

/** The used part of Node's `ServerResponse`. */
export interface NodeResponse {
  /** Whether the client has disconnected. */
  readonly destroyed: boolean;
  /** Sends the status and the headers. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Sends a part of the body. */
  write(body: Uint8Array): unknown;
  /** Ends the response. */
  end(): unknown;
}

/** The used part of a socket. */
export interface NodeSocket {
  /** Whether the socket can still be written to. */
  readonly writable: boolean;
  /** Sends `text` and ends the connection. */
  end(text: string): unknown;
}

/**
 * Creates a listener for the server of `node:http`.
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
    // On a kept-alive connection, the unread rest of the body would be parsed as the next request.
    const unread = answer.status === 413 ? { Connection: "close" } : {};
    response.writeHead(answer.status, { ...headers, ...unread, "Content-Length": String(body.length) });
    response.write(body);
    await rest();
    response.end();
  };
}

function requestOf(incoming: NodeRequest): Request {
  const { method = "GET", url = "/" } = incoming;
  // `Request` does not support this method.
  if (method === "TRACE") throw unfit("method", "is not known here");
  // The raw URL is checked, because `Request` would resolve `..` segments.
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

/** The body as a stream, read only on demand. */
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

/** A handler for the `clientError` event of Node's server: answers malformed HTTP with an error of the same form. */
export function refuseMalformed(_error: unknown, socket: NodeSocket): void {
  if (!socket.writable) return;
  const body = JSON.stringify({ error: { code: "invalid-input", message: "the request is malformed" } });
  const head =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n";
  socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
}
