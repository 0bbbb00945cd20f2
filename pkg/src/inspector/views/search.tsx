// Search: the hits of each ranking, the parts of every score, and why an entry is not found.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { MemoryHit, MemoryMiss } from "../../wire/search.js";
import { useInside } from "../inside.js";
import { Bar, Legend, type Part, TONES } from "../parts/bar.js";
import { useLive } from "../parts/live.js";
import { OutsideRef, Ref, SessionRef } from "../parts/ref.js";
import { inShort } from "../parts/said.js";
import { Answer, Empty, Failed } from "../parts/state.js";
import { Tags } from "../parts/tags.js";

const RANKINGS = ["best", "formula"] as const;
type Ranking = (typeof RANKINGS)[number];
type Hit = MemoryHit<string>;

const MOST = 20;

export function SearchView(): VNode {
  const { say, named, query: given, announce } = useInside();
  const [query, setQuery] = useState(given ?? "");
  const [namespace, setNamespace] = useState("");
  const asked = query.trim();
  const stats = useLive("stats", (memory) => memory.stats());
  const found = useLive(JSON.stringify([asked, namespace]), async (memory) => {
    const options = { explain: true, limit: MOST, namespace: namespace || undefined };
    const hits = (ranking: Ranking) => (asked ? memory.search(asked, { ...options, ranking }) : []);
    const [best, formula] = await Promise.all([hits("best"), hits("formula")]);
    return { best, formula, asked };
  });
  const hits = found.value?.asked === asked ? found.value : undefined;
  useEffect(() => {
    if (hits && asked) announce(say("hits", { n: hits.best.length }));
  }, [hits?.asked, hits?.best.length]);
  const namespaces = Object.keys(stats.value?.namespaces ?? {});
  return (
    <>
      <form class="controls" role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="wide">
          {say("search")}
          <input
            type="search"
            value={query}
            placeholder={say("searchHint")}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
        <label>
          {say("namespace")}
          <select value={namespace} onChange={(event) => setNamespace(event.currentTarget.value)}>
            <option value="">{say("all")}</option>
            {namespaces.map((name) => (
              <option key={name} value={name}>
                {named(name)}
              </option>
            ))}
          </select>
        </label>
      </form>
      {asked === "" ? (
        <Empty>{say("searchEmpty")}</Empty>
      ) : (
        <Answer of={found}>
          {({ best, formula, asked: answered }) => (
            <>
              <div class="columns">
                <Ranked ranking="best" hits={best} other={formula} query={answered} namespace={namespace} />
                <Ranked
                  ranking="formula"
                  hits={formula}
                  other={best}
                  query={answered}
                  namespace={namespace}
                />
              </div>
              <WhyNot query={answered} namespace={namespace} />
            </>
          )}
        </Answer>
      )}
    </>
  );
}

interface RankedProps {
  ranking: Ranking;
  hits: Hit[];
  /** The hits of the other ranking. */
  other: Hit[];
  query: string;
  namespace: string;
}

function Ranked({ ranking, hits, other, query, namespace }: RankedProps): VNode {
  const { say, named, number } = useInside();
  const labels = [...new Set(hits.flatMap(({ receipt = [] }) => receipt.map(({ label }) => label)))];
  const tone = (label: string) => labels.indexOf(label) % TONES;
  const most = Math.max(...hits.map(({ score }) => score), 0);
  const ids = new Set(hits.map(({ id }) => id));
  const missing = other.filter(({ id }) => !ids.has(id));
  return (
    <section class="card" data-ranking={ranking}>
      <h2>
        {say(`ranking_${ranking}`)} <span class="dim">{say("hits", { n: hits.length })}</span>
      </h2>
      {hits.length === 0 && <Empty>{say("noHits")}</Empty>}
      <Legend parts={labels.map((label) => ({ name: named(label), tone: tone(label) }))} />
      <ol class="hits">
        {hits.map((hit) => (
          <li key={hit.id}>
            <div class="line">
              <Ref to={{ kind: "entry", id: hit.id }}>{inShort(hit.summary, 160) || hit.id}</Ref>
              <b class="figure">{number(hit.score, 3)}</b>
            </div>
            <Bar
              label={say("receipt")}
              total={most}
              parts={(hit.receipt ?? []).map(
                ({ label, term, value }): Part => ({
                  name: term === undefined ? named(label) : say("scored", { name: named(label), term }),
                  value,
                  tone: tone(label),
                }),
              )}
            />
            <Facts hit={hit} />
          </li>
        ))}
      </ol>
      {missing.length > 0 && (
        <>
          <h3>{say("onlyOther")}</h3>
          <ul class="items missing">
            {missing.map(({ id, summary }) => (
              <li key={id}>
                <span class="grow">{inShort(summary, 80) || id}</span>
                <Verdict id={id} query={query} ranking={ranking} namespace={namespace} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Facts({ hit }: { hit: Hit }): VNode {
  const { named, label, time } = useInside();
  return (
    <p class="facts dim">
      <span>{named(hit.namespace)}</span>
      <span>{time(hit.at)}</span>
      {hit.speaker !== undefined && <span>{label(hit.speaker)}</span>}
      {hit.session !== undefined && <SessionRef id={hit.session} />}
      {hit.source !== undefined && (
        <OutsideRef to={{ kind: "source", ref: hit.source }}>{hit.source}</OutsideRef>
      )}
      <Tags of={hit.tags} />
    </p>
  );
}

interface VerdictProps {
  id: string;
  query: string;
  ranking: Ranking;
  namespace: string;
}

/** The reason why an entry is not among the hits, in words. */
function Verdict({ id, query, ranking, namespace }: VerdictProps): VNode {
  const inside = useInside();
  const options = { ranking, limit: MOST, namespace: namespace || undefined };
  const miss = useLive(JSON.stringify([id, query, options]), (memory) =>
    memory.explainMiss(id, query, options),
  );
  return (
    <span class="verdict dim">
      <Failed error={miss.error} />
      {miss.value && reasonOf(miss.value, inside)}
    </span>
  );
}

function reasonOf(miss: MemoryMiss, { say, number }: Pick<ReturnType<typeof useInside>, "say" | "number">) {
  switch (miss.reason) {
    case "filtered":
      return say("miss_filtered", { filter: miss.filter });
    case "no-term":
      return say("miss_no-term", { terms: miss.terms.join(", ") });
    case "low-score":
      return say("miss_low-score", { score: number(miss.score, 3) });
    case "outranked":
      return say("miss_outranked", { n: miss.by });
    default:
      return say(`miss_${miss.reason}`);
  }
}

/** The reason for an entry that the user chooses, by id or from the newest. */
function WhyNot({ query, namespace }: { query: string; namespace: string }): VNode {
  const { say } = useInside();
  const [id, setId] = useState("");
  const newest = useLive("newest", (memory) => memory.list({ limit: 50 }));
  return (
    <section class="card whynot">
      <h2>{say("whyNot")}</h2>
      <label>
        {say("entryId")}
        <input
          list="newest"
          value={id}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setId(event.currentTarget.value)}
        />
      </label>
      <datalist id="newest">
        {(newest.value ?? []).map((entry) => (
          <option key={entry.id} value={entry.id}>
            {inShort(entry.summary, 60)}
          </option>
        ))}
      </datalist>
      {id !== "" && (
        <dl class="pairs">
          {RANKINGS.map((ranking) => (
            <div key={ranking}>
              <dt>{say(`ranking_${ranking}`)}</dt>
              <dd>
                <Verdict id={id} query={query} ranking={ranking} namespace={namespace} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
