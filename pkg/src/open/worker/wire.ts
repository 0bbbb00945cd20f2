// Messages between a page and the worker that hosts its memory.

import { MemoryError, type MemoryErrorCode } from "../../base/errors.js";

declare global {
  // For apps of Node, whose types declare it only as a value. Merges with the type where one exists.
  interface MessagePort {}
}

/** The version of the messages. A shared worker can be older than the page that connects to it. */
export const WIRE = 1;

/** Anything that accepts messages: a `Worker`, a `ServiceWorker`, a `MessagePort`, the `Worker` of Node. */
export interface TakesMessages {
  /** Sends a message and transfers the ports. */
  postMessage(message: unknown, transfer: readonly object[]): void;
}

/** To the worker itself: serve a memory on this port. */
export interface OpenMessage extends Opening {
  keepsake: "open";
  wire: number;
  /** The id by which the page asks whether the link is still served. */
  link: string;
  port: MessagePort;
  /** The number of the call. */
  call: number;
}

/** The memory to open. */
export interface Opening {
  /** The JSON that an instance opens with. */
  open: string;
  name: string;
  user: string;
  storage: "indexeddb" | "memory" | undefined;
  /** Whether the memory needs the full module from its first call on. */
  full?: boolean | undefined;
}

/** To the worker itself: is this link still served? The answer is a boolean on this port. */
export interface ThereMessage {
  keepsake: "there";
  link: string;
  port: MessagePort;
}

/** On the port of one memory, to the worker. The verb `close` ends the link. */
export type Request =
  | { call: number; verb: string; args: string }
  | { ping: true }
  /** The page is being left. */
  | { bye: true };

/** On the port of one memory, to the page. */
export type Reply = { call: number; value: unknown } | { call: number; error: SentError } | { pong: true };

/** The answer to the request to open. */
export interface Opened {
  persistent: boolean;
  problem: string | undefined;
  /** The origin whose tabs share the storage; `undefined` if no other tab can. */
  origin: string | undefined;
}

/** An error as plain data, because messages do not keep classes. */
export interface SentError {
  code: MemoryErrorCode;
  message: string;
  field: string | undefined;
  cause: string | undefined;
}

/** Receives messages of a link until its other end closes. Browsers do not report a closed port; Node does. */
export function take<T>(port: MessagePort, message: (data: T) => void, gone: () => void): void {
  port.onmessage = ({ data }: MessageEvent<T>) => message(data);
  port.addEventListener("close", gone);
  // In Node an idle link does not keep the process alive; a pending call does.
  (port as { unref?: () => void }).unref?.();
}

/** An error as plain data. One that is not a `MemoryError` is a bug of the host. */
export function sent(error: unknown): SentError {
  if (!(error instanceof MemoryError)) {
    return { code: "crashed", message: "the worker failed", field: undefined, cause: String(error) };
  }
  const { code, message, field, cause } = error;
  return { code, message, field, cause: cause === undefined ? undefined : String(cause) };
}

/** The `MemoryError` of a received error. */
export function received({ code, message, field, cause }: SentError): MemoryError {
  return new MemoryError(code, message, cause === undefined ? { field } : { field, cause });
}
