// The published results as Markdown: docs/results/README.md, and the section of the README of the repository.

import { comparisons, duels } from "./compare.mjs";
import {
  duelMarkdown,
  gapMarkdown,
  markdownTable,
  retrievalMarkdown,
  systemTable,
  verdictMarkdown,
} from "./markdown.mjs";
import { plots } from "./plots.mjs";
import { PROSE } from "./prose.mjs";
import { against, bySet, rivalsOf } from "./retrieval.mjs";
import { commandOf, count, quantity } from "./words.mjs";

const OWN = "Keepsake";

/** The README shows one size: what `long-term` keeps by default, or the largest size below it. */
const USUAL = 20_000;

/** The set and category of the README's line on retrieval. */
const RETRIEVAL = { set: "locomo", category: "1-4", title: "R@5 on LoCoMo, conversations of two people" };

/** The systems of the README beside Keepsake: search libraries, databases with search, a store. */
const PEERS = ["MiniSearch", "FlexSearch, English", "SQLite FTS5", "PGlite", "Dexie"];

/** The lines of the README. */
const LINES = [
  { what: "search", title: "Search" },
  { what: "r5", title: "R@5 of the questions" },
  { what: "open", title: "Open to the first hit" },
  { what: "add", title: "One add" },
  { what: "batch", title: "All entries in a batch, stored" },
  { what: "memory", title: "Memory after opening" },
  { what: "download to the first hit", title: "Download to the first hit" },
];

const NONE = "–";

const day = ({ date }) => date.slice(0, 10);

