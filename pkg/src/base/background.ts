// Work that goes on after a call was answered: one task at a time on each lane, and a way to wait for a lane.

/** The work of one memory that nobody waits for. */
export class Background {
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  /** Goes on with what rests. */
  readonly #resting = new Set<() => void>();
  #waiting = 0;

  /** Aborted when the memory is closed: functions of the app are not waited for any longer. */
  get stopped(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Does `task` when everything before it on its lane is done, well or not. */
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

  /** Resolves after so many milliseconds, or as soon as somebody waits for the work. */
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

  /** Nothing rests any longer. */
  hurry(): void {
    for (const goOn of this.#resting) goOn();
  }

  /** Resolves when there is nothing more to do on these lanes. */
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

  /** The memory is being closed. */
  stop(): void {
    this.#stopping.abort();
    this.hurry();
  }
}
