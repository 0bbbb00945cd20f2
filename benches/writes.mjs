// What writes cost in a real browser, one by one and many at once, beside IndexedDB itself:
// `node benches/writes.mjs [--single 500] [--many 3000] [--rounds 3]`.

import { parseArgs } from "node:util";
import { tabs } from "./bench/tabs.mjs";
import { table } from "./table.mjs";

const { values } = parseArgs({
  options: {
    single: { type: "string", default: "500" },
    many: { type: "string", default: "3000" },
    rounds: { type: "string", default: "3" },
  },
});

const browser = await tabs();
try {
  const tab = await browser.tab();
  const { add, put } = await tab.call("writes", "single", Number(values.single));
  const many = await tab.call("writes", "many", Number(values.many), Number(values.rounds));
  const ms = (time) => `${time.toFixed(2)} ms`;
  const times = (time, beside) => `${(time / beside).toFixed(2)} ×`;
  console.log(
    table([
      ["one at a time", "p50", "p95", "beside a put"],
      ["put", ms(put.p50), ms(put.p95), ""],
      ["add", ms(add.p50), ms(add.p95), times(add.p50, put.p50)],
    ]),
  );
  console.log(
    table([
      [`${values.many} at once`, "time", "page blocked", "beside raw puts"],
      ...Object.entries(many).map(([name, { time, longest }]) => {
        return [name, ms(time), ms(longest), times(time, many.raw.time)];
      }),
    ]),
  );
} finally {
  await browser.close();
}
