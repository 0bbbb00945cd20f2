// Knowledge: entries, the profile, skills and the graph.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useInside } from "../inside.js";
import { TabPanel, Tabs } from "../parts/tabs.js";
import { EntriesPane } from "./entries.js";
import { GraphPane } from "./graph.js";
import { ProfilePane } from "./profile.js";
import { SkillsPane } from "./skills.js";

const PANES = ["entries", "profile", "skills", "graph"] as const;
type Pane = (typeof PANES)[number];

const DRAWN: { readonly [pane in Pane]: () => VNode } = {
  entries: EntriesPane,
  profile: ProfilePane,
  skills: SkillsPane,
  graph: GraphPane,
};

const POINTED: { readonly [kind: string]: Pane } = {
  entry: "entries",
  profile: "profile",
  skill: "skills",
  entity: "graph",
};

export function KnowledgeView(): VNode {
  const { say, target } = useInside();
  const pointed = target && POINTED[target.kind];
  const [pane, setPane] = useState<Pane>(pointed ?? "entries");
  useEffect(() => {
    if (pointed) setPane(pointed);
  }, [target]);
  const Drawn = DRAWN[pane];
  return (
    <>
      <Tabs
        label={say("knowledge")}
        tabs={PANES.map((id) => ({ id, name: say(id) }))}
        open={pane}
        onOpen={(id) => setPane(id)}
      />
      <TabPanel id={pane}>
        <Drawn key={pane} />
      </TabPanel>
    </>
  );
}
