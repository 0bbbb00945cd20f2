"use client";

// Rendered on the server first; its memory is opened only in the browser.

import { openMemory } from "keepsake";
import { useEffect, useState } from "react";

export function Remembered() {
  const [found, setFound] = useState("not yet");
  useEffect(() => {
    const visit = async () => {
      const memory = await openMemory({ name: "next", user: "u-42" });
      const [hit] = await memory.search("when do deploy keys change?");
      if (!hit) await memory.add("Deploy keys rotate on Mondays", { namespace: "long-term" });
      await memory.close();
      setFound(hit?.summary ?? "nothing");
      console.log(hit?.summary ?? "nothing", memory.persistent);
    };
    visit();
  }, []);
  return <p id="browser">{found}</p>;
}
