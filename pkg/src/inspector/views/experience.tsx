// Experience: steps by task and tool, their latency and cost, failures, and learned skills.

import type { RefObject, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { StepExperience, ToolStats, Trace } from "../../wire/experience.js";

import type { Skill } from "../../wire/procedural.js";
import { type AnyMemory, useInside } from "../inside.js";
import { Share } from "../parts/bar.js";
import { Columns, Rows } from "../parts/chart.js";
import { useLive } from "../parts/live.js";
import { SessionRef } from "../parts/ref.js";
import { inShort, written } from "../parts/said.js";
import { Answer, Empty } from "../parts/state.js";
import { SkillCards } from "./skills.js";

const SHOWN = 50;
/** How many of the last steps a chart shows. */
const CHARTED = 60;

interface Tried {
  tools: ToolStats[];
  steps: number;
  failures: StepExperience[];
  successes: Trace[];
  learned: Skill[];
}

async function triedIn(memory: AnyMemory): Promise<Tried> {
  const [{ steps, tools }, failures, successes, skills] = await Promise.all([
    memory.experience.stats(),
    memory.experience.getFailures(null, SHOWN),
    memory.experience.getSuccessfulTraces(null, SHOWN),
    memory.procedural.list(),
  ]);
  return { steps, tools, failures, successes, learned: skills.filter(({ learned }) => learned) };
}

export function ExperienceView(): VNode {
  const { say } = useInside();
  const tried = useLive("experience", triedIn);
  return (
    <Answer of={tried}>
      {(found) =>
        found.steps === 0 && found.learned.length === 0 ? (
          <Empty call="memory.experience.logStep({ … })">{say("noExperience")}</Empty>
        ) : (
          <>
            <Tools tools={found.tools} />
            <Charts {...found} />
            <section class="card">
              <h2>{say("learnedRules")}</h2>
              {found.learned.length === 0 ? (
                <Empty call="memory.learn()">{say("nothingLearned")}</Empty>
              ) : (
                <SkillCards skills={found.learned} />
              )}
            </section>
            <div class="columns">
              <section class="card">
                <h2>{say("failures", { n: found.failures.length })}</h2>
                {found.failures.map((step) => (
                  <Step key={step.n} step={step} />
                ))}
              </section>
              <section class="card">
                <h2>{say("successes", { n: found.successes.length })}</h2>
                {found.successes.map((trace) => (
                  <TraceFold key={trace.id} trace={trace} />
                ))}
              </section>
            </div>
          </>
        )
      }
    </Answer>
  );
}

function Tools({ tools }: { tools: ToolStats[] }): VNode {
  const { say, number, millis } = useInside();
  return (
    <section class="card table" tabIndex={0} aria-label={say("byTool")}>
      <table class="tools">
        <caption>{say("byTool")}</caption>
        <thead>
          <tr>
            <th scope="col">{say("toolName")}</th>
            <th scope="col">{say("successRate")}</th>
            <th scope="col" class="right">
              {say("stepCount")}
            </th>
            <th scope="col" class="right">
              {say("failed_short")}
            </th>
            <th scope="col" class="right">
              {say("latency")}
            </th>
            <th scope="col" class="right">
              {say("cost")}
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.map((tool) => (
            <tr key={JSON.stringify([tool.taskType, tool.toolName])}>
              <th scope="row">
                <code>{tool.toolName}</code>
                <div class="dim small">{tool.taskType}</div>
              </th>
              <td>
                <Share value={tool.successRate} label={say("successRate")} />
              </td>
              <td class="figure right">{number(tool.steps)}</td>
              <td class="figure right">{number(tool.failures)}</td>
              <td class="figure right">{tool.latencyMs === undefined ? "–" : millis(tool.latencyMs)}</td>
              <td class="figure right">{number(tool.cost, 4)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Charts({ tools, failures, successes }: Tried): VNode {
  const { say, number, millis, time } = useInside();
  const steps = new Map<number, StepExperience>();
  for (const step of [...failures, ...successes.flatMap((trace) => trace.steps)]) steps.set(step.n, step);
  const last = [...steps.values()].sort((one, other) => one.n - other.n).slice(-CHARTED);
  const points = (field: "latencyMs" | "cost") =>
    last.flatMap((step) => {
      const value = step[field];
      const name = `${step.toolName} ${time(step.at)}`;
      return value === undefined ? [] : [{ value, name, failed: !step.success }];
    });
  const cost = (value: number) => number(value, 4);
  const byTool = new Map<string, { spent: number; millis: number; timed: number }>();
  for (const { toolName, cost: spent, latencyMs, steps: count } of tools) {
    const sum = byTool.get(toolName) ?? { spent: 0, millis: 0, timed: 0 };
    sum.spent += spent;
    if (latencyMs !== undefined) {
      sum.millis += latencyMs * count;
      sum.timed += count;
    }
    byTool.set(toolName, sum);
  }
  const names = [...byTool].slice(0, 12);
  return (
    <div class="columns">
      <section class="card" aria-label={say("latency")}>
        <Columns label={say("latencyOverTime")} points={points("latencyMs")} format={millis} />
        <Rows
          label={say("latencyByTool")}
          format={millis}
          rows={names.flatMap(([name, sum]) =>
            sum.timed > 0 ? [{ name, value: sum.millis / sum.timed }] : [],
          )}
        />
      </section>
      <section class="card" aria-label={say("cost")}>
        <Columns label={say("costOverTime")} points={points("cost")} format={cost} />
        <Rows
          label={say("costByTool")}
          format={cost}
          rows={names.map(([name, sum]) => ({ name, value: sum.spent }))}
        />
      </section>
    </div>
  );
}

/** A `details` element of a run: it opens when a link leads to the run. */
function usePointed(run: string | undefined): { ref: RefObject<HTMLDetailsElement | null>; class: string } {
  const { target } = useInside();
  const ref = useRef<HTMLDetailsElement>(null);
  const isPointed = target?.kind === "trace" && target.id === run;
  useEffect(() => {
    if (!isPointed || !ref.current) return;
    ref.current.open = true;
    ref.current.scrollIntoView({ block: "nearest" });
  }, [target]);
  return { ref, class: isPointed ? "step on" : "step" };
}

function Step({ step }: { step: StepExperience }): VNode {
  const { say, time, millis, number, hints } = useInside();
  // A success is linked as a whole run.
  const fold = usePointed(step.success ? undefined : step.traceId);
  return (
    <details {...fold}>
      <summary>
        <code>{step.toolName}</code> <span>{step.taskType}</span>{" "}
        <span class={step.success ? "tag" : "tag bad"}>
          {step.success ? say("went_well") : (step.errorType ?? say("failed_short"))}
        </span>
      </summary>
      {step.error !== undefined && <div class="text">{step.error}</div>}
      <p class="facts dim">
        <span>{time(step.at)}</span>
        {step.latencyMs !== undefined && <span>{millis(step.latencyMs)}</span>}
        {step.cost !== undefined && <span>{`${say("cost")} ${number(step.cost, 4)}`}</span>}
        {step.session !== undefined && <SessionRef id={step.session} />}
        {step.agent !== undefined && <span>{step.agent}</span>}
        {hints && step.traceId !== undefined && <span>{step.traceId}</span>}
      </p>
      {step.input !== undefined && <pre class="data">{written(step.input)}</pre>}
      {step.output !== undefined && <pre class="data">{written(step.output)}</pre>}
    </details>
  );
}

function TraceFold({ trace }: { trace: Trace }): VNode {
  const { say, time, millis, number, hints } = useInside();
  const [first] = trace.steps;
  const fold = usePointed(trace.id);
  return (
    <details {...fold}>
      <summary>
        {inShort(trace.taskType, 40)} <span class="dim">{hints ? trace.id : first && time(first.at)}</span>{" "}
        <span class="dim figure">
          {say("steps", { n: trace.steps.length })} · {millis(trace.latencyMs)} · {number(trace.cost, 4)}
        </span>
      </summary>
      {trace.steps.map((step) => (
        <Step key={step.n} step={step} />
      ))}
    </details>
  );
}
