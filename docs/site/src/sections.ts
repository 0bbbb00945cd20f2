// The sections of all pages, in a memory of Keepsake.

import { type Memory, openMemory } from "keepsake";
import { wordsOf } from "./words.js";

/** A page and its sections, as the build writes them. */
interface Page {
  readonly address: string;
  readonly title: string;
  readonly weight?: number;
  readonly sections: readonly (Section & { readonly anchor: string })[];
}

/** The text below a heading. */
interface Section {
  readonly heading: string;
  readonly text: string;
  readonly code: string;
}

/** A section that was found. */
export interface Found extends Section {
  readonly href: string;
  readonly page: string;
  readonly weight: number;
}

const HITS = 12;
/** The most tags of an entry. */
const MAX_TAGS = 64;
/** A shorter beginning of a word is not completed: too many words have it. */
const MIN_PREFIX = 3;

/** Searches in the sections. */
export class Sections {
  readonly #memory: Memory;
  readonly #sections: readonly Found[];
  /** How often each word occurs in the pages. */
  readonly #words = new Map<string, number>();

  private constructor(memory: Memory, sections: readonly Found[]) {
    this.#memory = memory;
    this.#sections = sections;
    for (const { heading, text } of sections) {
      for (const word of wordsOf(`${heading} ${text}`))
        this.#words.set(word, (this.#words.get(word) ?? 0) + 1);
    }
  }

  /** Adds the sections to a memory that ends with the page. `site` is the address of the site. */
  static async load(sections: URL, site: URL): Promise<Sections> {
    const [pages, memory] = await Promise.all([
      fetch(sections).then((response): Promise<Page[]> => {
        if (!response.ok) throw new Error(`the sections could not be loaded: ${response.status}`);
        return response.json();
      }),
      openMemory({ user: "reader", storage: "memory" }),
    ]);
    const all = pages.flatMap(({ address, title, weight = 1, sections }) =>
      sections.map(({ anchor, ...section }) => ({
        href: new URL(address + (anchor && `#${anchor}`), site).href,
        page: title,
        weight,
        ...section,
      })),
    );
    // Not `addMany`, which would load the full module: adds that wait at the same time share a commit.
    const adds = all.map(({ page, heading, text, code }, at) =>
      memory.add([page, heading, text, code].join("\n"), {
        id: `${at}`,
        // A word of a title counts more than one of the text.
        tags: [...new Set(wordsOf(`${page} ${heading}`))].slice(0, MAX_TAGS),
        namespace: "long-term",
      }),
    );
    await Promise.all(adds);
    return new Sections(memory, all);
  }

  /** The best sections for a query, best first. */
  async search(query: string): Promise<Found[]> {
    const hits = await this.#memory.search(query, { limit: 2 * HITS });
    const weighed = hits.flatMap(({ id, score }) => {
      const section = this.#sections[Number(id)];
      return section ? { section, score: score * section.weight } : [];
    });
    weighed.sort((one, other) => other.score - one.score);
    return weighed.slice(0, HITS).map(({ section }) => section);
  }

  /** The query with its last word completed, while the reader still writes it: the memory finds whole words. */
  completed(query: string): string {
    const last = /[\p{L}\p{N}_]+$/u.exec(query.toLowerCase())?.[0] ?? "";
    if (last.length < MIN_PREFIX || this.#words.has(last)) return query;
    const known = [...this.#words].filter(([word]) => word.startsWith(last));
    const [best] = known.reduce((one, other) => (other[1] > one[1] ? other : one), [last, 0]);
    return query.slice(0, query.length - last.length) + best;
  }
}
