// Fits messages from elsewhere into a session: words are searchable, bytes of files are not.

import { type BlockInput, isBlock, type MessageInput } from "../../wire/messages.js";

/** The maximum number of characters of a message: below the limit of a session, whatever they are. */
const ROOM = 240_000;

/** The message with file contents replaced by a placeholder, truncated if it is too long. */
export function fitted(message: MessageInput): MessageInput {
  const left = { room: ROOM };
  const { content } = message;
  return { ...message, content: typeof content === "string" ? cut(content, left) : blocks(content, left) };
}

interface Left {
  room: number;
}

/** Truncates a string to the remaining length. */
function cut(text: string, left: Left): string {
  const kept = text.length > left.room ? text.slice(0, left.room).replace(/[\ud800-\udbff]$/, "") : text;
  left.room -= kept.length;
  return kept;
}

function blocks(content: readonly BlockInput[], left: Left): BlockInput[] {
  return content.flatMap((block) => (left.room > 0 ? fit(block, left) : []));
}

function fit(block: BlockInput, left: Left): BlockInput[] {
  if (isBlock(block, "text") || isBlock(block, "thought")) return [{ ...block, text: cut(block.text, left) }];
  if (isBlock(block, "tool_result")) {
    const { output } = block as { output: string | BlockInput[] };
    return [{ ...block, output: typeof output === "string" ? cut(output, left) : blocks(output, left) }];
  }
  const inline = isBlock(block, "file") && (block.data ?? (block.url?.startsWith("data:") && block.url));
  if (isBlock(block, "file") && inline) {
    const name = block.name ?? block.mediaType ?? "unknown";
    return [{ type: "text", text: cut(`[file: ${name}]`, left) }];
  }
  const size = JSON.stringify(block).length;
  if (size <= left.room) {
    left.room -= size;
    return [block];
  }
  // A call stays a call, so that its result can refer to it.
  return isBlock(block, "tool_use") ? [{ ...block, input: cut(JSON.stringify(block.input), left) }] : [];
}
