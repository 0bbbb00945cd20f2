"use client";

// The hooks: what is written here is found by the search that is already on the page.

import { useMemory, useSearch } from "keepsake/react";
import { useEffect } from "react";

export default function Page() {
  const { memory } = useMemory({ name: "next-hooks", user: "u-42" });
  const { status, hits } = useSearch(memory, "when do deploy keys change?");
  useEffect(() => {
    if (status !== "ready") return;
    if (hits.length > 0) console.log(hits[0].summary);
    else memory.add("Deploy keys rotate on Mondays", { namespace: "long-term" });
  }, [memory, status, hits]);
  return <p id="hooks">{status}</p>;
}
