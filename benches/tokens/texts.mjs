// Texts of many kinds: prose, code, and what agents read and write beside them. Each kind has texts to develop with and
// one that is held out; generated ones differ in their words, their shapes and their random numbers. Of generated ones
// there are two to develop with: the second was held out once, and showed what the first did not.

import { readFile } from "node:fs/promises";
import { PROSE } from "./prose.mjs";

const root = new URL("../../", import.meta.url);

const CODE = {
  Rust: [
    ["src/codec/crc.rs", "src/store/key.rs"],
    ["src/text/summary.rs", "xtask/src/main.rs"],
  ],
  TypeScript: [
    ["pkg/src/base/errors.ts", "pkg/src/engine/hints.ts"],
    ["pkg/src/storage/relay.ts", "pkg/src/engine/storage-wire.ts"],
  ],
  Python: [["tests/bindings/python/host.py"], ["benches/tokens/sample.py"]],
};

/** Random numbers that are the same for the same seed. */
function dice(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits of such a generator repeat soon.
    return (state ^ (state >>> 15)) >>> 0;
  };
  const below = (limit) => Math.floor((next() / 4_294_967_296) * limit);
  return {
    below,
    from: (low, high) => low + below(high - low + 1),
    pick: (list) => list[below(list.length)],
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}

const WORDS = [
  "order user report invoice page search session login product review image asset news travel cart".split(
    " ",
  ),
  "ticket branch station weather garden printer customer refund delivery schedule library museum".split(" "),
  "kitchen harbour contract teacher battery village salary engine recipe mountain signal carpet".split(" "),
];
const EMOJI = [
  ["😀", "😂", "🎉", "👍", "❤️", "🔥", "✨", "🙏", "🇻🇳", "🚀", "✅", "⚠️", "🐶", "👩‍🚀", "☕"],
  ["😅", "🤔", "💪", "🎂", "🌸", "👋", "🥺", "📌", "🇯🇵", "🍕", "❌", "🌧️", "🐱", "👨‍👩‍👧", "🎵"],
  ["😎", "🙌", "🤣", "💔", "🌍", "🏆", "📦", "🥐", "🇫🇷", "🚲", "💬", "☀️", "🦊", "🧑‍💻", "🎁"],
];

const times = (count, make) => Array.from({ length: count }, make);
const two = (number) => String(number).padStart(2, "0");

function uuid({ bytes }) {
  const hex = bytes(16).toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}

function records(random, words, count) {
  return times(count, () => ({
    id: random.from(1, 99_999),
    name: random.pick(words),
    tags: [random.pick(words), random.pick(words)],
    active: random.below(2) === 0,
    score: random.below(1000) / 1000,
    at: `2025-${two(random.from(1, 12))}-${two(random.from(1, 28))}T10:${two(random.below(60))}:00Z`,
    nested: { [random.pick(words)]: null, [`${random.pick(words)}Count`]: random.below(50) },
  }));
}

function cells(random, words, rows, columns) {
  const cell = () =>
    random.pick([
      () => random.pick(words),
      () => String(random.from(1, 9999)),
      () => `${random.pick(words)} ${random.pick(words)}`,
      () => "",
    ])();
  return times(rows, () => times(columns, cell));
}

function padded(rows) {
  const widths = rows.reduce(
    (widest, row) => row.map((cell, at) => Math.max(widest[at] ?? 3, cell.length)),
    [],
  );
  return { widths, rows: rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at]))) };
}

function boxed(random, words, [left, line, cross, right, side]) {
  const { widths, rows } = padded(cells(random, words, 8, 4));
  const rule = `${left}${widths.map((width) => line.repeat(width + 2)).join(cross)}${right}`;
  return [rule, ...rows.flatMap((row) => [`${side} ${row.join(` ${side} `)} ${side}`, rule])].join("\n");
}

