// Rendered on the server, where a memory is opened as well as in the browser.

import { openMemory } from "keepsake";
import { Remembered } from "./remembered.jsx";

// Not once when it is built, but where the app runs.
export const dynamic = "force-dynamic";

export default async function Page() {
  const memory = await openMemory({ user: "u-42" });
  await memory.add("The server knows this for one request");
  const [hit] = await memory.search("what does the server know?");
  await memory.close();
  return (
    <main>
      <p id="server">
        {hit.summary} {String(memory.persistent)}
      </p>
      <Remembered />
    </main>
  );
}
