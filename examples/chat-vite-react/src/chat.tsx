// The page: a conversation, and beside it what the memory has kept of all conversations.

import { type MemoryEntry, textOf } from "keepsake";
import { useEntries, useMemory, useSession } from "keepsake/react";
import { type FormEvent, useState } from "react";
import { turn } from "./turn";

export function Chat() {
  // One `.wasm` file: a conversation needs the full core.
  const { memory, error } = useMemory({ name: "chat-vite-react", user: "me", core: "full" });
  const [id, setId] = useState(() => localStorage.getItem("conversation") ?? "first");
  const { session, messages } = useSession(memory, id);
  const { entries: remembered } = useEntries(memory, { namespace: "long-term" });
  const [recalled, setRecalled] = useState<string[]>([]);
  const [problem, setProblem] = useState<unknown>();

  async function say(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const content = new FormData(form).get("content")?.toString().trim();
    if (!memory || !session || !content) return;
    form.reset();
    setProblem(undefined);
    try {
      setRecalled(await turn(memory, session, content));
    } catch (error) {
      setProblem(error);
    }
  }

  function startAnother() {
    const next = crypto.randomUUID();
    localStorage.setItem("conversation", next);
    setId(next);
    setRecalled([]);
  }

  // Also what was said: `delete` alone would leave it in the conversations, where it is still recalled.
  async function forget({ summary }: MemoryEntry) {
    await memory?.forget({ query: summary, messages: true });
  }

  if (error) return <p role="alert">There is no memory: {String(error)}</p>;
  return (
    <>
      <main>
        <h1>A chat that remembers</h1>
        <div role="log" aria-label="Conversation">
          {messages.map((message) => (
            <p key={message.id} className={message.role}>
              {textOf(message)}
            </p>
          ))}
        </div>
        {problem !== undefined && <p role="alert">The model did not answer: {String(problem)}</p>}
        <form onSubmit={say}>
          <input
            name="content"
            aria-label="Message"
            placeholder="I'm allergic to peanuts."
            autoComplete="off"
          />
          <button type="submit" disabled={!session}>
            Send
          </button>
          <button type="button" onClick={startAnother}>
            New conversation
          </button>
        </form>
      </main>
      <aside>
        <h2>What I remember</h2>
        <ul aria-label="What I remember">
          {remembered.map((entry) => (
            <li key={entry.id} className={recalled.includes(entry.id) ? "recalled" : undefined}>
              {entry.summary}
              <button type="button" onClick={() => forget(entry)}>
                Forget
              </button>
            </li>
          ))}
        </ul>
        {memory?.persistent === false && (
          <p role="alert">This browser keeps nothing: {memory.storageProblem}</p>
        )}
      </aside>
    </>
  );
}
