// A virtual list: only visible rows are in the DOM.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface VirtualListProps {
  label: string;
  count: number;
  /** The height of a row in pixels. */
  rowHeight: number;
  row(at: number): VNode;
  /** Called when rows up to this index become visible. */
  onNeed(to: number): void;
}

/** Extra rows beyond the edge, so that scrolling shows no gap. */
const BEYOND = 8;
/** The height before the first measurement. */
const HEIGHT = 480;

export function VirtualList({ label, count, rowHeight, row, onNeed }: VirtualListProps): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useRef<number>(undefined);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(HEIGHT);
  const from = Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - BEYOND);
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + BEYOND);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const observer = new ResizeObserver(() => setHeight(box.clientHeight || HEIGHT));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  useEffect(() => onNeed(to), [to]);
  const focus = () => {
    const button = scroller.current?.querySelector<HTMLElement>(`[data-at="${wanted.current}"] button`);
    if (!button) return;
    button.focus({ preventScroll: true });
    wanted.current = undefined;
  };
  useEffect(focus);
  const move = (event: KeyboardEvent) => {
    const at = (event.target as Element).closest<HTMLElement>("[data-at]")?.dataset["at"];
    if (at === undefined) return;
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const steps: { [key: string]: number } = {
      ArrowDown: Number(at) + 1,
      ArrowUp: Number(at) - 1,
      PageDown: Number(at) + page,
      PageUp: Number(at) - page,
      Home: 0,
      End: count - 1,
    };
    const step = steps[event.key];
    const box = scroller.current;
    if (step === undefined || !box) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(count - 1, step));
    wanted.current = next;
    const y = next * rowHeight;
    if (y < box.scrollTop) box.scrollTop = y;
    else if (y + rowHeight > box.scrollTop + height) box.scrollTop = y + rowHeight - height;
    focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows are buttons, and keys go from one to the next
    <div
      ref={scroller}
      class="scroll"
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={move}
    >
      <div role="list" aria-label={label} style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i).map((at) => (
          <div
            key={at}
            role="listitem"
            class="slot"
            data-at={at}
            aria-posinset={at + 1}
            aria-setsize={count}
            style={{ transform: `translateY(${at * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {row(at)}
          </div>
        ))}
      </div>
    </div>
  );
}
