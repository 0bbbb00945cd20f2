// The context of every part of the inspector: the memory, the language, and navigation.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Memory } from "../memory/memory.js";
import type { Metadata } from "../wire/types.js";
import type { Target } from "./targets.js";
import type { Language } from "./text/language.js";
import type { InspectorOpen } from "./types.js";

/** A memory of any app. */
export type AnyMemory = Memory<Metadata, string>;

/** The context of a part. */
export interface Inside extends Language {
  memory: AnyMemory;
  /** The current session of the app. */
  session: string | undefined;
  /** The query of the next prompt. */
  query: string | undefined;
  /** Whether to show what only developers need. */
  hints: boolean;
  /** The last selected target. */
  target: Target | undefined;
  /** Navigates to a target. */
  open(target: Target): void;
  /** Asks the app to show something. */
  outside(what: InspectorOpen): void;
  /** Announces a text to screen readers. */
  announce(text: string): void;
}

export const InsideContext = createContext<Inside | undefined>(undefined);

export function useInside(): Inside {
  const inside = useContext(InsideContext);
  if (!inside) throw new Error("a part of the inspector was drawn outside of it");
  return inside;
}
