// The tour: a small card that points at parts of the page. The page stays usable, and the tour can be left at any time.

import { useEffect, useId, useRef } from "preact/hooks";
import { useApp, useTexts } from "../shell/context.js";
import { Icon } from "../shell/icons.js";

/** The target of each step, by `data-tour`. */
const TARGETS = ["composer", "composer", "references", "sessions", "inspector", "settings", "settings"];

/** One step of the tour. */
export function Tour({ step }: { step: number }) {
  const app = useApp();
  const { tour } = useTexts();
  const card = useRef<HTMLElement>(null);
  const heading = useId();
  const text = tour.steps[step];
  const last = step === tour.steps.length - 1;
  const leave = () => {
    app.screen.set({ tour: undefined });
    document.getElementById("message")?.focus();
  };
  useEffect(() => {
    const target = TARGETS[step];
    app.screen.set(target === "inspector" ? { inspector: true, page: "inspector" } : { page: "chat" });
    // After the page with the target is rendered.
    let pointed: Element | undefined;
    const frame = requestAnimationFrame(() => {
      pointed = [...document.querySelectorAll(`[data-tour="${target}"]`)].at(-1);
      pointed?.classList.add("touring");
      pointed?.scrollIntoView({ block: "nearest" });
    });
    return () => {
      cancelAnimationFrame(frame);
      pointed?.classList.remove("touring");
    };
  }, [app, step]);
  useEffect(() => card.current?.focus(), []);
  if (!text) return null;
  return (
    <section
      class="tour"
      ref={card}
      tabIndex={-1}
      aria-labelledby={heading}
      onKeyDown={(event) => {
        if (event.key === "ArrowRight" && !last) app.screen.set({ tour: step + 1 });
        if (event.key === "ArrowLeft" && step > 0) app.screen.set({ tour: step - 1 });
      }}
    >
      <header>
        <p class="aside">
          {tour.title} · {tour.step(step + 1, tour.steps.length)}
        </p>
        <button type="button" class="icon-button small" aria-label={tour.leave} onClick={leave}>
          <Icon name="close" />
        </button>
      </header>
      <div aria-live="polite">
        <h2 id={heading}>{text.title}</h2>
        <p>{text.body}</p>
      </div>
      <div class="choices end">
        {step > 0 && (
          <button type="button" onClick={() => app.screen.set({ tour: step - 1 })}>
            {tour.back}
          </button>
        )}
        <button
          type="button"
          class="primary"
          onClick={() => (last ? leave() : app.screen.set({ tour: step + 1 }))}
        >
          {last ? tour.finish : tour.next}
        </button>
      </div>
    </section>
  );
}
