// Markdown as elements: headings, lists, quotes, code and bold. Everything else stays text, HTML and links too: what is
// stored is data, and may come from anyone.

import type { ComponentChildren, VNode } from "preact";

/** Code, bold, or a link, of which only the words are shown. */
const MARKS = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\[([^\]\n]+)\]\([^()\s]*\)/g;
const LINE = /^(?:(#{1,6})\s+|(>) ?|\s*(?:[-*+]|(\d+)[.)])\s+)(.*)$/;
const FENCE = /^\s*```/;

/** The same without its marks, for one line. */
export function unmarked(text: string): string {
  return text
    .replace(/(^|\s)(?:#{1,6}|>|[-*+])(?=\s)/g, "$1")
    .replace(MARKS, (_, code, bold, link) => code ?? bold ?? link);
}

/** Marks within a line. */
export function marked(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const { 0: all, 1: code, 2: bold, 3: link, index } of text.matchAll(MARKS)) {
    parts.push(text.slice(from, index), code ? <code>{code}</code> : bold ? <b>{bold}</b> : link);
    from = index + all.length;
  }
  return [...parts, text.slice(from)];
}

export function Markdown({ text }: { text: string }): VNode {
  const blocks: VNode[] = [];
  let plain: string[] = [];
  const flush = () => {
    // Empty lines between blocks are space, not text.
    const rest = plain.join("\n").replace(/^\n+|\s+$/g, "");
    if (rest) blocks.push(<div class="text">{marked(rest)}</div>);
    plain = [];
  };
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const end = FENCE.test(line) ? lines.findIndex((other, n) => n > at && FENCE.test(other)) : -1;
    const [, heading, quote, number, rest = ""] = LINE.exec(line) ?? [];
    if (end > 0) {
      flush();
      blocks.push(<pre class="data">{lines.slice(at + 1, end).join("\n")}</pre>);
      at = end;
    } else if (rest === "") {
      plain.push(line);
    } else {
      flush();
      const name = heading ? "heading" : quote ? "quoted" : "item";
      blocks.push(
        <div class={name}>
          {name === "item" && <span>{number ? `${number}. ` : "• "}</span>}
          <span>{marked(rest)}</span>
        </div>,
      );
    }
  }
  flush();
  return <div class="markdown">{blocks}</div>;
}
