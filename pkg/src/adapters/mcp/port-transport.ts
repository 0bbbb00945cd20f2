// The Model Context Protocol over a `MessagePort`: between a page and its workers, or within a page.

import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/**
 * A transport over one end of a `MessageChannel`. The other side uses the other end.
 *
 * @example
 * const { port1, port2 } = new MessageChannel();
 * await mcpServer(memory).connect(new PortTransport(port1));
 * await client.connect(new PortTransport(port2));
 */
export class PortTransport implements Transport {
  /** Called when the connection is closed. */
  onclose?: (() => void) | undefined;
  /** Called when a message cannot be read. */
  onerror?: ((error: Error) => void) | undefined;
  /** Called with each message. */
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly #port: MessagePort;
  #open = true;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** Starts listening. Called by clients and servers. */
  async start(): Promise<void> {
    this.#port.onmessage = ({ data }) => {
      // Sent by the other side when it closes: not every platform reports a closed port.
      if (data === null) this.#close();
      else this.onmessage?.(data as JSONRPCMessage);
    };
    this.#port.onmessageerror = () => this.onerror?.(new Error("a message could not be read"));
  }

  /** Sends a message. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#open) throw new Error("the port is closed");
    this.#port.postMessage(message);
  }

  /** Closes both ends. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#port.postMessage(null);
    this.#close();
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#port.close();
    this.onclose?.();
  }
}
