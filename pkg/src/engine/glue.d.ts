// The generated glue: a factory of wasm instances that know nothing of each other.

/** What an instance asks of JavaScript. The instance calls these; none may throw unless it says so. */
export interface Host {
  /** Call `tick` in a microtask. */
  wake(): void;
  /** A call is answered, with the JSON of its error (0), of its answer (1), or of the next items of a long list (2). */
  settle(call: number, how: number, json: string): void;
  /** The instance is about to trap, at a line of its source. */
  panicked(place: string): void;
  /** The text in Unicode NFKD. */
  decompose(text: string): string;
  /** Milliseconds since 1970. May throw. */
  now(): number;
  /** Answer that ticket, with nothing, after so many milliseconds. */
  sleep(ticket: number, millis: number): void;
  /** Do what a request says in the storage of that number, which is 0, and answer the ticket. It must be read at once. */
  store(storage: number, ticket: number, request: Uint8Array): void;
  /** Random bytes. May throw. */
  random(length: number): Uint8Array;
  /** How many tokens a text has, if the app counts them itself. May throw. */
  countTokens?: ((text: string) => number) | undefined;
}

/** A running instance. Any function may throw once it has trapped; then it must not be called again. */
export interface Instance {
  start(host: Host): void;
  tick(): void;
  open(call: number, options: string): void;
  call(call: number, verb: string, args: string): void;
  /** What was owed for a ticket. */
  answer(ticket: number, answer: Uint8Array): void;
}

export function instantiate(module: object): Instance;
