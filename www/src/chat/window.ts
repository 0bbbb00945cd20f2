// A virtual list: renders the visible rows, and a few around them.

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** The estimated height of a row before it is measured. */
const GUESS = 96;

/** How far beyond the edge rows are rendered, and the minimum. */
const BEYOND = 600;
const NEEDED = 300;

/** The distance to the end within which the list follows new rows. */
const NEAR_END = 48;

interface Range {
  first: number;
  end: number;
}

/** Everything that a list needs to render a part of itself. */
export interface Window extends Range {
  scroller: { current: HTMLDivElement | null };
  /** The height of the rows before and after. */
  before: number;
  after: number;
  /** Whether the newest row is visible, and the list follows. */
  atEnd: boolean;
  /** Scrolls to the newest row, and follows again. */
  toEnd(): void;
}

/**
 * A window on rows of unknown heights, by their ids. Rows have `data-row`. The visible position stays when rows are inserted
 * above; at the end, the list follows.
 */
export function useWindow(ids: readonly string[], onTop: () => void): Window {
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<string, number>());
  const stuck = useRef(true);
  const lastTop = useRef(0);
  const anchor = useRef<{ row: Element; top: number } | undefined>(undefined);
  const [range, show] = useState<Range>({ first: Math.max(0, ids.length - 20), end: ids.length });
  const [atEnd, tell] = useState(true);
  const [, redraw] = useState(0);
  const height = (id: string) => heights.current.get(id) ?? GUESS;

  /** The rows between two offsets of the whole list. */
  const between = (from: number, to: number): Range => {
    let [top, first] = [0, 0];
    while (first < ids.length && top + height(ids[first] ?? "") < from) top += height(ids[first++] ?? "");
    let end = first;
    while (end < ids.length && top < to) top += height(ids[end++] ?? "");
    return { first, end };
  };

  /** Stores the height of a row. Returns whether it changed. */
  const measure = (row: Element): boolean => {
    const id = row.getAttribute("data-row") ?? "";
    const { height } = row.getBoundingClientRect();
    const isNews = heights.current.get(id) !== height;
    heights.current.set(id, height);
    return isNews;
  };

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop, clientHeight, scrollHeight } = element;
    // Only scrolling up leaves the end. When rows grow or the list shrinks, the end moves away by itself, and a scroll event
    // can arrive before the list is updated.
    const isNearEnd = scrollHeight - scrollTop - clientHeight <= NEAR_END;
    stuck.current = isNearEnd || (stuck.current && scrollTop >= lastTop.current);
    lastTop.current = scrollTop;
    tell(stuck.current);
    const around = (beyond: number) => between(scrollTop - beyond, scrollTop + clientHeight + beyond);
    // The rendered rows stay while they are enough: rendering others moves the visible position slightly, which must not
    // request the first ones again in an endless loop.
    show((was) =>
      isWithin(around(NEEDED), was) && isWithin(was, around(2 * BEYOND)) ? was : around(BEYOND),
    );
    anchor.current = anchorOf(element);
    if (scrollTop < BEYOND) onTop();
  }, [ids, onTop]);

  // After each render, before paint: the visible position stays, or the end does.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    for (const row of element.querySelectorAll("[data-row]")) measure(row);
    if (stuck.current) element.scrollTop = element.scrollHeight;
    else if (anchor.current?.row.isConnected) {
      element.scrollTop += topOf(element, anchor.current.row) - anchor.current.top;
    }
    look();
  });

  // Rows report their height, also when they grow.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver((changes) => {
      let changed = false;
      for (const { target } of changes) {
        if (!target.hasAttribute("data-row") || (target.isConnected && measure(target))) changed = true;
      }
      if (changed) redraw((count) => count + 1);
    });
    observer.observe(element);
    for (const row of element.querySelectorAll("[data-row]")) observer.observe(row);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [look, range]);

  const sum = (some: readonly string[]) => some.reduce((total, id) => total + height(id), 0);
  const toEnd = () => {
    stuck.current = true;
    redraw((count) => count + 1);
  };
  const end = stuck.current ? ids.length : Math.min(range.end, ids.length);
  const first = Math.min(range.first, Math.max(0, end - 1));
  const [before, after] = [sum(ids.slice(0, first)), sum(ids.slice(end))];
  return { scroller, first, end, before, after, atEnd, toEnd };
}

function isWithin(inner: Range, outer: Range): boolean {
  return outer.first <= inner.first && inner.end <= outer.end;
}

function topOf(element: HTMLElement, row: Element): number {
  return row.getBoundingClientRect().top - element.getBoundingClientRect().top;
}

/** The first visible row, and its position. */
function anchorOf(element: HTMLElement): { row: Element; top: number } | undefined {
  for (const row of element.querySelectorAll("[data-row]")) {
    const top = topOf(element, row);
    if (top + row.getBoundingClientRect().height > 0) return { row, top };
  }
  return undefined;
}
