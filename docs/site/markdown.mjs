// Markdown as HTML: headings with anchors, code with highlighting, tables that scroll, and the sections for the search.

import hljs from "highlight.js/lib/common";
import { Marked } from "marked";

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Names of code blocks that highlight.js does not know. */
const LANGUAGES = {
  jsonc: "json",
  tsx: "typescript",
  jsx: "javascript",
  toml: "ini",
  mjs: "javascript",
  svg: "xml",
};

export function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]);
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** A block of code in a language, or as plain text if the language is unknown. */
export function highlighted(code, language) {
  const name = LANGUAGES[language] ?? language;
  const html = hljs.getLanguage(name) ? hljs.highlight(code, { language: name }).value : escaped(code);
  return `<pre><code>${html}</code></pre>\n`;
}

/** The words of a token, without markup. */
function plain(token) {
  if (token.type === "html") return "";
  if (token.type === "table") {
    const rows = [token.header, ...token.rows];
    return rows.map((row) => row.map((cell) => inline(cell.tokens)).join(" · ")).join("\n");
  }
  if (token.type === "list") return token.items.map((item) => inline(item.tokens)).join("\n");
  if (token.type === "br") return "\n";
  if (token.tokens) return inline(token.tokens);
  return unescaped(token.text ?? "");
}

const inline = (tokens) => tokens.map(plain).join("");

function unescaped(text) {
  return text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] ?? "'",
  );
}

/** The headings of a page, each with an anchor that no other one has. */
function headingsOf(tokens) {
  const headings = new Map();
  const taken = new Map();
  for (const token of tokens) {
    if (token.type !== "heading") continue;
    const text = inline(token.tokens);
    const base = anchorOf(text);
    const before = taken.get(base) ?? 0;
    taken.set(base, before + 1);
    headings.set(token, { depth: token.depth, text, anchor: before === 0 ? base : `${base}-${before}` });
  }
  return headings;
}

/** An example without what every example has. */
function words(code) {
  return code
    .replace(/^import .*$/gm, "")
    .replace(/^export (default )?/gm, "")
    .trim();
}

/** The text between headings: what the search finds. A page's first heading is the page itself, which has no anchor. */
function sectionsOf(tokens, headings) {
  const sections = [];
  for (const token of tokens) {
    const heading = headings.get(token);
    const parts = {
      anchor: heading?.depth === 1 ? "" : heading?.anchor,
      heading: heading?.text,
      text: [],
      code: [],
    };
    if (heading) sections.push(parts);
    else if (token.type === "code") sections.at(-1)?.code.push(words(token.text));
    else sections.at(-1)?.text.push(plain(token).trim());
  }
  const joined = (parts) => parts.filter(Boolean).join("\n");
  return sections.map(({ text, code, ...about }) => ({ ...about, text: joined(text), code: joined(code) }));
}

function cell(token, html, isHeader) {
  // A header cell without a text would be announced as a header of nothing.
  const name = isHeader && html !== "" ? 'th scope="col"' : "td";
  const side = token.align ? ` class="${token.align}"` : "";
  return `<${name}${side}>${html}</${name.slice(0, 2)}>`;
}

function row(cells) {
  return `<tr>${cells.join("")}</tr>\n`;
}

/** Renders a page. `link` and `image` say what stands for an address of the source. */
export function rendered(text, { link, image }) {
  let headings;
  const marked = new Marked({
    renderer: {
      heading(token) {
        const html = this.parser.parseInline(token.tokens);
        const heading = headings.get(token);
        if (!heading || token.depth === 1) return `<h${token.depth}>${html}</h${token.depth}>\n`;
        if (html.includes("<a "))
          throw new Error(`a heading is a link to itself, and has another in it: ${token.raw}`);
        const { depth, anchor } = heading;
        return `<h${depth} id="${anchor}"><a href="#${anchor}">${html}</a></h${depth}>\n`;
      },
      code: ({ text, lang }) => highlighted(text, (lang ?? "").split(/[\s,]/)[0].toLowerCase()),
      link({ href, title, tokens }) {
        const hint = title ? ` title="${escaped(title)}"` : "";
        return `<a href="${escaped(link(href))}"${hint}>${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href, text }) => {
        const { address, width, height } = image(href);
        return `<img src="${escaped(address)}" alt="${escaped(text)}" width="${width}" height="${height}" loading="lazy">`;
      },
      table(token) {
        const head = token.header.map((at) => cell(at, this.parser.parseInline(at.tokens), true));
        const body = token.rows.map((cells) =>
          row(cells.map((at) => cell(at, this.parser.parseInline(at.tokens), false))),
        );
        const isEmpty = token.header.every(({ text }) => text === "");
        const header = isEmpty ? "" : `<thead>\n${row(head)}</thead>\n`;
        return `<div class="scroll"><table>\n${header}<tbody>\n${body.join("")}</tbody>\n</table></div>\n`;
      },
      html({ text }) {
        const addressed = text
          .replace(/<!--.*?-->/gs, "")
          .replace(
            /\b(href|src|srcset)="([^"]*)"/g,
            (_, name, value) => `${name}="${escaped(name === "href" ? link(value) : image(value).address)}"`,
          );
        return addressed;
      },
    },
  });
  const tokens = marked.lexer(text);
  headings = headingsOf(tokens);
  const first = tokens.find((token) => token.type === "paragraph");
  return {
    html: marked.parser(tokens),
    headings: [...headings.values()],
    sections: sectionsOf(tokens, headings),
    description: first ? plain(first).replace(/\s+/g, " ").trim() : "",
  };
}
