// The search dialog: a field, and the sections that were found.

import { type Found, Sections } from "./sections.js";
import { marked, type Piece, snippet } from "./snippet.js";

/** The sections, loaded at the first search. A failure is forgotten, so that the next search tries again. */
let loading: Promise<Sections> | undefined;

function sections(): Promise<Sections> {
  const { site = "./", sections: address = "" } = document.body.dataset;
  loading ??= Sections.load(new URL(address, location.href), new URL(site, location.href)).catch(
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function nodes(pieces: readonly Piece[]): (Node | string)[] {
  return pieces.map(({ text, isMatch }) => (isMatch ? element("mark", {}, text) : text));
}

/** The dialog, which is made once per page. */
class Dialog {
  readonly #field = element("input", {
    type: "search",
    placeholder: "Search the documentation",
    ariaLabel: "Search the documentation",
    autocomplete: "off",
    spellcheck: false,
    enterKeyHint: "go",
  });
  readonly #status = element("p", { className: "aside", role: "status" });
  readonly #results = element("ol", { className: "results" });
  readonly #close = element("button", { type: "button", className: "quiet", textContent: "Close" });
  readonly #dialog = element(
    "dialog",
    { className: "search", ariaLabel: "Search" },
    element("div", { className: "search-field" }, this.#field, this.#close),
    this.#status,
    this.#results,
  );
  /** Counts searches: an answer that comes after a newer question is dropped. */
  #latest = 0;

  constructor() {
    document.body.append(this.#dialog);
    this.#field.addEventListener("input", () => void this.#search());
    this.#close.addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("keydown", (event) => this.#move(event));
    this.#dialog.addEventListener("click", (event) => {
      // The backdrop is the dialog itself. A link on this page leaves the dialog open otherwise.
      const { target } = event;
      if (target === this.#dialog || (target instanceof Element && target.closest("a"))) this.#dialog.close();
    });
  }

  open(): void {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#field.select();
    // Loads while the reader writes.
    void this.#search();
  }

  async #search(): Promise<void> {
    const query = this.#field.value.trim();
    this.#latest += 1;
    const own = this.#latest;
    try {
      if (loading === undefined) this.#status.textContent = "Loading the search…";
      const loaded = await sections();
      const asked = loaded.completed(query);
      const found = asked === "" ? [] : await loaded.search(asked);
      if (own !== this.#latest) return;
      this.#show(found, asked);
      this.#dialog.dataset.query = query;
    } catch {
      this.#status.textContent = "The search could not be loaded. Type again to retry.";
    }
  }

  #show(found: readonly Found[], query: string): void {
    const number = found.length === 1 ? "1 section" : `${found.length} sections`;
    const none =
      query === "" ? "Ask a question, or name a call, an option or an error." : "No section was found.";
    this.#status.textContent = found.length > 0 ? number : none;
    this.#results.replaceChildren(...found.map((section) => this.#result(section, query)));
    this.#results.scrollTop = 0;
  }

  #result({ href, page, heading, text, code }: Found, query: string): HTMLLIElement {
    const where = page === heading ? [] : [element("span", { className: "aside" }, page)];
    const title = element("span", { className: "title" }, ...nodes(marked(heading, query)));
    const link = element("a", { href }, ...where, title);
    const part = snippet([text, code], query);
    if (part.length > 0) link.append(element("span", { className: "snippet" }, ...nodes(part)));
    return element("li", {}, link);
  }

  /** The first result of the query as it is now: what is shown may still be that of its beginning. */
  async #openFirst(): Promise<void> {
    await this.#search();
    this.#results.querySelector("a")?.click();
  }

  /** Arrows move between the field and the results; Enter in the field opens the first result. */
  #move(event: KeyboardEvent): void {
    const stops: HTMLElement[] = [this.#field, ...this.#results.querySelectorAll("a")];
    const at = stops.findIndex((stop) => stop.matches(":focus"));
    if (event.key === "Enter" && at === 0 && !event.isComposing) {
      event.preventDefault();
      void this.#openFirst();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || at === -1) return;
    event.preventDefault();
    stops[at + step]?.focus();
  }
}

let dialog: Dialog | undefined;

/** Opens the search, with the last query selected. */
export function openDialog(): void {
  dialog ??= new Dialog();
  dialog.open();
}
