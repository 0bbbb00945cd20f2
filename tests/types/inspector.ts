// The inspector, tried by the compiler: what is right compiles, and what is wrong does not. Nothing here runs.

import type { Memory } from "keepsake";
import {
  defineInspector,
  type InspectorOpen,
  type InspectorView,
  type KeepsakeInspector,
} from "keepsake/inspector";

/** Only `true` can be passed, and only when the two types are the same, down to `readonly` and `any`. */
declare function same<A, B>(
  verdict: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): void;

export function elements(memory: Memory, typed: Memory<{ page: number }, "notes">): void {
  const made = defineInspector();
  same<new () => KeepsakeInspector, typeof made>(true);
  defineInspector("my-inspector");
  const element = document.createElement("keepsake-inspector");
  same<KeepsakeInspector, typeof element>(true);
  same<InspectorView, typeof element.view>(true);
  element.memory = memory;
  element.memory = typed;
  element.memory = null;
  element.session = "chat-1";
  element.session = undefined;
  element.query = "when?";
  element.view = "storage";
  element.lang = "vi";
  document.body.append(element, new made());
  element.addEventListener("keepsake-open", (event) => {
    const { ref, kind, session } = (event as CustomEvent<InspectorOpen>).detail;
    same<string, typeof ref>(true);
    same<"session" | "message" | "source", typeof kind>(true);
    same<string | undefined, typeof session>(true);
  });

  // @ts-expect-error: no such view
  element.view = "nowhere";
  // @ts-expect-error: an open memory, not its name
  element.memory = "u-1";
  // @ts-expect-error: an id
  element.session = memory.session("chat-1");
  // @ts-expect-error: a name
  defineInspector(7);
}
