// The features of this browser, in words.

import { useEffect, useState } from "preact/hooks";
import { builtInAvailability } from "../agents/built-in.js";
import { useApp, useTexts } from "./context.js";
import { useStore } from "./store.js";

/** The list of features. */
export function Abilities() {
  const app = useApp();
  const { browser } = useTexts();
  const { memory, offline } = useStore(app.screen);
  const [model, tellModel] = useState<boolean | undefined>(undefined);
  useEffect(() => void builtInAvailability().then((how) => tellModel(how !== "unavailable")), []);
  const ready = { soon: browser.offlineSoon, ready: browser.offlineYes, absent: browser.offlineNo }[offline];
  return (
    <dl class="abilities">
      <Row name={browser.storage} has={memory?.persistent}>
        {!memory
          ? browser.checking
          : memory.persistent
            ? browser.storageKept
            : browser.storageLost(memory.storageProblem ?? "")}
      </Row>
      {memory?.persistent && <Lasting />}
      <Row name={browser.offline} has={offline === "soon" ? undefined : offline === "ready"}>
        {ready}
      </Row>
      <Row name={browser.model} has={model}>
        {model === undefined ? browser.checking : model ? browser.modelYes : browser.modelNo}
      </Row>
    </dl>
  );
}

/** Whether the browser may clear the memory. */
function Lasting() {
  const { browser } = useTexts();
  const [lasting, tell] = useState<boolean | undefined>(undefined);
  const [refused, refuse] = useState(false);
  useEffect(() => void navigator.storage?.persisted?.().then(tell), []);
  const ask = async () => {
    const granted = await navigator.storage.persist();
    tell(granted);
    refuse(!granted);
  };
  return (
    <Row name={browser.lasting} has={lasting}>
      {lasting ? browser.lastingYes : browser.lastingNo}
      {refused && ` ${browser.lastingRefused}`}
      {lasting === false && !refused && (
        <button type="button" class="quiet" onClick={() => void ask()}>
          {browser.lastingAsk}
        </button>
      )}
    </Row>
  );
}

function Row({
  name,
  has,
  children,
}: {
  name: string;
  has: boolean | undefined;
  children: preact.ComponentChildren;
}) {
  const mark = has === undefined ? "…" : has ? "✓" : "✗";
  return (
    <div>
      <dt>
        <span class={has === false ? "mark no" : "mark"} aria-hidden="true">
          {mark}
        </span>
        {name}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
