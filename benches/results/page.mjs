// Writes the plots, and the page with everything in it.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { comparisons, duels } from "./report/compare.mjs";
import { plots } from "./report/plots.mjs";
import { PROSE } from "./report/prose.mjs";
import { retrievalSection } from "./report/retrieval.mjs";
import { STYLE } from "./report/style.mjs";
import { bySystem, duelTable, htmlTable, recordedTable, verdictTable } from "./report/tables.mjs";
import { commandOf, count, escaped, inline, quantity } from "./report/words.mjs";

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
<code>${commandOf(results)}</code></p>
${warnings(results)}
<nav>${links.join("\n")}</nav>
${parts.join("\n")}
</main></body>
</html>
`;
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
${prose(PROSE.verdicts)}
${verdictTable(all)}
<h3>Against each of them</h3>
${prose(PROSE.duels(usual))}
${duelTable(duels(results), usual)}`;
}

const prose = (text) => `<p>${inline(text)}</p>`;

const figure = (drawn, what) => (drawn[what] ? `<figure>${drawn[what].svg}</figure>` : "");

const columnsOf = ({ plan }, ...whats) =>
  plan.sizes.flatMap((entries) =>
    whats.map(([what, title]) => ({ what, entries, title: `${title}<br>${count(entries)}` })),
  );

function search(results, drawn) {
  const columns = columnsOf(results, ["search", "median"], ["r5", "R@5"]);
  const inNode = results.figures.some(({ what, where }) => what === "search" && where === "node");
  return `${prose(PROSE.search)}
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
  return `${prose(PROSE.open)}
${figure(drawn, "open")}
${bySystem(results, "chromium", columnsOf(results, ["open", "first hit"]))}`;
}

function adding(results, drawn) {
  return `${prose(PROSE.add)}
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
  return `${prose(PROSE.dialog(messages))}
<h3>One append, beside a put of the same bytes</h3>
${bySystem(results, "chromium", column("append", "one message"))}
<h3>A prompt of 4,000 tokens</h3>
${prose(PROSE.prompt)}
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
${prose(PROSE.memory)}
${bySystem(results, "chromium", columns)}
<h3>Download</h3>
${prose(PROSE.download)}
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
  return `${prose(PROSE.method(plan.rounds))}
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
