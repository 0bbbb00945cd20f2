// Converts messages between LangChain and a session, lossless.

import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type MessageContent,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { refused } from "../../base/errors.js";
import {
  type Block,
  type BlockInput,
  isBlock,
  type Message,
  type MessageInput,
  type Role,
} from "../../wire/messages.js";
import type { Json, Metadata } from "../../wire/types.js";
import { type Fields, fromPart, shownPart, toPart } from "./parts.js";
import { packed, unpacked } from "./plain.js";

/** The field of metadata with everything that the blocks do not contain. */
const OWN = "langchain";

/** Everything about a message that its blocks do not contain. */
interface Rest {
  /** The name of its LangChain class. */
  type: string;
  /** Whether its content was a string, not an array. */
  text?: true;
  /** How many blocks at the end are not part of its content. */
  added?: number;
  /** All fields except the content. */
  fields: Fields;
}

const ROLES = new Map<string, Role>([
  ["human", "user"],
  ["user", "user"],
  ["ai", "assistant"],
  ["assistant", "assistant"],
  ["system", "system"],
  ["developer", "system"],
  ["tool", "tool"],
  ["function", "tool"],
]);

/** Metadata has at most 64 KB and 32 levels. Larger data goes into a block. */
const MOST_BYTES = 60_000;
const MOST_LEVELS = 28;

/** The message in the format of `append`. */
export function fromLangChain(message: BaseMessage, at: number): MessageInput {
  const field = `messages[${at}]`;
  const type = typeof message?.getType === "function" ? message.getType() : "";
  const { content, ...fields } = own(message, field);
  const { tool_calls, role: named, name = type === "generic" ? named : undefined } = fields;
  const role = ROLES.get(type) ?? (type === "generic" ? (ROLES.get(`${named}`) ?? "user") : undefined);
  if (!role) throw refused(field, "must be a chat message");
  if (typeof content !== "string" && !Array.isArray(content)) {
    throw refused(`${field}.content`, "must be a string or an array");
  }

  const said: BlockInput[] = typeof content === "string" ? text(content) : content.map(fromPart);
  const added = type === "ai" ? uncalled(tool_calls, said) : [];
  // A session accepts no message without a block.
  if (said.length + added.length === 0 && type !== "tool") added.push({ type: "text", text: "" });
  const rest: Rest = { type, fields };
  if (typeof content === "string") rest.text = true;
  if (added.length > 0) rest.added = added.length;
  const blocks = type === "tool" ? [result(fields, said)] : [...said, ...added];
  const metadata: Metadata = { [OWN]: rest as unknown as Json };
  const input: MessageInput = { role, content: blocks };
  if (typeof name === "string" && name !== "") input.name = name;
  if (fits(metadata)) return { ...input, metadata };
  return { ...input, content: [...blocks, { type: OWN, rest: rest as unknown as Json }] };
}

/** The fields of the LangChain message, as plain data. */
function own(message: BaseMessage, field: string): Fields {
  const entries = Object.entries(message ?? {}).filter(
    ([name]) => name !== "type" && !name.startsWith("lc_"),
  );
  return packed(Object.fromEntries(entries), field) as Fields;
}

const text = (content: string): BlockInput[] => (content === "" ? [] : [{ type: "text", text: content }]);

/** The tool calls that are not in the content: most providers have them outside of it. */
function uncalled(calls: Json | undefined, said: readonly BlockInput[]): BlockInput[] {
  const there = new Set(said.map((block) => (isBlock(block, "tool_use") ? block.id : undefined)));
  return (Array.isArray(calls) ? (calls as Fields[]) : []).flatMap(({ id, name, args }) =>
    typeof id === "string" && typeof name === "string" && !there.has(id)
      ? [{ type: "tool_use", id, name, input: args ?? {} }]
      : [],
  );
}

function result({ tool_call_id: id, status }: Fields, output: BlockInput[]): BlockInput {
  const block = { type: "tool_result" as const, toolUseId: `${id ?? ""}`, output };
  return status === "error" ? { ...block, isError: true } : block;
}

function fits(metadata: Metadata): boolean {
  return (
    new TextEncoder().encode(JSON.stringify(metadata)).length <= MOST_BYTES && levels(metadata) <= MOST_LEVELS
  );
}

function levels(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levels));
}

/** The message in LangChain's format; several, if it has more than one tool result. */
export function toLangChain(message: Message): BaseMessage[] {
  const { rest: kept, type } = (message.content.at(-1) ?? {}) as Partial<Fields>;
  const isKept = type === OWN && kept !== undefined;
  const rest = (message.metadata?.[OWN] ?? (isKept ? kept : undefined)) as Rest | undefined;
  if (!rest?.fields) return foreign(message);
  const blocks = isKept ? message.content.slice(0, -1) : message.content;
  const [first] = blocks;
  const said =
    first && rest.type === "tool" && isBlock(first, "tool_result")
      ? first.output
      : blocks.slice(0, blocks.length - (rest.added ?? 0));
  const content = rest.text ? plain(said) : said.map(toPart);
  const data = unpacked({ ...rest.fields, content: content as Json });
  return mapStoredMessagesToChatMessages([{ type: rest.type, data } as unknown as StoredMessage]);
}

function plain(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (isBlock(block, "text") ? block.text : [])).join("\n");
}

/** A message that was not appended by this adapter. */
function foreign({ role, name, content }: Message): BaseMessage[] {
  const named = name === undefined ? {} : { name };
  const results = content.flatMap((block) =>
    isBlock(block, "tool_result")
      ? new ToolMessage({
          tool_call_id: block.toolUseId,
          content: shown(block.output),
          status: block.isError ? "error" : "success",
        })
      : [],
  );
  const said = content.filter((block) => !isBlock(block, "tool_result") && !isBlock(block, "tool_use"));
  const tool_calls = content.flatMap((block) =>
    isBlock(block, "tool_use")
      ? [{ type: "tool_call" as const, id: block.id, name: block.name, args: block.input as Fields }]
      : [],
  );
  if (results.length > 0 && said.length + tool_calls.length === 0) return results;
  const fields = { ...named, content: shown(said) };
  if (role === "assistant") return [...results, new AIMessage({ ...fields, tool_calls })];
  return [...results, role === "system" ? new SystemMessage(fields) : new HumanMessage(fields)];
}

/** The content of blocks: a string if they are all text. */
function shown(blocks: readonly Block[]): string | Exclude<MessageContent, string> {
  if (blocks.every((block) => isBlock(block, "text"))) return plain(blocks);
  return blocks.map(shownPart) as Exclude<MessageContent, string>;
}
