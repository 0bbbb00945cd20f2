// A tab of WebKit's, with the words of Playwright's that the tests use.

import { setTimeout as sleep } from "node:timers/promises";
import { codec, installed } from "./in-page.mjs";
import { Locator } from "./locator.mjs";

const { encode, decode } = codec();
const INSTALL = `(${installed})(${codec});`;
const RETRY_MS = 5;
const LIMIT_MS = 30_000;

const KEYS = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Escape: "\uE00C",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Delete: "\uE017",
};

export class Page {
  #context;
  #handle;
  #calls = 0;
  #scripts = [];
  #listeners = { console: [], pageerror: [] };
  timeout = LIMIT_MS;

  constructor(context, handle) {
    this.#context = context;
    this.#handle = handle;
    this.keyboard = {
      press: (name) => this.#keys([name.split("+")]),
      type: (text) => this.#keys([...text].map((letter) => [letter])),
    };
  }

  context() {
    return this.#context;
  }

  /** A command of WebDriver's for this tab. */
  call(method, path, body) {
    return this.#context.inTab(this.#handle, method, path, body);
  }

  /** Runs the body of a function at once; elements come and go as WebDriver's references. */
  raw(script, ...args) {
    return this.call("POST", "/execute/sync", { script: `${INSTALL} ${script}`, args });
  }

  /** Runs a function that answers at once. */
  async run(work, value) {
    return this.raw(`return (${work})(arguments[0]);`, value);
  }

  /** Runs a function, and waits for what it promises without being in the way of other tabs. */
  async evaluate(work, ...values) {
    return this.evaluateText(typeof work === "string" ? `() => (${work})` : String(work), ...values);
  }

  /** The same for the text of a function. */
  async evaluateText(call, ...values) {
    const id = this.#calls++;
    const args = [String(id), ...values.map(encode)];
    await this.raw(
      `globalThis.webkitDriver.begin(arguments[0], (${call}), ...[...arguments].slice(1));`,
      ...args,
    );
    for (;;) {
      const { state, told } = await this.raw(
        "return globalThis.webkitDriver.settled(arguments[0]);",
        String(id),
      );
      this.#tell(told);
      if (state.gone) throw new Error("the page was left during the call");
      if (state.error !== undefined) throw new Error(`page.evaluate: ${state.error}`);
      if (state.value !== undefined) return decode(JSON.parse(state.value));
      await sleep(RETRY_MS);
    }
  }

  async waitForFunction(work, value, { timeout = this.timeout } = {}) {
    const until = Date.now() + timeout;
    while (!(await this.evaluate(work, value))) {
      if (Date.now() > until) throw new Error(`waitForFunction: not within ${timeout} ms: ${work}`);
      await sleep(RETRY_MS);
    }
  }

  waitForSelector(selector, options) {
    return this.locator(selector).waitFor(options);
  }

  async goto(url) {
    await this.call("POST", "/url", { url: String(url) });
    await this.#prepare();
  }

  async reload() {
    await this.call("POST", "/refresh", {});
    await this.#prepare();
  }

  /** WebDriver has nothing that runs before a page does: this is as soon as it is loaded. */
  async addInitScript(script) {
    this.#scripts.push(script);
  }

  async #prepare() {
    for (const script of this.#scripts) await this.raw(`(${script})();`);
  }

  on(event, listener) {
    if (!this.#listeners[event]) throw new Error(`WebKit does not tell of "${event}" here`);
    this.#listeners[event].push(listener);
  }

  #tell(told) {
    for (const [event, text, message] of told) {
      const error = Object.assign(new Error(message), { stack: text });
      const said = { type: () => "error", text: () => text, location: () => ({ url: "" }) };
      for (const listener of this.#listeners[event]) listener(event === "console" ? said : error);
    }
  }

  setDefaultTimeout(millis) {
    this.timeout = millis;
  }

  /** The size of what the page sees: the window's, without its frame. */
  async setViewportSize({ width, height }) {
    await this.call("POST", "/window/rect", { width, height });
    const [inner, tall] = await this.raw("return [innerWidth, innerHeight];");
    await this.call("POST", "/window/rect", { width: 2 * width - inner, height: 2 * height - tall });
  }

  async #keys(chords) {
    const key = (type) => (name) => ({ type, value: KEYS[name] ?? name });
    const actions = chords.flatMap((chord) => [
      ...chord.map(key("keyDown")),
      ...chord.toReversed().map(key("keyUp")),
    ]);
    await this.call("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  title() {
    return this.call("GET", "/title");
  }

  close() {
    return this.#context.closeTab(this.#handle);
  }

  locator(selector, options) {
    return new Locator(this, []).locator(selector, options);
  }

  getByRole(role, options) {
    return new Locator(this, []).getByRole(role, options);
  }

  getByLabel(name, options) {
    return new Locator(this, []).getByLabel(name, options);
  }

  getByText(text, options) {
    return new Locator(this, []).getByText(text, options);
  }

  getAttribute(selector, name) {
    return this.locator(selector).getAttribute(name);
  }
}
