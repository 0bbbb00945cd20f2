// Node's own server: its requests as `Request`s, and a `Response` as its answer.

import { failure, Refusal } from "./failures.js";
import { ANSWERED_EARLY, partsOf } from "./incoming.js";

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
  return async (request, response) => {
    const incoming = new Incoming(request);
    const answer = await answered(api, request, incoming).catch(failure);
    const body = new Uint8Array(await answer.arrayBuffer());
    if (response.destroyed) return;
    const headers: Record<string, string> = {};
    answer.headers.forEach((value, name) => {
      headers[name] = value;
    });
    // What was not read of a body would be taken for the next request.
    const unread = answer.status === 413 ? { Connection: "close" } : {};
    response.writeHead(answer.status, { ...headers, ...unread, "Content-Length": String(body.length) });
    if (body.length > 0) response.write(body);
    // A connection that is closed while bytes come in takes the answer with it.
    if (answer.status === 413) await incoming.ended;
    response.end();
  };
}

/** Methods that a `Request` refuses to have. */
const UNSAYABLE: readonly string[] = ["CONNECT", "TRACE", "TRACK"];

async function answered(
  api: (request: Request) => Promise<Response>,
  request: NodeRequest,
  incoming: Incoming,
): Promise<Response> {
  const { method = "GET", url = "/" } = request;
  if (UNSAYABLE.includes(method.toUpperCase())) {
    throw new Refusal(405, "not-allowed", "not with this method", { field: "method" });
  }
  // As it was sent: a `Request` would have followed the steps up.
  const address = `http://localhost${url.startsWith("/") ? url : "/"}`;
  partsOf(address);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
  const body = hasBody ? { body: incoming.stream(), duplex: "half" } : {};
  const asked = new Request(address, { method, headers, ...body } as RequestInit);
  ANSWERED_EARLY.add(asked);
  return api(asked);
}

/** The body of a request. */
class Incoming {
  /** Settles when all of the body was read, or nobody wants the rest; at once if nobody has begun to read. */
  ended: Promise<void> = Promise.resolve();
  readonly #request: NodeRequest;

  constructor(request: NodeRequest) {
    this.#request = request;
  }

  /** The body, read only as fast as somebody reads the stream. */
  stream(): ReadableStream<Uint8Array> {
    const reader = this.#request[Symbol.asyncIterator]();
    let end = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.next();
          if (!done) return controller.enqueue(new Uint8Array(value));
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        end();
      },
      cancel: () => end(),
    });
  }
}

/** For the event `clientError` of Node's server: what is not even HTTP gets an error of the same form. */
export function refuseMalformed(_error: unknown, socket: NodeSocket): void {
  if (!socket.writable) return;
  const body = JSON.stringify({ error: { code: "invalid-input", message: "the request is malformed" } });
  const head =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n";
  socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
}
