// A dialog: the browser's own, which keeps the focus inside and gives it back.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useTexts } from "./context.js";
import { Icon } from "./icons.js";

interface DialogProps {
  title: string;
  /** Comes in from the side. Default: in the middle. */
  side?: boolean;
  onClose(): void;
  children: ComponentChildren;
}

/** A modal dialog that is open as long as it is drawn. */
export function Dialog({ title, side = false, onClose, children }: DialogProps) {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (!element?.open) element?.showModal();
    return () => {
      element?.close();
      // The browser gives the focus back, unless what had it was inside of another dialog that is gone by now.
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
      // By Escape, or whatever else the browser closes dialogs for. One that is gone is closed as well, and told already.
      onClose={() => dialog.current && onClose()}
      onClick={(event) => {
        // On the ground beside it, which belongs to the dialog itself.
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={heading}>{title}</h2>
          <button type="button" class="icon-button" aria-label={texts.app.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