/** How each kind is made, from random numbers, words, and which set it is of. */
const MADE = {
  "JSON, compact": (random, words) => JSON.stringify(records(random, words, 8)),
  "JSON, pretty": (random, words, set) => JSON.stringify(records(random, words, 5), null, [2, 4, "\t"][set]),
  Base64: (random) => random.bytes(450).toString("base64"),
  "Base64, of tokens": (random) => times(8, () => `eyJ${random.bytes(54).toString("base64url")}`).join("\n"),
  Hex: (random, _words, set) =>
    set === 0
      ? random.bytes(300).toString("hex")
      : times(12, () => random.bytes(20).toString("hex")).join("\n"),
  UUIDs: (random) => times(16, () => uuid(random)).join("\n"),
  URLs: (random, words, set) =>
    times(14, () => {
      const host = random.pick(
        [["www.example.com", "api.example.org"], ["docs.example.net", "example.io"], ["m.example.co"]][set],
      );
      const query = random.pick([
        "",
        `?q=${random.pick(words)}&page=${random.from(1, 99)}`,
        `#${random.pick(words)}`,
      ]);
      return `https://${host}/${random.pick(words)}/${random.pick(words)}-${random.from(1, 9999)}${query}`;
    }).join("\n"),
  "Markdown table": (random, words, set) => {
    const [head, ...body] = cells(random, words, 12, [4, 6, 3][set]);
    const row = (list) => `| ${list.join(" | ")} |`;
    return [row(head), `|${head.map(() => ["---", ":---:", "---:"][set]).join("|")}|`, ...body.map(row)].join(
      "\n",
    );
  },
  "Markdown table, padded": (random, words, set) => {
    const { widths, rows } = padded(cells(random, words, 10, [5, 3, 4][set]));
    const [head, ...body] = rows.map((row) => `| ${row.join(" | ")} |`);
    return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body].join("\n");
  },
  "Box drawing": (random, words, set) => boxed(random, words, ["├─┼┤│", "╠═╬╣║", "┣━╋┫┃"][set]),
  "ASCII table": (random, words) => boxed(random, words, "+-++|"),
  "ASCII art": (random, _words, set) =>
    times(12, () =>
      times(random.from(20, 40), () => random.pick([..." /\\_|  -", ...["*.", "o'", "<>"][set]])).join(""),
    )
      .map((line) => line.trimEnd())
      .join("\n"),
  "Directory tree": (random, words, set) =>
    times(14, () => {
      const indent = random.pick(["", "│   ", "    "]);
      return `${indent}${random.pick(["├── ", "└── "])}${random.pick(words)}${[".rs", "/index.ts", ".md"][set]}`;
    }).join("\n"),
  Emoji: (random, _words, set) => times(40, () => random.pick(EMOJI[set])).join(["", " ", "\n"][set]),
  "Chat with emoji": (random, words, set) =>
    times(
      10,
      () => `The ${random.pick(words)} is here ${random.pick(EMOJI[set])}${random.pick(EMOJI[set])}`,
    ).join("\n"),
  CSV: (random, words) =>
    times(16, () => {
      const day = `2025-${two(random.from(1, 12))}-${two(random.from(1, 28))}`;
      return [random.from(1, 99_999), random.pick(words), (random.below(100_000) / 100).toFixed(2), day].join(
        ",",
      );
    }).join("\n"),
  Numbers: (random, _words, set) =>
    times(60, () =>
      random.pick([random.below(10_000_000), random.below(100_000) / 1000, -random.below(100)]),
    ).join([" ", ", ", "\n"][set]),
  Logs: (random, words, set) =>
    times(10, () => {
      const time = `${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}.${random.from(100, 999)}`;
      const level = random.pick(["INFO", "WARN", "ERROR", "DEBUG"]);
      const [what, number] = [random.pick(words), random.from(1, 9999)];
      if (set === 2)
        return `${time} ${what}[${number}]: ${level} /${random.pick(words)}/${random.below(99)} took ${number / 1000}s`;
      return set === 0
        ? `2025-03-1${random.below(9)}T${time}Z ${level} [${what}-service] request finished status=200 duration=${number}ms`
        : `[${time}] ${level.toLowerCase()} ${what}.worker: retrying ${random.pick(words)} ip=10.0.${random.below(256)}.7 n=${number}`;
    }).join("\n"),
  "White space": (random, words, set) =>
    times(
      14,
      () => `${[" ", "\t", "    "][set].repeat(random.from(0, [30, 6, 8][set]))}${random.pick(words)}`,
    ).join("\n".repeat(set + 1)),
  "Rules and headings": (random, words, set) =>
    times(
      8,
      () =>
        `${random
          .pick(
            [
              ["-", "=", "*"],
              ["~", "_", "#"],
              [".", "-", "+"],
            ][set],
          )
          .repeat(random.from(10, 70))}\n${random.pick(words)}`,
    ).join("\n"),
  "Random ids": (random, _words, set) =>
    times(14, () => `${["usr_", "req-", "sk."][set]}${random.bytes(12).toString("base64url")}`).join("\n"),
};

/** All texts: `{ kind, half, text }`, where `half` is `development` or `held-out`. */
export async function texts() {
  const all = [];
  for (const [at, half] of ["development", "held-out"].entries()) {
    for (const [kind, passages] of Object.entries(PROSE)) {
      all.push(
        ...(at === 0 ? passages.slice(0, -1) : passages.slice(-1)).map((text) => ({ kind, half, text })),
      );
    }
    for (const [kind, files] of Object.entries(CODE)) {
      const read = files[at].map((file) => readFile(new URL(file, root), "utf8"));
      const text = (await Promise.all(read)).map((code) => code.slice(0, 2500)).join("\n");
      all.push({ kind: `Code, ${kind}`, half, text });
    }
    for (const [number, [kind, make]] of Object.entries(MADE).entries()) {
      for (const set of at === 0 ? [0, 1] : [2]) {
        all.push({ kind, half, text: make(dice(number * 7919 + set * 104_729 + 1), WORDS[set], set) });
      }
    }
  }
  return all;
}
