// Numbers and texts as the page shows them.

export const escaped = (text) =>
  String(text).replace(
    /[&<>"]/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign],
  );

export const count = (value) => value.toLocaleString("en-US");

/** Three digits, without an exponent. */
function digits(value) {
  if (value === 0) return "0";
  const places = Math.max(0, Math.min(3, 2 - Math.floor(Math.log10(Math.abs(value)))));
  return value.toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
}

export function quantity(value, unit) {
  if (unit === "ms") return value < 10_000 ? `${digits(value)} ms` : `${digits(value / 1000)} s`;
  if (unit === "%") return `${value.toFixed(1)} %`;
  if (Math.abs(value) < 1000) return `${Math.round(value)} B`;
  if (Math.abs(value) < 1e6) return `${digits(value / 1e3)} KB`;
  return `${digits(value / 1e6)} MB`;
}

/** `low – high`, or nothing where there is no spread. */
export function range({ low, high, n, unit }) {
  if (n === 1) return "";
  const [from, to] = [quantity(low, unit), quantity(high, unit)];
  const same = from.split(" ")[1] === to.split(" ")[1];
  return `${same ? from.split(" ")[0] : from} – ${to}`;
}

/** `4.2 ×`: how many times one is of the other. */
export const times = (value) =>
  `${value < 9.95 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US")}\u00a0×`;

/** `4.2 × Keepsake’s`, or `4.2 × less`. */
export const beside = (ratio) => (ratio < 1 ? `${times(1 / ratio)} less` : `${times(ratio)} Keepsake’s`);

/** `12 ×` of times and sizes, points of percentages. */
export function factor(own, other) {
  const [less, more] = [own.median, other.median].sort((a, b) => a - b);
  return own.unit === "%" ? `${(more - less).toFixed(1)} points` : times(more / less);
}

/** Code and emphasis of Markdown in a cell. */
export function inline(markdown) {
  return escaped(markdown)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<b>$1</b>");
}

/** The command that repeats a run. */
export function commandOf({ options, retrieval }) {
  const flags = [
    options.quick && "--quick",
    options.full && "--full",
    retrieval.length > 0 && "--data FOLDER",
  ];
  return ["cargo xtask results", ...flags.filter(Boolean)].join(" ");
}
