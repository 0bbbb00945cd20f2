// A dialog: the browser's own, which traps and restores the focus.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useTexts } from "./context.js";
import { Icon } from "./icons.js";

interface DialogProps {
  title: string;
  /** Slides in from the side. Default: centred. */
  side?: boolean;
  /** Whether it cannot be closed: something is under way. */
  locked?: boolean;
  onClose(): void;
  children: ComponentChildren;
}

/** A modal dialog that is open while it is mounted. */
export function Dialog({ title, side = false, locked = false, onClose, children }: DialogProps) {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (!element?.open) element?.showModal();
    return () => {
      element?.close();
      // The browser restores the focus, unless the focused element was inside another dialog that is gone.
      const lost = document.activeElement === document.body;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape, which the browser itself hears.
    <dialog
      ref={dialog}
      class={side ? "dialog side" : "dialog"}
      aria-labelledby={heading}
      // By Escape, or any other way in which the browser closes dialogs. Unmounting fires it too, after the callback.
      onClose={() => dialog.current && onClose()}
      onCancel={(event) => locked && event.preventDefault()}
      onClick={(event) => {
        // A click on the backdrop, which belongs to the dialog element.
        if (event.target === dialog.current && !locked) onClose();
      }}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={heading}>{title}</h2>
          {!locked && (
            <button type="button" class="icon-button" aria-label={texts.app.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
