// Request metrics in the Prometheus text format.

/** Counts requests by route and status, and sums their durations. */
export class Counts {
  readonly #requests = new Map<string, number>();
  readonly #times = new Map<string, { count: number; millis: number }>();

  /** Adds a request. Routes come from a fixed set, so a client cannot create labels. */
  add(route: string, status: number, millis: number): void {
    const labels = `route="${route}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    const time = this.#times.get(route) ?? { count: 0, millis: 0 };
    this.#times.set(route, { count: time.count + 1, millis: time.millis + millis });
  }

  /** All metrics as text. */
  text(): string {
    const lines = ["# TYPE keepsake_requests_total counter"];
    for (const [labels, count] of this.#requests) lines.push(`keepsake_requests_total{${labels}} ${count}`);
    lines.push("# TYPE keepsake_request_seconds summary");
    for (const [route, { count, millis }] of this.#times) {
      lines.push(`keepsake_request_seconds_sum{route="${route}"} ${millis / 1000}`);
      lines.push(`keepsake_request_seconds_count{route="${route}"} ${count}`);
    }
    return `${lines.join("\n")}\n`;
  }
}
