// What axe finds wrong with a page, in any browser and under any policy.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { BROWSER } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RUN = "axe.run(document, { resultTypes: ['violations'] })";
/** A colour in the middle of a fade is nobody's: waits for all that moves and will come to rest. */
const REST = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => true)`;

/** Runs a text as the browser's own tools do: the policy of the page is not asked. */
async function evaluator(page) {
  if (BROWSER !== "chromium") return { evaluate: (text) => page.evaluate(text), end: () => undefined };
  const tools = await page.context().newCDPSession(page);
  const evaluate = async (expression) => {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await tools.send("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  return { evaluate, end: () => tools.detach() };
}

/** What axe finds wrong with the page as it is now, a line each. */
export async function axeProblems(page) {
  const { evaluate, end } = await evaluator(page);
  try {
    await evaluate(`(() => { ${AXE} })()`);
    await evaluate(REST);
    const { violations } = await evaluate(RUN);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${help} at ${target.flat().join(" ")}: ${failureSummary}`,
      ),
    );
  } finally {
    await end();
  }
}
