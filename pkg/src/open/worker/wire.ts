// What a page and the worker that hosts its memory say to each other.

import { MemoryError, type MemoryErrorCode } from "../../base/errors.js";

declare global {
  // For apps of Node, whose types know it only as a value. Where there is a type, this adds nothing to it.
  interface MessagePort {}
}

/** The form of these messages. A shared worker can be older than the page that finds it. */
export const WIRE = 1;

/** Whatever takes messages: a `Worker`, a `ServiceWorker`, a `MessagePort`, the `Worker` of Node. */
export interface TakesMessages {
  /** Sends a message, and hands over the ports in it. */
  postMessage(message: unknown, transfer: readonly object[]): void;
}

/** To the worker itself: a memory is to be served on this port. */
export interface OpenMessage extends Opening {
  keepsake: "open";
  wire: number;
  /** By which the page asks whether it is still served. */
  link: string;
  port: MessagePort;
  /** The number of this call. */
  call: number;
}

/** What the page knows of the memory to be opened. */
export interface Opening {
  /** The JSON that an instance opens with. */
  open: string;
  name: string;
  user: string;
  storage: "indexeddb" | "memory" | undefined;
  /** Whether the memory needs the full module from its first call on. */
  full?: boolean | undefined;
}

/** To the worker itself: whether a link is still served, to be answered with a boolean on this port. */
export interface ThereMessage {
  keepsake: "there";
  link: string;
  port: MessagePort;
}

/** On the port of one memory, to the worker. The verb `close` ends the link. */
export type Request =
  | { call: number; verb: string; args: string }
  | { ping: true }
  /** The page goes. */
  | { bye: true };

/** On the port of one memory, to the page. */
export type Reply = { call: number; value: unknown } | { call: number; error: SentError } | { pong: true };

/** The answer to an opening. */
export interface Opened {
  persistent: boolean;
  problem: string | undefined;
  /** Whose tabs can write to the same storage; nobody's if it is the memory's own. */
  origin: string | undefined;
}

/** An error without its class, which messages do not keep. */
export interface SentError {
  code: MemoryErrorCode;
  message: string;
  field: string | undefined;
  cause: string | undefined;
}

/** Takes what comes on one end of a link, until the other end is gone, as far as anybody tells: browsers do not. */
export function take<T>(port: MessagePort, message: (data: T) => void, gone: () => void): void {
  port.onmessage = ({ data }: MessageEvent<T>) => message(data);
  port.addEventListener("close", gone);
  // In Node a link keeps no program from ending; a call under way does.
  (port as { unref?: () => void }).unref?.();
}

/** The error as it is sent. What is none of ours is a bug of the host. */
export function sent(error: unknown): SentError {
  if (!(error instanceof MemoryError)) {
    return { code: "crashed", message: "the worker failed", field: undefined, cause: String(error) };
  }
  const { code, message, field, cause } = error;
  return { code, message, field, cause: cause === undefined ? undefined : String(cause) };
}

/** The error as it was. */
export function received({ code, message, field, cause }: SentError): MemoryError {
  return new MemoryError(code, message, cause === undefined ? { field } : { field, cause });
}
