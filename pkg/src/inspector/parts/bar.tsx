// A bar of parts with its legend: budgets, scores, shares.

import type { VNode } from "preact";
import { useInside } from "../inside.js";

/** The number of colours of parts. */
export const TONES = 9;

export interface Part {
  name: string;
  value: number;
  /** The index of a colour. */
  tone: number;
}

interface BarProps {
  parts: readonly Part[];
  /** The value of the whole bar. Default: the sum of its parts. */
  total?: number | undefined;
  /** The label for screen readers; the parts are appended. */
  label: string;
  format?: (value: number) => string;
}

export function Bar({ parts, total, label, format }: BarProps): VNode {
  const { number } = useInside();
  const write = format ?? ((value: number) => number(value, 3));
  const shown = parts.filter(({ value }) => value > 0);
  const sum = shown.reduce((all, { value }) => all + value, 0);
  const whole = Math.max(total ?? sum, sum) || 1;
  const said = shown.map(({ name, value }) => `${name} ${write(value)}`).join(", ");
  return (
    <div class="bar" role="img" aria-label={said ? `${label}: ${said}` : label}>
      {shown.map(({ name, value, tone }, at) => (
        <span
          key={`${name}/${at}`}
          class={`tone-${tone % TONES}`}
          title={`${name} ${write(value)}`}
          style={{ width: `${(100 * value) / whole}%` }}
        />
      ))}
    </div>
  );
}

interface LegendProps {
  parts: readonly Omit<Part, "value">[];
  children?: (at: number) => VNode | string;
}

export function Legend({ parts, children }: LegendProps): VNode {
  return (
    <ul class="legend">
      {parts.map(({ name, tone }, at) => (
        <li key={`${name}/${at}`}>
          <span class={`dot tone-${tone % TONES}`} aria-hidden="true" />
          {name}
          {children && <b class="figure">{children(at)}</b>}
        </li>
      ))}
    </ul>
  );
}

/** A fraction of one, as a bar and a number. */
export function Share({ value, label }: { value: number; label: string }): VNode {
  const { percent } = useInside();
  return (
    <span class="share">
      <Bar
        label={`${label} ${percent(value)}`}
        total={1}
        parts={[{ name: label, value, tone: 0 }]}
        format={percent}
      />
      <span class="figure" aria-hidden="true">
        {percent(value)}
      </span>
    </span>
  );
}
