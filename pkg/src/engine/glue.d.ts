// The generated glue: a factory of independent wasm instances.

/** Functions that an instance imports. None may throw unless it says so. */
export interface Host {
  /** Call `tick` in a microtask. */
  wake(): void;
  /** Settles a call with the JSON of its error (0), of its answer (1), or of the next items of a long array (2). */
  settle(call: number, how: number, json: string): void;
  /** The instance is about to trap, at this line of its source. */
  panicked(place: string): void;
  /** The string in Unicode NFKD. */
  decompose(text: string): string;
  /** Milliseconds since 1970. May throw. */
  now(): number;
  /** Settle this ticket, without a value, after this many milliseconds. */
  sleep(ticket: number, millis: number): void;
  /**
   * Carry out the request on the storage with this number (always 0), and settle the ticket. Read the request synchronously.
   */
  store(storage: number, ticket: number, request: Uint8Array): void;
  /** Random bytes. May throw. */
  random(length: number): Uint8Array;
  /** The number of tokens of a string, if the app counts them itself. May throw. */
  countTokens?: ((text: string) => number) | undefined;
}

/** A running instance. Any function may throw after a trap; then none may be called again. */
export interface Instance {
  start(host: Host): void;
  tick(): void;
  open(call: number, options: string): void;
  call(call: number, verb: string, args: string): void;
  /** The answer of the host to a ticket. */
  answer(ticket: number, answer: Uint8Array): void;
}

export function instantiate(module: object): Instance;
