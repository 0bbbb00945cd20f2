// The frame of a page: header, menu, contents, and the way to the pages before and after it.

import { escaped } from "./markdown.mjs";

/** Scripts and styles come from the site alone; the search compiles WebAssembly. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

function icon(path) {
  return `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`;
}

const ICONS = {
  menu: icon("M4 7h16M4 12h16M4 17h16"),
  search: icon("M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15.5 15.5L20 20"),
  theme: icon("M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16"),
};

/** The relative way from one page to an address of the site. */
export function wayTo(from, to) {
  const up = "../".repeat(from.split("/").length - 1);
  // The folder itself, because a host may redirect from its index.html.
  return to === "index.html" ? up || "./" : up + to;
}

function menuItem(page, item) {
  const current = item.address === page.address ? ' aria-current="page"' : "";
  return `<li><a href="${wayTo(page.address, item.address)}"${current}>${escaped(item.label)}</a></li>`;
}

function menu(page, sections) {
  return sections
    .map(({ title, pages }) => {
      const isOpen = pages.some(({ address }) => address === page.address) ? " open" : "";
      const items = pages.map((item) => menuItem(page, item)).join("\n");
      return `<details${isOpen}><summary>${title}</summary><ul>\n${items}\n</ul></details>`;
    })
    .join("\n");
}

function contents(headings) {
  const listed = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (listed.length < 2) return "";
  const items = listed.map(
    ({ depth, anchor, text }) => `<li class="depth-${depth}"><a href="#${anchor}">${escaped(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><details><summary>On this page</summary><ul>
${items.join("\n")}
</ul></details></nav>`;
}

function neighbours(page, sections) {
  const all = sections.flatMap(({ pages }) => pages.filter(({ isRendered }) => isRendered));
  const at = all.findIndex(({ address }) => address === page.address);
  if (at === -1) return "";
  const to = (item, rel, word) =>
    item
      ? `<a rel="${rel}" href="${wayTo(page.address, item.address)}"><span class="aside">${word}</span> ${escaped(item.label)}</a>`
      : "";
  const links = to(all[at - 1], "prev", "Previous") + to(all[at + 1], "next", "Next");
  return `<nav class="neighbours" aria-label="Previous and next page">${links}</nav>`;
}

/** A whole page. `assets` are the built scripts and styles, and the search's sections, by name. */
export function document(page, sections, assets) {
  const way = (to) => wayTo(page.address, to);
  const title = page.address === "index.html" ? page.title : `${page.title} · Keepsake`;
  const described = page.description
    ? `<meta name="description" content="${escaped(page.description)}">\n`
    : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#fffefb" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#1d2221" media="(prefers-color-scheme: dark)">
${described}<link rel="icon" href="${way("icon.svg")}" type="image/svg+xml">
<script src="${way(assets.theme)}"></script>
<link rel="stylesheet" href="${way(assets.style)}">
<script type="module" src="${way(assets.site)}"></script>
</head>
<body data-site="${way("index.html")}" data-sections="${way(assets.sections)}">
<a class="skip" href="#site-content">Skip to the content</a>
<header class="top">
<button type="button" class="icon-button menu-button" popovertarget="site-menu" aria-label="Menu">${ICONS.menu}</button>
<a class="home" href="${way("index.html")}"><img src="${way("icon.svg")}" alt="" width="26" height="26">Keepsake</a>
<div class="actions">
<button type="button" class="search-button" id="site-search" aria-keyshortcuts="/ Control+K" hidden>${ICONS.search}<span>Search</span><kbd>/</kbd></button>
<button type="button" class="icon-button" id="site-theme" aria-label="Switch between light and dark" hidden>${ICONS.theme}</button>
</div>
</header>
<div class="columns">
<nav class="menu" id="site-menu" aria-label="Pages" popover>
${menu(page, sections)}
</nav>
<main id="site-content" tabindex="-1">
${contents(page.headings)}
<article>
${page.html}</article>
${neighbours(page, sections)}
</main>
</div>
</body>
</html>
`;
}
