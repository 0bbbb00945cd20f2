// The divider between chat and inspector, on a desktop: dragged, or moved with the arrow keys.

import { useTexts } from "./context.js";
import { prefer, preferences, SPLIT, withinSplit } from "./preferences.js";
import { useStore } from "./store.js";

const KEYS: { readonly [key: string]: (split: number) => number } = {
  ArrowLeft: (split) => split + SPLIT.step,
  ArrowRight: (split) => split - SPLIT.step,
  Home: () => SPLIT.min,
  End: () => SPLIT.max,
};

/** The divider. */
export function Divider() {
  const texts = useTexts();
  const { split } = useStore(preferences);
  const drag = (event: PointerEvent) => {
    const columns = (event.currentTarget as HTMLElement).closest(".columns");
    if (!columns || event.buttons === 0) return;
    const { right, width } = columns.getBoundingClientRect();
    prefer({ split: withinSplit(((right - event.clientX) / width) * 100) });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a thematic break is no handle; this is the pattern for splitters.
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={texts.app.divider}
      aria-valuenow={split}
      aria-valuemin={SPLIT.min}
      aria-valuemax={SPLIT.max}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={(event) => {
        const move = KEYS[event.key];
        if (!move) return;
        event.preventDefault();
        prefer({ split: withinSplit(move(split)) });
      }}
    />
  );
}
