// Sessions for OpenAI's Agents SDK, with the SDK's own types.

import { Agent, type AgentInputItem, run, type Session } from "@openai/agents-core";
import type { Memory } from "keepsake";
import { KeepsakeSession, type KeepsakeSessionOptions } from "keepsake/openai-agents";

export async function talk(memory: Memory): Promise<AgentInputItem[]> {
  const options: KeepsakeSessionOptions = {
    sessionId: "s-1",
    talk: true,
    agent: "helper",
    onError: console.warn,
  };
  const session = new KeepsakeSession(memory, options);
  const standard: Session = session;
  const agent = new Agent({ name: "Helper" });
  await run(agent, "Hello", { session });
  await run(agent, "Hello", { session: standard, stream: true });
  const last: AgentInputItem | undefined = await session.popItem();
  if (last) await session.addItems([last]);
  await memory.session(session.talkId).messages();
  // @ts-expect-error: ids are texts
  new KeepsakeSession(memory, { sessionId: 7 });
  // @ts-expect-error: a memory is needed
  new KeepsakeSession({ sessionId: "s-1" });
  // @ts-expect-error: items are objects
  await session.addItems(["Hello"]);
  return session.getItems(10);
}
