// A link to an item in the inspector, or to something that only the app can show.

import type { ComponentChildren, VNode } from "preact";
import { useInside } from "../inside.js";
import type { Target } from "../targets.js";
import type { InspectorOpen } from "../types.js";

export function Ref({ to, children }: { to: Target; children: ComponentChildren }): VNode {
  const { open } = useInside();
  return (
    <button type="button" class="ref" onClick={() => open(to)}>
      {children}
    </button>
  );
}

export function OutsideRef({ to, children }: { to: InspectorOpen; children: ComponentChildren }): VNode {
  const { outside } = useInside();
  return (
    <button type="button" class="ref out" onClick={() => outside(to)}>
      {children}
    </button>
  );
}
