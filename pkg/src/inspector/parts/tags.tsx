// Tags, in the language of the page where they are the library's.

import type { VNode } from "preact";
import { useInside } from "../inside.js";

export function Tags({ of }: { of: readonly string[] }): VNode {
  const { label } = useInside();
  return (
    <>
      {of.map((tag) => (
        <span key={tag} class="tag">
          {label(tag)}
        </span>
      ))}
    </>
  );
}
