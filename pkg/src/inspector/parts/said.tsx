// Content as text: all blocks of a message, JSON for anything else.

import type { VNode } from "preact";
import { type Block, isBlock, type Message } from "../../wire/messages.js";
import type { Json } from "../../wire/types.js";
import { useInside } from "../inside.js";
import { Markdown, unmarked } from "./markdown.js";

/** A block as text. */
function blockText(block: Block): string {
  if (isBlock(block, "text") || isBlock(block, "thought")) return block.text;
  if (isBlock(block, "tool_use")) return `${block.name}(${JSON.stringify(block.input)})`;
  if (isBlock(block, "tool_result")) return `→ ${block.output.map(blockText).join("\n")}`;
  if (isBlock(block, "file")) return `[${block.name ?? block.mediaType ?? "file"}]`;
  return JSON.stringify(block);
}

/** All blocks of a message as text. */
export function saidIn({ content }: Pick<Message, "content">): string {
  return content.map(blockText).join("\n");
}

/** A value as text: a string without quotes, anything else as indented JSON. */
export function written(value: Json | undefined, indent = 1): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, indent) ?? "");
}

/** The beginning of a text, on one line. */
export function inShort(text: string, length = 120): string {
  const line = unmarked(text).replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

interface SaidProps {
  message: Message;
  /** Only the part that a model sees. */
  plain?: boolean;
}

export function Said({ message, plain = false }: SaidProps): VNode {
  const { say, time, hints } = useInside();
  return (
    <article class="said">
      <header>
        <b>{message.name ?? say(message.role)}</b>
        {message.pinned && <span class="tag">{say("pinned")}</span>}
        <time class="dim" dateTime={message.at}>
          {time(message.at)}
        </time>
      </header>
      {message.content.every((block) => isBlock(block, "text")) ? (
        <Markdown text={saidIn(message)} />
      ) : (
        <div class="text">{saidIn(message)}</div>
      )}
      {!plain && hints && message.metadata && <pre class="data">{written(message.metadata, 0)}</pre>}
    </article>
  );
}
