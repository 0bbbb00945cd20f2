// Line charts as SVG, one below the other over the same x axis.

const WIDTH = 760;
const HEIGHT = 150;
const LEFT = 70;
const RIGHT = 40;
const TOP = 34;
const BOTTOM = 40;

/** The background is part of the image, so that it is readable in a light page and in a dark one. */
const STYLE = `
  .page { fill: #ffffff }
  text { font: 12px system-ui, sans-serif; fill: #424a53 }
  .title { font-weight: 600; fill: #1f2328 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .line { fill: none; stroke: #0969da; stroke-width: 2; stroke-linejoin: round }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 }
    text { fill: #9198a1 }
    .title { fill: #f0f6fc }
    .grid { stroke: #30363d }
    .line { stroke: #4493f8 }
  }`;

/** `charts` have a title and the y value of each x value. Every y axis begins at 0. */
export function plot({ title, xTitle, xs, charts }) {
  const last = Math.max(...xs, 1);
  const across = (x) => LEFT + (x / last) * (WIDTH - LEFT - RIGHT);
  const height = charts.length * HEIGHT + BOTTOM;
  const drawn = charts.map(({ title, ys }, at) => {
    const most = roundUp(Math.max(...ys, 1));
    const bottom = (at + 1) * HEIGHT;
    const down = (y) => bottom - (y / most) * (HEIGHT - TOP);
    const grid = [0, most / 2, most].map(
      (y) =>
        `<path class="grid" d="M${LEFT} ${down(y)}H${WIDTH - RIGHT}"/><text x="${LEFT - 8}" y="${down(y) + 4}" text-anchor="end">${number(y)}</text>`,
    );
    const points = ys.map((y, n) => `${across(xs[n]).toFixed(1)},${down(y).toFixed(1)}`);
    return `<text class="title" x="${LEFT}" y="${bottom - HEIGHT + TOP - 12}">${title}</text>
${grid.join("\n")}
<polyline class="line" points="${points.join(" ")}"/>`;
  });
  const ticks = [0, 1, 2, 3, 4].map((quarter) => {
    const x = (last * quarter) / 4;
    return `<text x="${across(x)}" y="${height - BOTTOM + 18}" text-anchor="middle">${number(x)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
<style>${STYLE}
</style>
<rect class="page" width="${WIDTH}" height="${height}"/>
${drawn.join("\n")}
${ticks.join("\n")}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${height - 6}" text-anchor="middle">${xTitle}</text>
</svg>
`;
}

function number(value) {
  return value.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

/** The next of 1, 2, 4, 5 and 8, and these times a power of ten. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 4, 5, 8, 10].find((step) => step * power >= value);
}
