// Lines over two logarithmic axes as SVG. Each line has its name at its end, so that no legend has to be matched by colour.

import { count, escaped } from "./words.mjs";

const WIDTH = 860;
const HEIGHT = 420;
const LEFT = 78;
const RIGHT = 210;
const TOP = 44;
const BOTTOM = 48;
const INSET = 26;
const LINE = 15;

/** Colours that are readable on a light page, and on a dark one. */
const COLOURS = [
  ["#0b57d0", "#7cacf8"],
  ["#b3261e", "#f2998f"],
  ["#7a5c00", "#dcbd5a"],
  ["#a15c00", "#f0a95a"],
  ["#146c2e", "#74c98a"],
  ["#6b3fa0", "#c3a0ee"],
  ["#00696e", "#5fc9cf"],
  ["#8c1d6b", "#ea93cb"],
  ["#b0507a", "#f4a9c4"],
  ["#4a4a4a", "#b8b8b8"],
  ["#767676", "#8e8e8e"],
  ["#3d5a80", "#98b9e0"],
  ["#5d6d1e", "#b9cb6b"],
  ["#7d4e3b", "#d3a692"],
];

const rules = (at) =>
  COLOURS.map((pair, number) => `.c${number} { stroke: ${pair[at]} } .t${number} { fill: ${pair[at]} }`).join(
    "\n  ",
  );

const STYLE = `
  .page { fill: #ffffff }
  text { font: 12px system-ui, sans-serif; fill: #4b535c }
  .title { font-size: 14px; font-weight: 600; fill: #1b1f24 }
  .grid { stroke: #e3e7eb; stroke-width: 1 }
  .line { fill: none; stroke-width: 1.75; stroke-linejoin: round }
  .own { stroke-width: 3.5 }
  text.own { font-weight: 700 }
  .lead { stroke-width: 0.75; opacity: 0.5; fill: none }
  ${rules(0)}
  @media (prefers-color-scheme: dark) {
  .page { fill: #14171a }
  text { fill: #a5adb6 }
  .title { fill: #eef1f4 }
  .grid { stroke: #2a2f35 }
  ${rules(1)}
  }`;

/** `lines` are `{ name, own, colour, points: [[x, y]] }`; `label` writes a value of the y axis. */
export function logPlot({ title, xTitle, lines, label }) {
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const ys = lines.flatMap(({ points }) => points.map(([, y]) => y));
  const [low, high] = [Math.floor(Math.log10(Math.min(...ys))), Math.ceil(Math.log10(Math.max(...ys)))];
  const top = Math.max(high, low + 1);
  const [first, last] = [Math.log10(xs[0]), Math.log10(xs.at(-1))];
  const width = WIDTH - LEFT - RIGHT - 2 * INSET;
  const across = (x) =>
    LEFT + INSET + (last === first ? width / 2 : ((Math.log10(x) - first) / (last - first)) * width);
  const down = (y) => HEIGHT - BOTTOM - ((Math.log10(y) - low) / (top - low)) * (HEIGHT - TOP - BOTTOM);

  const grid = [];
  for (let power = low; power <= top; power += 1) {
    const y = down(10 ** power).toFixed(1);
    grid.push(
      `<path class="grid" d="M${LEFT} ${y}H${WIDTH - RIGHT}"/>`,
      `<text x="${LEFT - 8}" y="${Number(y) + 4}" text-anchor="end">${escaped(label(Number(`1e${power}`)))}</text>`,
    );
  }
  const ticks = xs.map((x) => {
    const at = across(x).toFixed(1);
    return `<path class="grid" d="M${at} ${TOP}V${HEIGHT - BOTTOM}"/><text x="${at}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${count(x)}</text>`;
  });
  const drawn = lines.map(({ own, colour, points }) => {
    const placed = points.map(([x, y]) => `${across(x).toFixed(1)},${down(y).toFixed(1)}`);
    const dots = placed.map((point) => {
      const [x, y] = point.split(",");
      return `<circle class="t${colour}" cx="${x}" cy="${y}" r="${own ? 4.5 : 3}"/>`;
    });
    return `<polyline class="line c${colour}${own ? " own" : ""}" points="${placed.join(" ")}"/>${dots.join("")}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}
</style>
<rect class="page" width="${WIDTH}" height="${HEIGHT}"/>
<text class="title" x="${LEFT}" y="22">${escaped(title)}</text>
${grid.join("\n")}
${ticks.join("\n")}
${drawn.join("\n")}
${names(lines, across, down).join("\n")}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(xTitle)}</text>
</svg>
`;
}

/** Names to the right, pushed apart where they would overlap, each with a thin line from the end of its own. */
function names(lines, across, down) {
  const placed = lines
    .map((line) => ({ ...line, end: line.points.at(-1) }))
    .map((line) => ({ ...line, from: [across(line.end[0]), down(line.end[1])] }))
    .sort((one, other) => one.from[1] - other.from[1]);
  const at = spaced(placed.map(({ from }) => from[1]));
  const x = WIDTH - RIGHT + 14;
  return placed.map(({ name, own, colour, from }, row) => {
    const y = at[row];
    return `<path class="lead c${colour}" d="M${(from[0] + 6).toFixed(1)} ${from[1].toFixed(1)}L${x - 4} ${y.toFixed(1)}"/><text class="t${colour}${own ? " own" : ""}" x="${x}" y="${(y + 4).toFixed(1)}">${escaped(name)}</text>`;
  });
}

/** The same heights in the same order, at least a line apart and within the frame. */
function spaced(heights) {
  const at = [...heights];
  for (let row = 1; row < at.length; row += 1) at[row] = Math.max(at[row], at[row - 1] + LINE);
  let floor = HEIGHT - BOTTOM;
  for (let row = at.length - 1; row >= 0; row -= 1) {
    at[row] = Math.min(at[row], floor);
    floor = at[row] - LINE;
  }
  return at;
}
