// A pending answer with several readers: a late reader gets it from the beginning.

/** Reads a stream to its end, with or without readers. */
export class Answering<T> {
  /** Resolves when the stream is read and `finish` has settled. */
  readonly done: Promise<void>;
  readonly #parts: T[] = [];
  readonly #readers = new Set<ReadableStreamDefaultController<T>>();

  /** @param finish - Called with all parts before readers see the end. If it rejects, the stream fails for them. */
  constructor(stream: ReadableStream<T>, finish: (parts: readonly T[]) => Promise<void>) {
    this.done = this.#read(stream, finish).then(
      () => this.#end((reader) => reader.close()),
      (error: unknown) => this.#end((reader) => reader.error(error)),
    );
  }

  /** The whole answer from its beginning. Only while it is pending. */
  view(): ReadableStream<T> {
    let own: ReadableStreamDefaultController<T>;
    return new ReadableStream<T>({
      start: (controller) => {
        own = controller;
        for (const part of this.#parts) controller.enqueue(part);
        this.#readers.add(controller);
      },
      cancel: () => void this.#readers.delete(own),
    });
  }

  async #read(stream: ReadableStream<T>, finish: (parts: readonly T[]) => Promise<void>): Promise<void> {
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      this.#parts.push(value);
      for (const reader of this.#readers) reader.enqueue(value);
    }
    await finish(this.#parts);
  }

  #end(how: (reader: ReadableStreamDefaultController<T>) => void): void {
    for (const reader of this.#readers) how(reader);
    this.#readers.clear();
  }
}
