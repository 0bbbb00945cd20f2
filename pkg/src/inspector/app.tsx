// The frame: tabs, the open view, and a live region for screen readers.

import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type AnyMemory, type Inside, InsideContext } from "./inside.js";
import { TabPanel, Tabs } from "./parts/tabs.js";
import { homeOf, type Target, VIEWS } from "./targets.js";
import type { Language } from "./text/language.js";
import type { InspectorOpen, InspectorView } from "./types.js";
import { ExperienceView } from "./views/experience.js";
import { FilesView } from "./views/files.js";
import { KnowledgeView } from "./views/knowledge.js";
import { NowView } from "./views/now.js";
import { SearchView } from "./views/search.js";
import { StorageView } from "./views/storage.js";
import { TimeView } from "./views/time.js";

const DRAWN: { readonly [view in InspectorView]: () => VNode } = {
  now: NowView,
  search: SearchView,
  time: TimeView,
  knowledge: KnowledgeView,
  experience: ExperienceView,
  files: FilesView,
  storage: StorageView,
};

interface AppProps {
  memory: AnyMemory | null;
  session: string | undefined;
  query: string | undefined;
  hints: boolean;
  view: InspectorView;
  /** The item that the app asked to show last. */
  item: Target | undefined;
  language: Language;
  onView(view: InspectorView): void;
  onOpen(what: InspectorOpen): void;
}

/** Keyed by memory: nothing of the previous memory is ever shown. */
let memories = 0;
const names = new WeakMap<AnyMemory, number>();

function nameOf(memory: AnyMemory): number {
  const known = names.get(memory) ?? ++memories;
  names.set(memory, known);
  return known;
}

export function App(props: AppProps): VNode {
  const { memory, hints, view, language, onView } = props;
  const tabs = VIEWS.map((id) => ({ id, name: language.say(id) }));
  return (
    <div class="app" lang={language.lang}>
      <header class="top">
        <Tabs label={language.say("inspector")} tabs={tabs} open={view} onOpen={onView} />
      </header>
      <TabPanel id={view} class="view">
        {memory ? (
          <Opened key={nameOf(memory)} {...props} memory={memory} />
        ) : (
          <p class="empty">
            {language.say("noMemory")}
            {hints && <span class="hint">{language.say("hint", { call: "element.memory = memory" })}</span>}
          </p>
        )}
      </TabPanel>
    </div>
  );
}

function Opened(props: AppProps & { memory: AnyMemory }): VNode {
  const { memory, session, query, hints, language, view, item, onView, onOpen } = props;
  const [target, setTarget] = useState(item);
  const [said, setSaid] = useState("");
  const inside = useMemo<Inside>(
    () => ({
      ...language,
      memory,
      session,
      query,
      hints,
      target,
      open(next) {
        setTarget(next);
        onView(homeOf(next));
      },
      outside: onOpen,
      announce: setSaid,
    }),
    [memory, session, query, hints, language, target],
  );
  // Switching the view clears the selected target.
  useEffect(() => {
    if (target && homeOf(target) !== view) setTarget(undefined);
  }, [view]);
  useEffect(() => {
    if (item) setTarget(item);
  }, [item]);
  const View = DRAWN[view];
  return (
    <InsideContext.Provider value={inside}>
      <View key={view} />
      <p class="unseen" role="status">
        {said}
      </p>
    </InsideContext.Provider>
  );
}
