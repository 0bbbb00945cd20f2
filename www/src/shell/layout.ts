// The layout that fits the screen, out of three.

import { useEffect, useState } from "preact/hooks";

/** A layout. */
export type Layout = "phone" | "tablet" | "desktop";

const PHONE = "(max-width: 699px)";
const DESKTOP = "(min-width: 1100px)";

/** The layout that fits now. */
export function layoutNow(): Layout {
  if (matchMedia(PHONE).matches) return "phone";
  return matchMedia(DESKTOP).matches ? "desktop" : "tablet";
}

/** The layout, updated with the size of the window. */
export function useLayout(): Layout {
  const [layout, show] = useState(layoutNow);
  useEffect(() => {
    const queries = [matchMedia(PHONE), matchMedia(DESKTOP)];
    const update = () => show(layoutNow());
    for (const query of queries) query.addEventListener("change", update);
    return () => {
      for (const query of queries) query.removeEventListener("change", update);
    };
  }, []);
  return layout;
}
