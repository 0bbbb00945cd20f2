// The custom element: takes properties and attributes, renders one tree into its shadow root, and fires events.

import { render } from "preact";
import { App } from "./app.js";
import type { AnyMemory } from "./inside.js";
import { sheet } from "./style/sheet.js";
import { homeOf, viewOf } from "./targets.js";
import { english, type Language, languageNamed } from "./text/language.js";
import type { InspectorItem, InspectorOpen, InspectorView, KeepsakeInspector } from "./types.js";

const PROPERTIES = ["memory", "session", "query", "hints", "view"] as const;

/** Created on first use: where there are no custom elements, there is no class to extend. */
export function elementClass(): new () => KeepsakeInspector {
  return class extends HTMLElement {
    static readonly observedAttributes = ["view", "lang"];
    #memory: AnyMemory | null = null;
    #session: string | undefined;
    #query: string | undefined;
    #hints = true;
    #view: InspectorView = "now";
    #item: InspectorItem | undefined;
    #language: Language | undefined;
    #lang = "";
    readonly #root: ShadowRoot;
    #drawing = false;

    constructor() {
      super();
      this.#root = this.attachShadow({ mode: "open" });
      this.#root.adoptedStyleSheets = [sheet()];
    }

    get memory(): AnyMemory | null {
      return this.#memory;
    }

    set memory(memory: AnyMemory | null) {
      this.#memory = memory ?? null;
      this.#item = undefined;
      this.#draw();
    }

    get session(): string | undefined {
      return this.#session;
    }

    set session(id: string | undefined) {
      this.#session = id ?? undefined;
      this.#draw();
    }

    get query(): string | undefined {
      return this.#query;
    }

    set query(query: string | undefined) {
      this.#query = query ?? undefined;
      this.#draw();
    }

    get hints(): boolean {
      return this.#hints;
    }

    set hints(hints: boolean) {
      this.#hints = hints;
      this.#draw();
    }

    get view(): InspectorView {
      return this.#view;
    }

    set view(view: InspectorView) {
      this.setAttribute("view", viewOf(view));
    }

    show(item: InspectorItem): void {
      // A copy: the same item can be shown twice.
      this.#item = { ...item };
      this.view = homeOf(item);
      this.#draw();
    }

    connectedCallback(): void {
      // A property that was set before the upgrade would shadow the accessor.
      for (const name of PROPERTIES) {
        if (!Object.hasOwn(this, name)) continue;
        const value: unknown = Reflect.get(this, name);
        Reflect.deleteProperty(this, name);
        Reflect.set(this, name, value);
      }
      this.#draw();
    }

    disconnectedCallback(): void {
      // An element that is moved within the page is not removed.
      queueMicrotask(() => {
        if (!this.isConnected) render(null, this.#root);
      });
    }

    attributeChangedCallback(name: string, _: string | null, value: string | null): void {
      if (name === "view") this.#view = viewOf(value);
      this.#draw();
    }

    /** The language of the element, or of the page; the previous one until it is loaded. */
    #spoken(): Language {
      const name = this.lang || document.documentElement.lang || "en";
      if (name !== this.#lang) {
        this.#lang = name;
        void languageNamed(name).then((language) => {
          if (name !== this.#lang) return;
          this.#language = language;
          this.#draw();
        });
      }
      return this.#language ?? english();
    }

    /** Several properties that are set together cause one render. */
    #draw(): void {
      if (this.#drawing) return;
      this.#drawing = true;
      queueMicrotask(() => {
        this.#drawing = false;
        if (!this.isConnected) return;
        const open = (detail: InspectorOpen) =>
          this.dispatchEvent(new CustomEvent("keepsake-open", { detail, bubbles: true, composed: true }));
        render(
          <App
            memory={this.#memory}
            session={this.#session}
            query={this.#query}
            hints={this.#hints}
            view={this.#view}
            item={this.#item}
            language={this.#spoken()}
            onView={(view) => this.setAttribute("view", view)}
            onOpen={open}
          />,
          this.#root,
        );
      });
    }
  };
}
