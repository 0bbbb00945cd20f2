// Confirmation of a destructive action: a description, and a word to type.

import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { useInside } from "../inside.js";

interface ConfirmProps {
  /** The label of the button. */
  name: string;
  /** The word to type. Default: none, the button is enough. */
  word?: string;
  disabled?: boolean;
  children: ComponentChildren;
  onConfirm(): void;
  onBack(): void;
}

export function Confirm({ name, word, disabled, children, onConfirm, onBack }: ConfirmProps): VNode {
  const { say } = useInside();
  const [typed, setTyped] = useState("");
  const isSure = word === undefined || typed === word;
  return (
    <form
      class="confirm"
      onSubmit={(event) => {
        event.preventDefault();
        if (isSure && !disabled) onConfirm();
      }}
    >
      {children}
      {word !== undefined && (
        <label>
          {say("typeToConfirm", { word })}
          <input
            value={typed}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="actions">
        <button type="submit" class="danger" disabled={!isSure || disabled}>
          {name}
        </button>
        <button type="button" onClick={onBack}>
          {say("back")}
        </button>
      </div>
    </form>
  );
}
