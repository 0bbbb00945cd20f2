// WebKit for the browser tests. Playwright drives only builds of its own, so this speaks WebDriver to the WebKitGTK that is
// installed, with the words of Playwright's that the tests use, and no others.

import { screen, session } from "./driver.mjs";
import { Page } from "./page.mjs";

const BLANK = "about:blank";

/** As Playwright's pages have it. */
const VIEWPORT = { width: 1280, height: 720 };

/** Tabs that share a storage: one window of one browser. */
class Context {
  #session;
  #options;
  /** The tab that commands are for, and all that are open. */
  #current;
  #tabs = [];
  /** A window has to stay until the end: the last tab is emptied instead of closed. */
  #spare;
  /** Commands go one after the other: each is for the tab that was chosen before it. */
  #queue = Promise.resolve();

  constructor(session, options) {
    this.#session = session;
    this.#options = options;
  }

  async newPage() {
    const handle = await this.#inTurn(async () => {
      const handle = this.#spare ?? (await this.#made());
      this.#spare = undefined;
      this.#tabs.push(handle);
      return handle;
    });
    const page = new Page(this, handle);
    await page.setViewportSize(this.#options.viewport ?? VIEWPORT);
    return page;
  }

  async #made() {
    const [other] = this.#tabs;
    if (!other) return this.#session.call("GET", "/window");
    await this.#choose(other);
    const { handle } = await this.#session.call("POST", "/window/new", { type: "window" });
    return handle;
  }

  #inTurn(work) {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #choose(handle) {
    if (this.#current !== handle) await this.#session.call("POST", "/window", { handle });
    this.#current = handle;
  }

  /** A command for one of the tabs. */
  inTab(handle, method, path, body) {
    return this.#inTurn(async () => {
      await this.#choose(handle);
      return this.#session.call(method, path, body);
    });
  }

  closeTab(handle) {
    return this.#inTurn(async () => {
      await this.#choose(handle);
      this.#tabs = this.#tabs.filter((other) => other !== handle);
      if (this.#tabs.length === 0) {
        await this.#session.call("POST", "/url", { url: BLANK });
        this.#spare = handle;
      } else {
        await this.#session.call("DELETE", "/window");
        this.#current = undefined;
      }
    });
  }

  close() {
    return this.#session.close();
  }
}

/** As Playwright's types of browsers. */
export const webkit = {
  async launch({ executablePath }) {
    const shown = await screen();
    const contexts = [];
    return {
      async newContext(options = {}) {
        const context = new Context(await session(executablePath, shown.display), options);
        contexts.push(context);
        return context;
      },
      async close() {
        for (const context of contexts) await context.close();
        shown.close();
      },
    };
  },
};
