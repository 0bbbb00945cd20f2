// Writes the plots, and the page with everything in it.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { comparisons, duels } from "./report/compare.mjs";
import { plots } from "./report/plots.mjs";
import { retrievalSection } from "./report/retrieval.mjs";
import { STYLE } from "./report/style.mjs";
import { bySystem, duelTable, htmlTable, recordedTable, verdictTable } from "./report/tables.mjs";
import { count, escaped, inline, quantity } from "./report/words.mjs";

export async function render(results, folder) {
  const drawn = plots(results);
  for (const { file, svg } of Object.values(drawn)) await writeFile(join(folder, file), svg);
  await writeFile(join(folder, "index.html"), page(results, drawn));
}

function page(results, drawn) {
  const sections = [
    ["first", "Who is first", whoIsFirst(results)],
    ["search", "Search", search(results, drawn)],
    ["open", "Opening", opening(results, drawn)],
    ["adds", "Adding", adding(results, drawn)],
    ["dialog", "A conversation", conversation(results)],
    ["sizes", "Memory and downloads", sizes(results)],
    ["retrieval", "Retrieval", retrievalSection(results.retrieval)],
    ...results.recorded.map((table, at) => [`recorded-${at}`, table.title.split(":")[0], fromDocs(table)]),
    ["method", "How it is measured", method(results)],
    ["missing", "Not measured", notMeasured(results)],
    ["origin", "Where the figures come from", origin(results)],
  ];
  const links = sections.map(([id, title]) => `<a href="#${id}">${escaped(title)}</a>`);
  const parts = sections.map(
    ([id, title, html]) => `<section id="${id}"><h2>${escaped(title)}</h2>${html}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Keepsake beside other libraries</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body><main>
<h1>Keepsake beside other libraries</h1>
<p class="lede">Search, adding, opening and memory, measured in one run on the same texts. To repeat it:
<code>${command(results)}</code></p>
${warnings(results)}
<nav>${links.join("\n")}</nav>
${parts.join("\n")}
</main></body>
</html>
`;
}

function command({ options, retrieval }) {
  const flags = [
    options.quick && "--quick",
    options.full && "--full",
    retrieval.length > 0 && "--data FOLDER",
  ];
  return ["cargo xtask results", ...flags.filter(Boolean)].join(" ");
}

function warnings({ release, clean, machine, options }) {
  const all = [
    !release && "The package is not a release build: its times and sizes are not those of the shipped one.",
    !clean && "The working tree had changes that are not in the commit named below.",
    machine.load > machine.cpus / 2 &&
      `The machine was busy when the run began (load ${machine.load.toFixed(1)}).`,
    options.quick && "A quick run: one size, three rounds, two rivals.",
  ];
  return all.flatMap((text) => (text ? [`<p class="warning">${text}</p>`] : [])).join("\n");
}

function whoIsFirst(results) {
  const all = comparisons(results);
  const usual = results.plan.sizes.at(-1);
  const tally = (verdict) => all.filter((one) => one.verdict === verdict).length;
  const words = {
    first: "Keepsake is first",
    even: "even: equal, or the rounds disagree",
    behind: "another is first",
  };
  const boxes = Object.entries(words).map(
    ([verdict, text]) => `<li><b class="${verdict}">${tally(verdict)}</b>${text}</li>`,
  );
  return `<ul class="tally">${boxes.join("")}</ul>
<p>Each line compares Keepsake with the best of the others at the same size. Adds that are stored when they return, and adds
that are not, have a line each. It is decided if four of five rounds agree.</p>
${verdictTable(all)}
<h3>Against each of them</h3>
<p>The same comparisons in Chromium with one rival at a time, at ${count(usual)} entries unless another size is named. None of them does all that the others do: the search libraries store nothing
by themselves, and the stores without an index read every text.</p>
${duelTable(duels(results), usual)}`;
}

const figure = (drawn, what) => (drawn[what] ? `<figure>${drawn[what].svg}</figure>` : "");

const columnsOf = ({ plan }, ...whats) =>
  plan.sizes.flatMap((entries) =>
    whats.map(([what, title]) => ({ what, entries, title: `${title}<br>${count(entries)}` })),
  );

function search(results, drawn) {
  const columns = columnsOf(results, ["search", "median"], ["r5", "R@5"]);
  const inNode = results.figures.some(({ what, where }) => what === "search" && where === "node");
  return `<p>A question of 5 to 9 words, five hits. The median of a round is one sample. R@5 is in how many of 100 questions
the one text with all of its words is among the five hits; other texts hold all but one of them, some twice. The data has
the words of a question in other forms, too, so stemming helps.</p>
${figure(drawn, "search")}
<h3>Chromium</h3>
${bySystem(results, "chromium", columns)}
${
  inNode
    ? `<h3>Node</h3>${bySystem(
        results,
        "node",
        columns.filter(({ entries }) => entries <= 20_000),
      )}`
    : ""
}`;
}

function opening(results, drawn) {
  return `<p>A new page, from nothing loaded to the first hit: scripts, modules, stored data and one search. Libraries with an
index in memory load the one that they saved in IndexedDB. Files come from this machine, so the time to download them is not
part of it.</p>
${figure(drawn, "open")}
${bySystem(results, "chromium", columnsOf(results, ["open", "first hit"]))}`;
}

function adding(results, drawn) {
  return `<p>Texts of 500 characters. One add is the median of 20 in a row. A batch ends when everything is stored: libraries with
an index in memory save all of it at the end, and a single add of theirs is not stored.</p>
<h3>One add</h3>
${figure(drawn, "add")}
${bySystem(results, "chromium", columnsOf(results, ["add", "one add"]))}
<h3>All of them in a batch</h3>
${figure(drawn, "batch")}
${bySystem(results, "chromium", columnsOf(results, ["batch", "batch"]))}`;
}

function conversation(results) {
  const { messages } = results.plan;
  const column = (what, title) => [{ what, entries: messages, title }];
  return `<p>A conversation of ${count(messages)} messages in IndexedDB. Appends and raw puts take turns; the range is the
middle half of the calls.</p>
<h3>One append, beside a put of the same bytes</h3>
${bySystem(results, "chromium", column("append", "one message"))}
<h3>A prompt of 4,000 tokens</h3>
<p>A raw read of 30 messages is shown for scale. It searches nothing and makes no prompt.</p>
${bySystem(results, "chromium", [...column("prompt", "prompt"), ...column("first prompt", "the first one")])}`;
}

function sizes(results) {
  const parts = [
    ["heap", "JavaScript"],
    ["wasm", "wasm"],
    ["memory", "together"],
  ];
  const largest = results.plan.sizes.findLast((entries) => entries <= 20_000);
  const columns = parts.toReversed().map(([what, title]) => ({ what, entries: largest, title }));
  const files = [
    { what: "download to the first hit", entries: undefined, title: "to the first hit" },
    { what: "download in all", entries: undefined, title: "a second later" },
  ];
  return `<h3>Memory with ${count(largest)} entries</h3>
<p>After opening in a new page and asking a few questions: the growth of the JavaScript heap after a garbage collection, and the linear
memory of wasm modules. The heap of SQLite’s worker is not part of it.</p>
${bySystem(results, "chromium", columns)}
<h3>Download</h3>
<p>The files that the page asked for, minified by one bundler, each with brotli at its best. They differ in what they can do:
the search libraries store nothing by themselves.</p>
${bySystem(results, "chromium", files)}`;
}

const fromDocs = ({ command, ...table }) => `<p>${escaped(table.title)}. Not measured in this run: read from
<code>${escaped(table.file)}</code>; ${command ? `the command is <code>${escaped(command)}</code>` : "each row names its command"}.</p>
${recordedTable(table)}`;

function method({ plan, systems, versions }) {
  const rows = systems.map(({ name, package: of, setup }) => ({
    own: name === "Keepsake",
    cells: [
      `${escaped(name)}<small>${of ? `${escaped(of)} ${escaped(versions[of])}` : ""}</small>`,
      inline(setup),
    ],
  }));
  return `<p>Systems take turns within each of ${plan.rounds} rounds, and each round begins with another one. A figure is the median
of the rounds; the range below it is the least and the most. Batches have at most 3 rounds, and one above 20,000 entries. In
Chromium each system has a page of its own, in a profile on the disk; in Node a process of its own. A slow system is asked
fewer questions in a round, at least 20. The texts and questions are made from numbers, so they are the same everywhere; each
library is set up as its own documentation says for questions in which not every word has to match.</p>
${htmlTable([{ title: "system" }, { title: "set-up" }], rows)}`;
}

function notMeasured({ missing }) {
  if (missing.length === 0) return "<p>Nothing is missing.</p>";
  const rows = missing.map(({ what, system, where, entries, reason }) => ({
    cells: [
      escaped(system),
      `${escaped(what)}${entries ? `, ${count(entries)}` : ""}`,
      escaped(where),
      inline(reason),
    ],
  }));
  return htmlTable([{ title: "system" }, { title: "figure" }, { title: "in" }, { title: "reason" }], rows);
}

function origin({ date, commit, clean, modules, data, versions, machine }) {
  const facts = [
    ["date", date],
    ["commit", `${commit}${clean ? "" : ", with changes"}`],
    ["browser, Node", `${versions.browser}, ${versions.node}`],
    ["machine", `${machine.cpu}, ${machine.cpus} processors, ${quantity(machine.memory, "bytes")}`],
    ["load at the start", machine.load.toFixed(2)],
  ];
  const hashes = Object.entries({ ...modules, ...data });
  const rows = (pairs, code) =>
    pairs.map(([name, value]) => ({
      cells: [escaped(name), code ? `<code>${escaped(value)}</code>` : escaped(value)],
    }));
  return `${htmlTable([{ title: "" }, { title: "" }], rows(facts, false))}
<p>SHA-256 of the modules and of the data. All figures are in <code>results.json</code> beside this page.</p>
${htmlTable([{ title: "file" }, { title: "SHA-256" }], rows(hashes, true))}`;
}
