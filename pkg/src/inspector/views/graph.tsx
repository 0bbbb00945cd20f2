// The knowledge graph: a drawing, and a list of all entities.

import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { Graph } from "../../wire/graph.js";
import { useInside } from "../inside.js";
import { TONES } from "../parts/bar.js";
import { useLive } from "../parts/live.js";
import { inShort } from "../parts/said.js";
import { Answer, Empty } from "../parts/state.js";
import { layout } from "./graph-layout.js";

/** The maximum number of entities that are read. */
const DRAWN = 60;
const LISTED = 200;
/** The width of the drawing: the available width, between these. */
const NARROW = 300;
const WIDE = 720;
const HEIGHT = 420;
const EDGE = 70;

export function GraphPane(): VNode {
  const { say } = useInside();
  const graph = useLive("graph", (memory) => memory.semantic.graph.read());
  return (
    <Answer of={graph}>
      {(all) =>
        all.entities.length === 0 ? (
          <Empty call="memory.semantic.graph.add({ entities, relations })">{say("noGraph")}</Empty>
        ) : (
          <Drawn graph={all} />
        )
      }
    </Answer>
  );
}

function Drawn({ graph }: { graph: Graph }): VNode {
  const { say, number, target } = useInside();
  const [open, setOpen] = useState<string>();
  useEffect(() => {
    if (target?.kind === "entity") setOpen(target.id);
  }, [target]);
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(WIDE);
  useEffect(() => {
    const room = box.current;
    if (!room) return;
    const fit = () => setWidth(Math.max(NARROW, Math.min(WIDE, room.clientWidth)));
    const observer = new ResizeObserver(fit);
    observer.observe(room);
    return () => observer.disconnect();
  }, []);
  const places = useMemo(() => layout(graph, DRAWN), [graph]);
  const types = [...new Set(graph.entities.map(({ type }) => type))];
  const nodes = places.map(({ name, type, x, y, degree }) => ({
    name,
    type,
    x: EDGE + x * (width - 2 * EDGE),
    y: 24 + y * (HEIGHT - 56),
    r: 5 + Math.min(7, degree),
  }));
  const at = new Map(nodes.map((node) => [node.name, node]));
  const edges = graph.relations.flatMap(({ from, to, type }) => {
    const [one, other] = [at.get(from), at.get(to)];
    const on = open === from || open === to;
    return one && other ? [{ one, other, type, on }] : [];
  });
  const count = say("graphCount", { n: graph.entities.length, relations: graph.relations.length });
  const listed = graph.entities.slice(0, LISTED);
  return (
    <div class="sides even">
      <section class="card">
        <p class="dim">
          {count}
          {graph.entities.length > DRAWN && ` ${say("graphDrawn", { shown: number(places.length) })}`}
        </p>
        <div class="drawing" ref={box} tabIndex={0} role="group" aria-label={say("graph")}>
          <svg class="graph" viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={count}>
            {edges.map(({ one, other, type, on }, n) => (
              <g key={n} class={on ? "relation on" : "relation"}>
                <line x1={one.x} y1={one.y} x2={other.x} y2={other.y} />
                {(on || places.length <= 12) && (
                  <text x={(one.x + other.x) / 2} y={(one.y + other.y) / 2 - 4}>
                    {inShort(type, 24)}
                  </text>
                )}
              </g>
            ))}
            {nodes.map(({ name, type, x, y, r }) => (
              // biome-ignore lint/a11y/noStaticElementInteractions: the list beside it has the same for the keyboard
              <g key={name} class={name === open ? "node on" : "node"} onClick={() => setOpen(name)}>
                <circle class={`tone-${types.indexOf(type) % TONES}`} cx={x} cy={y} r={r} />
                <text x={x} y={y + 15 + r}>
                  {inShort(name, 18)}
                </text>
              </g>
            ))}
            {edges.map(({ one, other, on }, n) => {
              // Above the names, which would hide it where there is little room.
              const angle = Math.atan2(other.y - one.y, other.x - one.x);
              return (
                <path
                  key={n}
                  class={on ? "head on" : "head"}
                  d="M-8-4L0 0L-8 4"
                  style={{
                    transform: `translate(${other.x}px,${other.y}px) rotate(${angle}rad) translate(${-other.r}px)`,
                  }}
                />
              );
            })}
          </svg>
        </div>
      </section>
      <section class="card side" aria-label={say("entities")}>
        <ul class="entities">
          {listed.map(({ name, type, observations }) => (
            <li key={name}>
              <details open={name === open} onToggle={(event) => event.currentTarget.open && setOpen(name)}>
                <summary>
                  {name} <span class="dim">{type}</span>
                </summary>
                <ul>
                  {observations.map((text, n) => (
                    <li key={n}>{text}</li>
                  ))}
                  {graph.relations
                    .filter(({ from, to }) => from === name || to === name)
                    .map(({ from, type: how, to }) => (
                      <li key={JSON.stringify([from, how, to])}>
                        {from} <i>{how}</i> {to}
                      </li>
                    ))}
                </ul>
              </details>
            </li>
          ))}
        </ul>
        {graph.entities.length > LISTED && (
          <p class="dim">{say("firstOf", { shown: number(LISTED), n: graph.entities.length })}</p>
        )}
      </section>
    </div>
  );
}
