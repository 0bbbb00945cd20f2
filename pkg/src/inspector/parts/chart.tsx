// Small charts, each with its figures as text for screen readers.

import type { VNode } from "preact";

interface ColumnsProps {
  label: string;
  /** In order; `failed` points have another colour. */
  points: readonly { value: number; name: string; failed?: boolean }[];
  format(value: number): string;
}

const HEIGHT = 64;
const WIDTH = 320;

/** One column per point, the oldest on the left. */
export function Columns({ label, points, format }: ColumnsProps): VNode {
  const most = Math.max(...points.map(({ value }) => value), 0);
  const step = WIDTH / Math.max(points.length, 12);
  const range = `${format(0)} – ${format(most)}`;
  return (
    <figure class="chart">
      <figcaption>
        {label} <span class="dim figure">{range}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${points.map(({ name, value }) => `${name} ${format(value)}`).join(", ")}`}
      >
        <line class="axis" x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {points.map(({ value, name, failed }, at) => {
          const height = most > 0 ? Math.max(1.5, (HEIGHT - 6) * (value / most)) : 1.5;
          return (
            <rect
              key={at}
              class={failed ? "bad" : "good"}
              x={at * step + step * 0.12}
              y={HEIGHT - height}
              width={step * 0.76}
              height={height}
            >
              <title>{`${name} ${format(value)}`}</title>
            </rect>
          );
        })}
      </svg>
    </figure>
  );
}

interface RowsProps {
  label: string;
  rows: readonly { name: string; value: number }[];
  format(value: number): string;
}

/** One bar per name, scaled to the largest value. */
export function Rows({ label, rows, format }: RowsProps): VNode {
  const most = Math.max(...rows.map(({ value }) => value), 0) || 1;
  return (
    <figure class="chart">
      <figcaption>{label}</figcaption>
      <dl class="rows">
        {rows.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="track" aria-hidden="true">
                <span class="tone-0" style={{ width: `${(100 * value) / most}%` }} />
              </span>
              <span class="figure">{format(value)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}
