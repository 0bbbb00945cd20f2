// All files of the site but its scripts: pages, pictures, and the sections for the search.

import { readFileSync, statSync } from "node:fs";
import { dirname, extname, join, normalize } from "node:path";
import { httpReference } from "./http.mjs";
import { pictureSize } from "./images.mjs";
import { document, wayTo } from "./layout.mjs";
import { escaped, highlighted, rendered } from "./markdown.mjs";
import { addressOf, isRendered, ROOT, readNavigation } from "./pages.mjs";

const PICTURES = [".svg", ".webp", ".png"];

/** A file that a page leads to and that is no page of its own, as a page with its text. */
function sourcePage(file) {
  const code = readFileSync(join(ROOT, file), "utf8");
  const html = `<h1><code>${escaped(file)}</code></h1>\n${highlighted(code, extname(file).slice(1))}`;
  return { title: file, html, headings: [], sections: [], description: "" };
}

class Site {
  /** Contents by address; a picture is its path in the repository. */
  files = new Map();
  #pages = new Map();
  #waiting = [];

  /** The page of a file, which is rendered later if no page has led to it before. */
  #addressOf(file) {
    const isPage = file.endsWith(".md") || file === "docs/openapi.json";
    const address = isPage || !isRendered(file) ? addressOf(file) : `sources/${file}.html`;
    if (!this.#pages.has(address)) {
      this.#pages.set(address, undefined);
      if (isRendered(file)) this.#waiting.push({ file, address, isPage });
    }
    return address;
  }

  /** The file that an address on a page means. */
  #target(from, href) {
    const file = normalize(join(dirname(from), decodeURIComponent(href)));
    const isFile = statSync(join(ROOT, file), { throwIfNoEntry: false })?.isFile();
    if (!isFile) throw new Error(`${from} leads to ${href}, which is not a file`);
    return file;
  }

  #render({ file, address, isPage }) {
    if (!isPage) return sourcePage(file);
    const source = readFileSync(join(ROOT, file), "utf8");
    const text = file.endsWith(".json") ? httpReference(JSON.parse(source)) : source;
    const page = rendered(text, {
      link: (href) => {
        if (/^([a-z]+:|#)/.test(href)) return href;
        const [path, anchor] = href.split("#");
        const target = this.#target(file, path);
        const to = PICTURES.includes(extname(target)) ? this.#picture(target) : this.#addressOf(target);
        return wayTo(address, to) + (anchor ? `#${anchor}` : "");
      },
      image: (href) => {
        const target = this.#target(file, href);
        return { address: wayTo(address, this.#picture(target)), ...pictureSize(join(ROOT, target)) };
      },
    });
    const title = page.headings.find(({ depth }) => depth === 1)?.text;
    if (!title) throw new Error(`${file} has no title`);
    return { title, ...page };
  }

  #picture(file) {
    const address = file.replace(/^docs\//, "");
    this.files.set(address, { path: join(ROOT, file) });
    return address;
  }

  /** Renders the pages of the navigation, and all that they lead to. Returns the sections for the search. */
  render(navigation, assetsOf) {
    const sections = navigation.map(({ title, pages }) => ({
      title,
      pages: pages.map((item) => ({
        ...item,
        address: this.#addressOf(item.file),
        isRendered: isRendered(item.file),
      })),
    }));
    const found = [];
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.#pages.set(next.address, { address: next.address, ...this.#render(next) });
    }
    for (const item of sections.flatMap(({ pages }) => pages)) {
      const page = this.#pages.get(item.address);
      item.label ??= page.title;
      const { address, label, weight } = item;
      if (page) found.push({ address, title: label, weight, sections: page.sections });
    }
    const assets = assetsOf(JSON.stringify(found));
    for (const [address, page] of this.#pages) {
      if (page) this.files.set(address, document(page, sections, assets));
    }
  }
}

/**
 * The files of the site by address. `assetsOf` gets the sections for the search as JSON, and returns the addresses of the
 * scripts, the style and the sections.
 */
export function renderSite(assetsOf, navigation = readNavigation()) {
  const site = new Site();
  site.render(navigation, assetsOf);
  return site.files;
}
