// A link to an item in the inspector, or to something that only the app can show.

import type { ComponentChildren, VNode } from "preact";
import { useInside } from "../inside.js";
import type { Target } from "../targets.js";
import type { InspectorOpen } from "../types.js";
import { useLive } from "./live.js";
import { inShort } from "./said.js";

export function Ref({ to, children }: { to: Target; children: ComponentChildren }): VNode {
  const { open } = useInside();
  return (
    <button type="button" class="ref" onClick={() => open(to)}>
      {children}
    </button>
  );
}

/** A link to a session, by its title. */
export function SessionRef({ id }: { id: string }): VNode {
  const { say } = useInside();
  const { value } = useLive(id, (memory) => memory.session(id).info());
  return <Ref to={{ kind: "session", id }}>{inShort(value?.title ?? say("otherSession"), 60)}</Ref>;
}

export function OutsideRef({ to, children }: { to: InspectorOpen; children: ComponentChildren }): VNode {
  const { outside } = useInside();
  return (
    <button type="button" class="ref out" onClick={() => outside(to)}>
      {children}
    </button>
  );
}
