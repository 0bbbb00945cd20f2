// What runs inside of a page for the driver: calls that take time, and elements found as Playwright finds them. Each
// function is sent as its text, so none of them uses anything from outside of itself but what `installed` puts there.

/** Values as JSON, with what JSON has no word for. The same on both sides. */
export function codec() {
  const encode = (value) => {
    if (value === undefined) return { $: "undefined" };
    if (typeof value === "bigint") return { $: "bigint", value: String(value) };
    if (typeof value === "number" && !Number.isFinite(value)) return { $: "number", value: String(value) };
    if (value instanceof Uint8Array) return { $: "bytes", value: [...value] };
    if (value instanceof Date) return { $: "date", value: value.getTime() };
    if (Array.isArray(value)) return value.map(encode);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, encode(inner)]));
  };
  const special = {
    undefined: () => undefined,
    bigint: BigInt,
    number: Number,
    bytes: (value) => new Uint8Array(value),
    date: (value) => new Date(value),
  };
  const decode = (value) => {
    if (Array.isArray(value)) return value.map(decode);
    if (typeof value !== "object" || value === null) return value;
    if (typeof value.$ === "string" && value.$ in special) return special[value.$](value.value);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, decode(inner)]));
  };
  return { encode, decode };
}

/** Puts the driver's tools into the page, once in the life of a document. */
export function installed(codec) {
  if (globalThis.webkitDriver) return;
  const { encode, decode } = codec();
  const calls = new Map();
  const told = [];
  addEventListener("error", ({ message, error }) => {
    // Only what was thrown: that a size changes twice in one frame is told without an error.
    if (error) told.push(["pageerror", String(error.stack ?? error), message]);
  });
  addEventListener("unhandledrejection", ({ reason }) => {
    told.push(["pageerror", String(reason?.stack ?? reason), String(reason?.message ?? reason)]);
  });
  const { error } = console;
  console.error = (...all) => {
    told.push(["console", all.map(String).join(" ")]);
    error.apply(console, all);
  };

  const inside = (root) => [...root.children].flatMap((child) => [child, ...below(child)]);
  const below = (node) => [...inside(node), ...(node.shadowRoot ? inside(node.shadowRoot) : [])];
  /** Splits at what stands outside of all brackets and quotes. */
  const split = (selector, at) => {
    const parts = [""];
    let [depth, quote] = [0, ""];
    for (const sign of selector.trim()) {
      if (quote) quote = sign === quote ? "" : quote;
      else if (`"'`.includes(sign)) quote = sign;
      else if ("([".includes(sign)) depth += 1;
      else if (")]".includes(sign)) depth -= 1;
      if (!quote && depth === 0 && sign === at) parts.push("");
      else parts[parts.length - 1] += sign;
    }
    return parts.map((part) => part.trim()).filter(Boolean);
  };
  const matching = (roots, selector) => {
    const found = split(selector, ",").map((one) =>
      split(one, " ").reduce(
        (now, part) => now.flatMap((root) => below(root).filter((element) => element.matches(part))),
        roots,
      ),
    );
    return found.flat();
  };

  const plain = (text) => text.replaceAll(/\s+/g, " ").trim();
  const textOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
    if (["SCRIPT", "STYLE", "NOSCRIPT"].includes(node.nodeName)) return "";
    const nodes = [...node.childNodes, ...(node.shadowRoot?.childNodes ?? [])];
    return nodes.map(textOf).join("");
  };
  const fits = (text, { text: wanted, flags, exact }) => {
    if (flags !== undefined) return new RegExp(wanted, flags).test(plain(text));
    if (exact) return plain(text) === plain(wanted);
    return plain(text).toLowerCase().includes(plain(wanted).toLowerCase());
  };
  const labels = (element) => {
    const ids = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const named = ids.map((id) => element.getRootNode().getElementById(id));
    const all = [...named, ...(element.labels ?? [])].filter(Boolean).map(textOf);
    const own = element.getAttribute("aria-label");
    return own === null ? all : [own, ...all];
  };
  const nameOf = (element) => labels(element)[0] ?? textOf(element);
  const ROLES = {
    button: "button, summary, input[type=button], input[type=submit]",
    dialog: "dialog[open]",
    heading: "h1, h2, h3, h4",
    listitem: "li",
    complementary: "aside",
    separator: "hr",
  };
  const byRole = (roots, role) => {
    const native = ROLES[role] ? matching(roots, ROLES[role]).filter((one) => !one.hasAttribute("role")) : [];
    return [...matching(roots, `[role=${role}]`), ...native];
  };
  const visible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === "visible";
  };
  const order = (elements) => {
    const all = below(document);
    const places = new Map(all.map((element, at) => [element, at]));
    return [...new Set(elements)].sort((one, two) => places.get(one) - places.get(two));
  };
  const steps = {
    css: (now, { selector }) => matching(now, selector),
    role: (now, { role, name }) =>
      byRole(now, role).filter((element) => visible(element) && (!name || fits(nameOf(element), name))),
    label: (now, { name }) =>
      matching(now, "input, select, textarea, button, [aria-label], [aria-labelledby]").filter((element) =>
        labels(element).some((label) => fits(label, name)),
      ),
    text: (now, { name }) =>
      now
        .flatMap(below)
        .filter((element) => fits(textOf(element), name))
        .filter((element, _, all) => {
          const children = [...element.children, ...(element.shadowRoot?.children ?? [])];
          return !children.some((child) => all.includes(child));
        }),
    hasText: (now, { name }) => now.filter((element) => fits(textOf(element), name)),
    has: (now, { inner }) => now.filter((element) => find(inner, [element]).length > 0),
    nth: (now, { at }) => [now.at(at)].filter(Boolean),
  };
  const find = (wanted, from = [document]) => {
    let now = from;
    for (const step of wanted) now = order(steps[step.kind](now, step));
    return now;
  };
  const tell = (id, state) => calls.set(id, state);

  const POINTED = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
  /** What an event of the pointer has to be for, and whether the last one was for something else. */
  let aim;
  const onPointed = (event) => {
    if (!aim) return;
    const path = event.composedPath();
    // The last one tells: that is the click.
    aim.missed = !aim.elements.some((element) => path.includes(element));
    if (!aim.missed) return;
    // The page has moved under the pointer: nothing else may be pressed instead.
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const name of POINTED) addEventListener(name, onPointed, { capture: true });

  globalThis.webkitDriver = {
    find,
    visible,
    /** From now on the pointer presses this element, or nothing. */
    aimAt(element) {
      aim = { elements: [element, ...(element.labels ?? [])], missed: false };
    },
    /** Whether what was aimed at was missed. */
    missed() {
      const { missed } = aim ?? { missed: false };
      aim = undefined;
      return missed;
    },
    /** Begins a call; `settled` answers for it later. */
    begin(id, work, ...values) {
      tell(id, {});
      new Promise((resolve) => resolve(work(...values.map(decode)))).then(
        (value) => tell(id, { value: JSON.stringify(encode(value)) }),
        (error) => tell(id, { error: `${error?.name}: ${error?.message}\n${error?.stack}` }),
      );
    },
    /** How a call stands, and what the page complained about since the last time. */
    settled(id) {
      const state = calls.get(id);
      if (state && Object.keys(state).length > 0) calls.delete(id);
      return { state: state ?? { gone: true }, told: told.splice(0) };
    },
  };
}
