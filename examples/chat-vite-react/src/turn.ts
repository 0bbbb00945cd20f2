// One turn: the question, the prompt with what the memory recalls, the reply, and what lasts of what the user said.

import type { Memory, Session } from "keepsake";
import { model } from "./model";

/** Answers the ids of the memories that the prompt had. */
export async function turn(memory: Memory, session: Session, content: string): Promise<string[]> {
  const question = await session.append({ role: "user", content });
  const { messages, used } = await session.context({ system: "Be kind.", budget: 4000, format: "openai" });
  await session.append({ role: "assistant", content: await model(messages) });
  // In the background: the next turn does not wait for it.
  memory.longTerm({ session: session.id }).afterReply([question]);
  return used.filter(({ kind }) => kind === "memory").map(({ ref }) => ref);
}
