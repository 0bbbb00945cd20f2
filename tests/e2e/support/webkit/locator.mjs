// Elements that are looked for when they are needed, with the words of Playwright's that the tests use.

import { setTimeout as sleep } from "node:timers/promises";

const RETRY_MS = 30;

/** A text or an expression to look for, as it is sent. */
function wanted(text, exact = false) {
  return text instanceof RegExp ? { text: text.source, flags: text.flags } : { text: String(text), exact };
}

export class Locator {
  constructor(page, steps) {
    this.page = page;
    this.steps = steps;
  }

  #with(...steps) {
    return new Locator(this.page, [...this.steps, ...steps]);
  }

  locator(selector, { hasText, has } = {}) {
    return this.#with({ kind: "css", selector }).filter({ hasText, has });
  }

  filter({ hasText, has }) {
    const steps = [];
    if (hasText !== undefined) steps.push({ kind: "hasText", name: wanted(hasText) });
    if (has !== undefined) steps.push({ kind: "has", inner: has.steps });
    return this.#with(...steps);
  }

  getByRole(role, { name, exact } = {}) {
    return this.#with({ kind: "role", role, name: name === undefined ? undefined : wanted(name, exact) });
  }

  getByLabel(name, { exact } = {}) {
    return this.#with({ kind: "label", name: wanted(name, exact) });
  }

  getByText(text, { exact } = {}) {
    return this.#with({ kind: "text", name: wanted(text, exact) });
  }

  nth(at) {
    return this.#with({ kind: "nth", at });
  }

  first() {
    return this.nth(0);
  }

  last() {
    return this.nth(-1);
  }

  /** Tries until it works or time is up; the last reason is in the error. */
  async #until(what, work, timeout = this.page.timeout) {
    const until = Date.now() + timeout;
    for (;;) {
      const { done, value, why } = await work();
      if (done) return value;
      if (Date.now() > until) {
        throw new Error(`${what} ${JSON.stringify(this.steps)}: not within ${timeout} ms: ${why}`);
      }
      await sleep(RETRY_MS);
    }
  }

  /** How many there are, and whether the first of them is seen. */
  #state() {
    return this.page.run((steps) => {
      const { find, visible } = globalThis.webkitDriver;
      const found = find(steps);
      return { count: found.length, seen: found.length > 0 && visible(found[0]) };
    }, this.steps);
  }

  waitFor({ state = "visible", timeout } = {}) {
    return this.#until(
      `waitFor ${state}`,
      async () => {
        const { count, seen } = await this.#state();
        const done = { visible: seen, hidden: !seen, attached: count > 0, detached: count === 0 }[state];
        return { done, why: `${count} there, ${seen ? "seen" : "not seen"}` };
      },
      timeout,
    );
  }

  async count() {
    return (await this.#state()).count;
  }

  /** Waits until there is one element, and no other; `seen`: and until it can be used. */
  #ready({ seen = false } = {}) {
    return this.#until("one element", async () => {
      const why = await this.page.run(
        ([steps, seen]) => {
          const { find, visible } = globalThis.webkitDriver;
          const [element, ...others] = find(steps);
          if (!element || others.length > 0) return `${element ? others.length + 1 : 0} are there`;
          if (seen && (!visible(element) || element.disabled)) return "it cannot be used";
          if (seen) element.scrollIntoView({ block: "center", inline: "center" });
          return "";
        },
        [this.steps, seen],
      );
      return { done: why === "", why };
    });
  }

  /** Runs `work` on the one element. */
  async evaluate(work, value) {
    await this.#ready();
    const text = `(value, steps) => (${work})(globalThis.webkitDriver.find(steps)[0], value)`;
    return this.page.evaluateText(text, value, this.steps);
  }

  /** Where the middle of the one element is, once nothing lies over it. */
  #place() {
    return this.#until("place", async () => {
      await this.#ready({ seen: true });
      const place = await this.page.run((steps) => {
        const [element] = globalThis.webkitDriver.find(steps);
        if (!element) return {};
        const { x, y, width, height } = element.getBoundingClientRect();
        const [left, top] = [x + width / 2, y + height / 2];
        let hit = document.elementFromPoint(left, top);
        while (hit?.shadowRoot?.elementFromPoint(left, top)) {
          const inner = hit.shadowRoot.elementFromPoint(left, top);
          if (inner === hit) break;
          hit = inner;
        }
        const label = element.labels?.[0];
        const done = element.contains(hit) || label?.contains(hit);
        if (done) globalThis.webkitDriver.aimAt(element);
        return { done, x: Math.round(left), y: Math.round(top), over: hit?.outerHTML.slice(0, 80) };
      }, this.steps);
      return { done: place.done, value: place, why: `${place.over} lies over it` };
    });
  }

  /** Points at the one element, again if the page moved in between. */
  #point(...actions) {
    return this.#until("pointer", async () => {
      const { x, y } = await this.#place();
      const move = { type: "pointerMove", duration: 0, x, y };
      const all = [{ type: "pointer", id: "mouse", actions: [move, ...actions] }];
      await this.page.call("POST", "/actions", { actions: all });
      const missed = await this.page.run(() => globalThis.webkitDriver.missed());
      return { done: !missed, why: "the page moved under the pointer" };
    });
  }

  click() {
    return this.#point({ type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 });
  }

  hover() {
    return this.#point();
  }

  async fill(text) {
    await this.#ready({ seen: true });
    await this.evaluate((element, text) => {
      element.focus();
      const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value");
      set.call(element, text);
      element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
      if (element.type === "range") element.dispatchEvent(new Event("change", { bubbles: true }));
    }, text);
  }

  async press(key) {
    await this.focus();
    await this.page.keyboard.press(key);
  }

  focus() {
    return this.evaluate((element) => element.focus());
  }

  async setChecked(wanted) {
    if ((await this.evaluate(({ checked }) => checked)) !== wanted) await this.click();
  }

  check() {
    return this.setChecked(true);
  }

  uncheck() {
    return this.setChecked(false);
  }

  selectOption(value) {
    return this.evaluate((element, value) => {
      const { label } = value;
      const fits = (one) =>
        label === undefined ? [one.value, one.label].includes(value) : one.label === label;
      const option = [...element.options].find(fits);
      if (!option) throw new Error(`there is no option ${label ?? value}`);
      element.value = option.value;
      for (const name of ["input", "change"]) element.dispatchEvent(new Event(name, { bubbles: true }));
    }, value);
  }

  setInputFiles(files) {
    const all = [files].flat().map(({ name, mimeType, buffer }) => ({ name, mimeType, text: [...buffer] }));
    return this.evaluate((element, files) => {
      const taken = new DataTransfer();
      for (const { name, mimeType, text } of files) {
        taken.items.add(new File([new Uint8Array(text)], name, { type: mimeType }));
      }
      element.files = taken.files;
      for (const name of ["input", "change"]) element.dispatchEvent(new Event(name, { bubbles: true }));
    }, all);
  }

  textContent() {
    return this.evaluate((element) => element.textContent);
  }

  inputValue() {
    return this.evaluate(({ value }) => value);
  }

  isDisabled() {
    return this.evaluate(({ disabled }) => disabled);
  }

  getAttribute(name) {
    return this.evaluate((element, name) => element.getAttribute(name), name);
  }
}
