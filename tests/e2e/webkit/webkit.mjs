// WebKit for the browser tests. Playwright drives only builds of its own, so this speaks WebDriver to the WebKitGTK that is
// installed, with the words of Playwright's that the tests use, and no others.

import { screen, session } from "./driver.mjs";
import { Page } from "./page.mjs";

const BLANK = "about:blank";

/** Tabs that share a storage: one window of one browser. */
class Context {
  #session;
  #options;
  #current;
  /** A window has to stay until the end: the last tab is emptied instead of closed. */
  #spare;
  #count = 0;
  /** Commands go one after the other: each is for the tab that was chosen before it. */
  #queue = Promise.resolve();

  constructor(session, options) {
    this.#session = session;
    this.#options = options;
  }

  async newPage() {
    let handle = this.#spare;
    this.#spare = undefined;
    if (!handle) {
      const made =
        this.#count === 0 ? this.#call("GET", "/window") : this.#call("POST", "/window/new", { type: "tab" });
      handle = await made.then((value) => value.handle ?? value);
    }
    this.#count += 1;
    const page = new Page(this, handle);
    if (this.#options.viewport) await page.setViewportSize(this.#options.viewport);
    return page;
  }

  #call(method, path, body) {
    return this.#inTurn(() => this.#session.call(method, path, body));
  }

  #inTurn(work) {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  inTab(handle, method, path, body) {
    return this.#inTurn(async () => {
      if (this.#current !== handle) await this.#session.call("POST", "/window", { handle });
      this.#current = handle;
      return this.#session.call(method, path, body);
    });
  }

  async closeTab(handle) {
    this.#count -= 1;
    if (this.#count > 0 || this.#spare) {
      await this.inTab(handle, "DELETE", "/window");
      this.#current = undefined;
    } else {
      await this.inTab(handle, "POST", "/url", { url: BLANK });
      this.#spare = handle;
    }
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
        const context = new Context(await session(executablePath, shown.display, options.locale), options);
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
