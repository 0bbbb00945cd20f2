// What every part of the inspector can ask for: the memory, the language, and a way to somewhere else.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Memory } from "../memory/memory.js";
import type { Metadata } from "../wire/types.js";
import type { Target } from "./targets.js";
import type { Language } from "./text/language.js";
import type { InspectorOpen } from "./types.js";

/** A memory of any app's. */
export type AnyMemory = Memory<Metadata, string>;

/** What is around a part. */
export interface Inside extends Language {
  memory: AnyMemory;
  /** The session that the app is at. */
  session: string | undefined;
  /** What the next prompt answers. */
  query: string | undefined;
  /** What was last pointed at. */
  target: Target | undefined;
  /** Goes to where it lives. */
  open(target: Target): void;
  /** Tells the app that somebody wants to see it. */
  outside(what: InspectorOpen): void;
  /** Says it to those who do not see the page. */
  announce(text: string): void;
}

export const InsideContext = createContext<Inside | undefined>(undefined);

export function useInside(): Inside {
  const inside = useContext(InsideContext);
  if (!inside) throw new Error("a part of the inspector was drawn outside of it");
  return inside;
}
