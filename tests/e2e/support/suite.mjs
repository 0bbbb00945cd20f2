// Runs a suite that was written for vitest where vitest cannot be: in a page. The expectations are vitest's own.

import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from "@vitest/expect";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect);
Object.assign(expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
/** Ends the spec at once: one that goes on after a failure fails no less. */
expect.soft = expect;

const HOOKS = ["beforeAll", "beforeEach", "afterEach", "afterAll"];

function groupOf(name) {
  return { name, children: [], ...Object.fromEntries(HOOKS.map((hook) => [hook, []])) };
}

/** Everything that `define` describes, with the names of vitest in its hands. */
function collected(define) {
  const all = groupOf("");
  let group = all;
  const describe = (name, define) => {
    const [outer, inner] = [group, groupOf(name)];
    outer.children.push(inner);
    group = inner;
    define();
    group = outer;
  };
  const it = (name, run) => group.children.push({ name, run });
  it.skip = (name) => group.children.push({ name, run: undefined });
  for (const one of [describe, it]) {
    one.each = (rows) => (name, run) => {
      for (const row of rows) one(`${name} ${row.description ?? row}`, () => run(row));
    };
  }
  const hooks = HOOKS.map((hook) => [hook, (run) => group[hook].push(run)]);
  Object.assign(globalThis, { describe, it, test: it, expect, ...Object.fromEntries(hooks) });
  define();
  return all;
}

/** Runs the specs one after the other. Answers how many passed, and which did not, and why. */
export async function runSuite(define) {
  const result = { passed: 0, failed: [], skipped: [] };
  const runAll = async (hooks) => {
    for (const hook of hooks) await hook();
  };
  const runSpec = async ({ run }, groups) => {
    for (const { beforeEach } of groups) await runAll(beforeEach);
    try {
      await run();
    } finally {
      for (const { afterEach } of groups.toReversed()) await runAll(afterEach);
    }
  };
  const runGroup = async (group, outer) => {
    const groups = [...outer, group];
    const at = (name) => [...groups.map(({ name }) => name), name].filter(Boolean).join(" > ");
    const noted = (name) => (error) => result.failed.push(`${at(name)}: ${error?.message}`);
    await runAll(group.beforeAll).catch(noted("beforeAll"));
    for (const child of group.children) {
      if (child.children) await runGroup(child, groups);
      else if (!child.run) result.skipped.push(at(child.name));
      else await runSpec(child, groups).then(() => (result.passed += 1), noted(child.name));
    }
    await runAll(group.afterAll).catch(noted("afterAll"));
  };
  await runGroup(collected(define), []);
  return result;
}
