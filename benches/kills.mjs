// Kills in the real thing: `node benches/kills.mjs --in chromium|firefox|node|workerd|wasmtime [--rounds 100] [--seed N]`. In
// each round several writers do mixed work, the host is killed with SIGKILL at a random moment and started again on the same
// storage, and everything is read back: each acknowledged write must be there, and each other one as a whole or not at all.
// Exits with 1 if that does not hold.

import { parseArgs } from "node:util";
import { rounds } from "./kills/rounds.mjs";
import { table } from "./table.mjs";

const HOSTS = {
  chromium: "browser",
  firefox: "browser",
  node: "node",
  workerd: "workerd",
  wasmtime: "wasmtime",
};

const { values } = parseArgs({
  options: {
    in: { type: "string", default: "node" },
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
  },
});
if (!Object.hasOwn(HOSTS, values.in))
  throw new Error(`\`--in\` must be one of ${Object.keys(HOSTS).join(", ")}`);
if (HOSTS[values.in] === "browser") process.env.KEEPSAKE_BROWSER = values.in;
const module = await import(`./kills/${HOSTS[values.in]}.mjs`);
const host = await module.host();
// Hosts end with this process, by its handlers of `exit`.
process.once("SIGINT", () => process.exit(130));
const begun = performance.now();
try {
  const { figures, faults } = await rounds({
    host,
    count: Number(values.rounds),
    seed: Number(values.seed),
    report({ round, figures, found, things }) {
      const bad = Object.entries(found).flatMap(([kind, list]) => list.map((what) => `  ${kind}: ${what}`));
      console.error(
        [`round ${round}: ${figures.acknowledged} acknowledged, ${things} things`, ...bad].join("\n"),
      );
    },
  });
  const { verbs, refused, unanswered, arrived, again } = figures;
  const rows = [
    ["host", values.in],
    ["seed", values.seed],
    ["rounds", `${figures.rounds}`],
    ["acknowledged", `${figures.acknowledged}`],
    ["without an answer, of these arrived", `${unanswered}, ${arrived}`],
    ...(host.asksAgain ? [["sent again under their keys", `${again}`]] : []),
    ["refused", JSON.stringify(refused)],
    ...Object.entries(faults).map(([kind, list]) => [kind, `${list.length}`]),
    ["seconds", ((performance.now() - begun) / 1000).toFixed(0)],
    [
      "operations",
      Object.entries(verbs)
        .map(([verb, times]) => `${verb} ${times}`)
        .join(", "),
    ],
  ];
  console.log(table(rows));
  if (Object.values(faults).some((list) => list.length > 0)) process.exitCode = 1;
} finally {
  await host.remove();
}