/** `HeadlessChrome/1.2` is Chromium 1.2. */
const browserOf = ({ versions }) => versions.browser.replace(/^(Headless)?Chrom(e|ium)\//, "Chromium ");

const machineOf = ({ machine }) =>
  `${machine.cpu}, ${machine.cpus} processors, ${Math.round(machine.memory / 2 ** 30)} GiB of memory`;

const usualOf = ({ plan }) => plan.sizes.findLast((entries) => entries <= USUAL) ?? plan.sizes[0];

/** `results` are expanded; the page, and each plot by its file. */
export function publishedFiles(results) {
  const drawn = plots(results);
  const svgs = Object.values(drawn).map(({ file, svg }) => [file, svg]);
  return new Map([["README.md", page(results, drawn)], ...svgs]);
}

/** The section between the README's markers. */
export function figuresSection(results) {
  const systems = [OWN, ...PEERS.filter((name) => results.figures.some(({ system }) => system === name))];
  const rows = shortRows(results, systems);
  const wins = rows.filter(({ best }) => best.includes(OWN)).length;
  const table = markdownTable(
    [{ title: "" }, ...systems.map((title) => ({ title, number: true }))],
    rows.map(({ cells }) => cells),
  );
  return `## Figures

${day(results)}, ${browserOf(results)}, ${results.machine.cpus} processors: ${count(usualOf(results))} entries of 500 characters. The best
figure of a line is bold; Keepsake has it in ${wins} of ${rows.length}. The search libraries store nothing by themselves, Dexie reads
every text to find one.

${table}

[All figures](docs/results/README.md): every system, size and set-up, and how they were taken. \`${commandOf(results)}\`
measures them again.`;
}

/** The lines of the README: each system's figures of one size in Chromium, and one line on retrieval. */
function shortRows(results, systems) {
  const usual = usualOf(results);
  const stores = new Map(results.systems.map(({ name, stores }) => [name, stores === true]));
  const rows = LINES.map(({ what, title }) => {
    const figures = systems.map((name) =>
      results.figures.find(({ system, where, entries = usual, ...one }) => {
        return one.what === what && system === name && where === "chromium" && entries === usual;
      }),
    );
    const inMemory = (name) => what === "add" && name !== OWN && !stores.get(name);
    return lineOf(title, systems, figures, (name) => (inMemory(name) ? ", in memory" : ""));
  });
  const found = results.retrieval.find(
    ({ set, category }) => set === RETRIEVAL.set && category === RETRIEVAL.category,
  );
  if (found !== undefined) {
    const figures = systems.map((name) => {
      const r5 = found.systems[name]?.r5;
      return r5 === undefined ? undefined : { median: r5, unit: "%", better: "more" };
    });
    rows.push(lineOf(RETRIEVAL.title, systems, figures));
  }
  return rows.filter(({ cells }) => cells[1] !== NONE);
}

/** A line with the best figures in bold. */
function lineOf(title, systems, figures, note = () => "") {
  const known = figures.filter((figure) => figure !== undefined);
  const most = known[0]?.better === "more" ? Math.max : Math.min;
  // Alone, nothing is the best.
  const top = known.length > 1 ? most(...known.map(({ median }) => median)) : Number.NaN;
  const cells = figures.map((figure, at) => {
    if (figure === undefined) return NONE;
    const text = `${quantity(figure.median, figure.unit)}${note(systems[at])}`;
    return figure.median === top ? `**${text}**` : text;
  });
  return { cells: [title, ...cells], best: systems.filter((_, at) => figures[at]?.median === top) };
}

function page(results, drawn) {
  const sections = [
    ["Who is first", whoIsFirst(results)],
    ["Search", search(results, drawn)],
    ["Opening", opening(results, drawn)],
    ["Adding", adding(results, drawn)],
    ["A conversation", conversation(results)],
    ["Memory and downloads", sizes(results)],
    ["Retrieval", retrieval(results)],
    ["How it is measured", method(results)],
    ["Not measured", notMeasured(results)],
    ["Measured by other commands", elsewhere(results)],
    ["Where the figures come from", origin(results)],
  ];
  const parts = sections.map(([title, text]) => `## ${title}\n\n${text}`);
  return `<!-- Written by \`cargo xtask results --publish\` from results.json. Do not edit. -->

# Keepsake beside other libraries

Search, adding, opening, memory and downloads of ${results.systems.length} systems, measured in one run on the same texts:
${day(results)}, ${browserOf(results)} and Node ${results.versions.node}, ${machineOf(results)}.
\`${commandOf(results)}\` measures them again; all figures are in [results.json](results.json).

The best figure of a column is bold. Below a figure is how many times Keepsake's it is, and the range of its rounds.
${warnings(results)}
${parts.join("\n\n")}
`;
}

function warnings({ clean, machine }) {
  const all = [
    !clean && "The working tree had changes that are not in the commit named below.",
    machine.load > machine.cpus / 2 &&
      `The machine was busy when the run began: a load of ${machine.load.toFixed(1)} on ${machine.cpus} processors.`,
  ];
  return all.flatMap((text) => (text ? [`\n> ${text}\n`] : [])).join("");
}

function whoIsFirst(results) {
  const all = comparisons(results);
  const tally = (verdict) => all.filter((one) => one.verdict === verdict).length;
  const usual = results.plan.sizes.at(-1);
  return `Keepsake is first in **${tally("first")}** comparisons, even in **${tally("even")}** (equal, or the rounds disagree),
and behind in **${tally("behind")}**.

${PROSE.verdicts}

${verdictMarkdown(all)}

### Against each of them

${PROSE.duels(usual)}

${duelMarkdown(duels(results), usual)}`;
}

const columnsOf = ({ plan }, ...whats) =>
  plan.sizes.flatMap((entries) =>
    whats.map(([what, title]) => ({ what, entries, title: `${title}, ${count(entries)}` })),
  );

const figure = (drawn, what, alt) => (drawn[what] ? `![${alt}](${drawn[what].file})\n\n` : "");

function search(results, drawn) {
  const columns = columnsOf(results, ["search", "median"], ["r5", "R@5"]);
  const inNode = results.figures.filter(({ what, where }) => what === "search" && where === "node");
  const measured = columns.filter(({ entries }) => inNode.some((one) => one.entries === entries));
  const node =
    measured.length > 0 ? `\n\n### Search in Node\n\n${systemTable(results, "node", measured)}` : "";
  return `${PROSE.search}

${figure(drawn, "search", "Time of a search by the number of entries")}### Search in Chromium

${systemTable(results, "chromium", columns)}${node}`;
}

function opening(results, drawn) {
  return `${PROSE.open}

${figure(drawn, "open", "Time from a new page to the first hit by the number of entries")}${systemTable(
  results,
  "chromium",
  columnsOf(results, ["open", "first hit"]),
)}`;
}

function adding(results, drawn) {
  return `${PROSE.add}

### One add

${figure(drawn, "add", "Time of one add by the number of entries")}${systemTable(results, "chromium", columnsOf(results, ["add", "one add"]))}

### All of them in a batch

${figure(drawn, "batch", "Time of a batch by the number of entries")}${systemTable(results, "chromium", columnsOf(results, ["batch", "batch"]))}`;
}

function conversation(results) {
  const { messages } = results.plan;
  const column = (what, title) => ({ what, entries: messages, title });
  return `${PROSE.dialog(messages)}

### One append, beside a put of the same bytes

${systemTable(results, "chromium", [column("append", "one message")])}

### A prompt of 4,000 tokens

${PROSE.prompt}

${systemTable(results, "chromium", [column("prompt", "prompt"), column("first prompt", "the first one")])}`;
}

function sizes(results) {
  const entries = usualOf(results);
  const columns = [
    { what: "memory", entries, title: "together" },
    { what: "wasm", entries, title: "wasm" },
    { what: "heap", entries, title: "JavaScript" },
  ];
  const files = [
    { what: "download to the first hit", entries: undefined, title: "to the first hit" },
    { what: "download in all", entries: undefined, title: "a second later" },
  ];
  return `### Memory with ${count(entries)} entries

${PROSE.memory}

${systemTable(results, "chromium", columns)}

### Download

${PROSE.download}

${systemTable(results, "chromium", files)}`;
}

function retrieval({ retrieval: rows, goals }) {
  if (rows.length === 0) return "Not part of this run: it needs a folder of data, named with `--data`.";
  const tables = [...bySet(rows)].map(([set, own]) => {
    const limits = goals.filter((one) => one.set === set);
    return `### ${set}\n\n${retrievalMarkdown(own, limits)}`;
  });
  const gaps = rivalsOf(rows).map((rival) => [rival, against(rows, rival)]);
  return `${PROSE.retrieval(rows.length)} \`cargo xtask eval --check\` fails below a floor; a goal is what was aimed at.

${gapMarkdown(gaps)}

${tables.join("\n\n")}`;
}

function method({ plan, systems, versions }) {
  const rows = systems.map(({ name, package: of, setup }) => [
    name,
    of ? `\`${of}\` ${versions[of]}` : "",
    setup,
  ]);
  const columns = [{ title: "system" }, { title: "package" }, { title: "set-up" }];
  return `${PROSE.method(plan.rounds)}

${markdownTable(columns, rows)}`;
}

function notMeasured({ missing }) {
  if (missing.length === 0) return "Nothing is missing.";
  const rows = missing.map(({ what, system, where, entries, reason }) => [
    system,
    entries ? `${what}, ${count(entries)}` : what,
    where,
    reason,
  ]);
  const columns = ["system", "figure", "in", "reason"].map((title) => ({ title }));
  return markdownTable(columns, rows);
}

function elsewhere({ recorded }) {
  const rows = recorded.map(({ title, file, command }) => [
    `[${title}](${file.replace(/^docs\//, "../")})`,
    command ? `\`${command}\`` : "each row names its command",
  ]);
  return markdownTable([{ title: "figures" }, { title: "command" }], rows);
}

function origin({ date, commit, clean, modules, data, machine, versions }) {
  const facts = [
    ["date", date],
    ["commit", `${commit}${clean ? "" : ", with changes"}`],
    ["build", "release"],
    ["browser, Node", `${versions.browser}, ${versions.node}`],
    ["machine", machineOf({ machine })],
    ["load at the start", machine.load.toFixed(2)],
  ];
  const hashes = Object.entries({ ...modules, ...data });
  return `${markdownTable([{ title: "" }, { title: "" }], facts)}

SHA-256 of the modules and of the data. The data itself is not in the repository.

${markdownTable(
  [{ title: "file" }, { title: "SHA-256" }],
  hashes.map(([name, hash]) => [name, `\`${hash}\``]),
)}`;
}
