// Background work that continues after a call has returned: one task at a time per lane, and a way to wait for a lane.

/** The background work of one memory. */
export class Background {
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  /** Callbacks that end a pause early. */
  readonly #resting = new Set<() => void>();
  #waiting = 0;

  /** Aborted when the memory is closed: callbacks of the app are no longer awaited. */
  get stopped(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Runs `task` after all earlier tasks of its lane have settled. */
  run<T>(lane: string, task: () => Promise<T>): Promise<T> {
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    const running = before.then(task);
    const settled = () => {
      if (this.#lanes.get(lane) === done) this.#lanes.delete(lane);
    };
    const done: Promise<void> = running.then(settled, settled);
    this.#lanes.set(lane, done);
    return running;
  }

  /** Resolves after `millis`, or as soon as `idle` is awaited. */
  async rest(millis: number): Promise<void> {
    if (this.#waiting > 0 || this.stopped.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => goOn(), millis);
      const goOn = () => {
        clearTimeout(timer);
        this.#resting.delete(goOn);
        resolve();
      };
      this.#resting.add(goOn);
    });
  }

  /** Ends all pauses. */
  hurry(): void {
    for (const goOn of this.#resting) goOn();
  }

  /** Resolves when these lanes have no more work. */
  async idle(...lanes: string[]): Promise<void> {
    this.#waiting += 1;
    this.hurry();
    try {
      for (;;) {
        const busy = lanes.flatMap((lane) => this.#lanes.get(lane) ?? []);
        if (busy.length === 0) return;
        await Promise.all(busy);
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Stops the background work because the memory is closing. */
  stop(): void {
    this.#stopping.abort();
    this.hurry();
  }
}
