// The declarations of the facade and its stores, tried by the compiler. Nothing here runs.

import {
  afterNode,
  beforeNode,
  byScope,
  type DialogContext,
  type DialogStore,
  type Documented,
  type Entity,
  ErrorType,
  type ExperienceStore,
  type FoundSkill,
  type FullPolicy,
  type IdleLearning,
  type IMemory,
  keepsakeStores,
  type Learned,
  type Lesson,
  type Memory,
  MemoryFacade,
  type MemoryPolicy,
  type MemoryQuery,
  type MemoryResultItem,
  MemoryScope,
  type MemoryStores,
  type MemoryWriteEvent,
  type MemoryWritten,
  openMemory,
  type ProceduralStore,
  type ProfileStore,
  type Relation,
  type RetrievalResult,
  type SemanticStore,
  type Skill,
  type SOP,
  type StateSnapshot,
  type StateStore,
  type StepExperience,
  type StepLog,
  type Trace,
  type UserProfile,
  type Variables,
  withMemory,
} from "keepsake";

/** Only `true` can be passed, and only when the two types are the same, down to `readonly` and `any`. */
declare function same<A, B>(
  verdict: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): void;

export function scopes(): void {
  same<MemoryScope, "dialog" | "state" | "semantic" | "procedural" | "profile" | "experience">(true);
  same<"dialog", typeof MemoryScope.DIALOG>(true);
  const scope: MemoryScope = MemoryScope.EXPERIENCE;
  // @ts-expect-error: no such scope
  const other: MemoryScope = "dreams";
  // @ts-expect-error: readonly
  MemoryScope.DIALOG = "state";
  const word: ErrorType = ErrorType.TIMEOUT;
  const own: ErrorType = "out_of_cheese";
  void [scope, other, word, own];
}

/** The planner's read and the tool's write, as the document has them. */
export async function documented(memory: Memory, facade: MemoryFacade, error: string | null): Promise<void> {
  const query = {
    user_id: "u",
    session_id: "s",
    agent_id: "planner",
    flow_id: "f",
    node_id: "planner_node",
    scopes: [MemoryScope.DIALOG, MemoryScope.SEMANTIC, MemoryScope.PROCEDURAL, MemoryScope.PROFILE],
    query: "utterance",
    task_type: "build_search_agent",
  };
  const asked: Documented<MemoryQuery<"dialog" | "semantic" | "procedural" | "profile">> = query;
  await memory.read(asked);
  const items = await facade.read(asked);
  same<MemoryResultItem<"dialog" | "semantic" | "procedural" | "profile">[], typeof items>(true);
  const written = await memory.write({
    user_id: "u",
    session_id: "s",
    agent_id: "worker_agent",
    flow_id: "f",
    node_id: "http_tool_node",
    scope: MemoryScope.EXPERIENCE,
    data: {
      task_type: "call_external_api",
      tool_name: "HttpRequestTool",
      input: { url: "https://example.org" },
      output: null,
      error,
      success: error === null,
      latency_ms: 12,
    },
    meta: { trace_id: "t-1" },
  });
  same<MemoryWritten, typeof written>(true);
  same<Promise<void>, ReturnType<typeof facade.deleteSession>>(true);
  const policy: Documented<MemoryPolicy> = {
    use_semantic: true,
    use_procedural: true,
    max_docs: 8,
    max_skills: 5,
  };
  await openMemory({ user: "u", config: { policies: { flows: { smart_buyer: policy } } } });
  // @ts-expect-error: no such switch
  await openMemory({ user: "u", config: { policies: { flows: { f: { use_dreams: true } } } } });
  // @ts-expect-error: policies are of flows and agents
  await openMemory({ user: "u", config: { policies: { nodes: {} } } });
}

export async function reading(memory: Memory, facade: MemoryFacade): Promise<void> {
  const who = { sessionId: "s", agentId: "a" };
  const items = await memory.read({ ...who, scopes: ["dialog", "profile"] });
  same<MemoryResultItem<"dialog" | "profile">[], typeof items>(true);
  for (const item of items) {
    if (item.scope === "dialog") same<DialogContext, typeof item.payload>(true);
    else same<UserProfile, typeof item.payload.profile>(true);
    // @ts-expect-error: not what was asked for
    if (item.scope === "state") void item;
  }
  const { dialog, profile } = byScope(items);
  same<DialogContext | undefined, typeof dialog>(true);
  same<UserProfile | undefined, NonNullable<typeof profile>["profile"] | undefined>(true);
  // @ts-expect-error: not what was asked for
  byScope(items).experience;
  const all = byScope(await memory.read({ ...who, scopes: Object.values(MemoryScope) }));
  same<RetrievalResult[] | undefined, NonNullable<typeof all.semantic>["docs"] | undefined>(true);
  same<FoundSkill[] | undefined, NonNullable<typeof all.procedural>["skills"] | undefined>(true);
  same<StateSnapshot | null | undefined, NonNullable<typeof all.state>["state"] | undefined>(true);
  same<StepExperience[] | undefined, NonNullable<typeof all.experience>["failures"] | undefined>(true);
  await facade.read({ userId: "u", ...who, scopes: ["state"], flowId: "f", extra: { graph: 2 } });

  // @ts-expect-error: the facade has to know the user
  await facade.read({ ...who, scopes: ["dialog"] });
  // @ts-expect-error: a session has to be named
  await memory.read({ agentId: "a", scopes: ["dialog"] });
  // @ts-expect-error: no such scope
  await memory.read({ ...who, scopes: ["dreams"] });
  // @ts-expect-error: no such field
  await memory.read({ ...who, scopes: ["dialog"], usrId: "u" });
  // @ts-expect-error: something has to be asked for
  await memory.read(who);
}

export async function writing(memory: Memory, facade: MemoryFacade): Promise<void> {
  const who = { sessionId: "s", agentId: "a", flowId: "f" };
  await memory.write({ ...who, scope: "dialog", data: { role: "user", content: "hello" } });
  await memory.write({ ...who, scope: "dialog", data: { summary: "They talked" } });
  await memory.write({ ...who, scope: "state", data: { state: { variables: { n: 1 }, status: "on" } } });
  await memory.write({ ...who, scope: "state", data: { task_id: "t", step: "one", status: "done" } });
  await memory.write({ ...who, scope: "semantic", data: { documents: [{ id: "d", content: "text" }] } });
  await memory.write({ ...who, scope: "procedural", data: { use_when: "x", tool_sops: [{ tool: "t" }] } });
  await memory.write({ ...who, scope: "profile", data: { changes: { style: { tone: null } } } });
  await memory.write({ ...who, scope: "experience", data: { taskType: "t", toolName: "x" } });
  const event: MemoryWriteEvent<"profile"> = { userId: "u", ...who, scope: "profile", data: { changes: {} } };
  await facade.write(event);

  // @ts-expect-error: the facade has to know the user
  await facade.write({ ...who, scope: "profile", data: { changes: {} } });
  // @ts-expect-error: a message has a role
  await memory.write({ ...who, scope: "dialog", data: { content: "hello" } });
  // @ts-expect-error: data of another scope
  await memory.write({ ...who, scope: "experience", data: { role: "user", content: "hello" } });
  await memory.write({ ...who, scope: "state", data: { taskId: "t", step: "one", status: "on hold", n: 1 } });
  await memory.write({ ...who, scope: "state", data: { step: 1, status: "running" }, meta: { trace: [1] } });
  await memory.write({ ...who, scope: "semantic", data: { text: "text", lang: "vi", embedding: [1, 0] } });
  await memory.write({ ...who, scope: "dialog", data: { role: "user", content: "hello", channel: "sms" } });
  const failed = { taskType: "t", toolName: "x", error: new Error("no"), model: "m" };
  await memory.write({ ...who, scope: "experience", data: failed });
  // @ts-expect-error: a role is a text
  await memory.write({ ...who, scope: "dialog", data: { role: 5, content: "hello", channel: "sms" } });
}

type Cart = { items: string[]; total: number };
type Buyer = { name?: string; style?: { tone?: string; words?: number } };

export async function stores(memory: Memory): Promise<void> {
  same<DialogContext, Awaited<ReturnType<typeof memory.dialog.getContext>>>(true);
  await memory.dialog.append("s", "USER", "hello", { pinned: true });
  await memory.dialog.updateSummary("s", "They talked");

  const state = await memory.state.getState<Cart>("buy", "s");
  same<Cart | undefined, NonNullable<typeof state>["variables"] | undefined>(true);
  const plain = await memory.state.get("buy", "s", 3);
  same<StateSnapshot<Variables> | null, typeof plain>(true);
  await memory.state.saveState<Cart>("buy", "s", { items: [], total: 0 }, { expect: 0 });
  const saved = await memory.state.save<Cart>("buy", "s", {
    variables: { items: [], total: 0 },
    tasks: [{ id: "a" }, { id: "b", dependsOn: ["a"], status: "running", progress: 0.5 }],
  });
  same<StateSnapshot<Cart>, typeof saved>(true);
  same<StepLog[], Awaited<ReturnType<typeof memory.state.steps>>>(true);
  await memory.state.logTaskStep("a", "one", "failed", "no network", { session: "s" });
  // @ts-expect-error: not what the variables are
  await memory.state.saveState<Cart>("buy", "s", { variables: { items: "none", total: 0 } });
  await memory.state.save<Cart>("buy", "s", { tasks: [{ id: "a", status: "on hold", assignee: "Ann" }] });
  await memory.state.save("buy", "s", { step: 1, status: "running" }, { metadata: { by: "app" } });
  await memory.state.logTaskStep("a", "one", "on hold", new Error("no network"));
  // @ts-expect-error: a status is a word
  await memory.state.save<Cart>("buy", "s", { tasks: [{ id: "a", status: 5 }] });

  same<RetrievalResult[], Awaited<ReturnType<typeof memory.semantic.search>>>(true);
  await memory.semantic.search("words", { tags: ["a"], metadata: { year: 2024 } }, 8, { graph: 2 });
  await memory.semantic.addDocuments([{ source: "a.md", content: "text" }]);
  const graph = await memory.semantic.graph.search("who", { steps: 1 });
  same<Entity[], typeof graph.entities>(true);
  same<Relation[], typeof graph.relations>(true);
  await memory.semantic.graph.add({ entities: [{ name: "Ann", type: "person" }] });
  // @ts-expect-error: two steps at most
  await memory.semantic.search("words", null, 5, { graph: 3 });
  interface Page {
    id: string;
    text: string;
    lang: string;
  }
  const pages: Page[] = [];
  await memory.semantic.addDocuments(pages);
  await memory.semantic.addDocuments([{ text: "text", lang: "vi", embedding: new Float32Array(3) }]);
  await memory.semantic.search("words", { lang: "vi" });
  // @ts-expect-error: labels are texts
  await memory.semantic.search("words", { tags: 5 });
  // @ts-expect-error: a document says something
  await memory.semantic.addDocuments([{ id: "a" }]);

  const sop: SOP = { use_when: "deploying", tool_sops: [{ tool: "run_cmd", action: "npm install" }] };
  same<Skill, Awaited<ReturnType<typeof memory.procedural.addSkill>>>(true);
  await memory.procedural.addSkill({ ...sop, task_type: "deploy", id: "own" });
  await memory.procedural.addSkill({ useWhen: "x", toolSops: [], kind: "guard", taskType: "deploy" });
  same<FoundSkill[], Awaited<ReturnType<typeof memory.procedural.searchSkills>>>(true);
  const lessons = (skills: Skill[]) => skills.filter((skill): skill is Lesson => skill.learned);
  same<Lesson[], ReturnType<typeof lessons>>(true);
  const ours = await memory.procedural.addSkill({
    ...sop,
    owner: "ops",
    tool_sops: [{ tool: "pay", args: { cents: 5 } }],
  });
  same<unknown, typeof ours.owner>(true);
  // @ts-expect-error: a step has a tool
  await memory.procedural.addSkill({ use_when: "x", tool_sops: [{ action: "y" }] });

  const buyer = await memory.profile.getProfile<Buyer>();
  same<Buyer, typeof buyer>(true);
  const untyped = await memory.profile.get();
  same<UserProfile, typeof untyped>(true);
  await memory.profile.updateProfile<Buyer>({ style: { tone: null }, name: "Ann" }, { source: "settings" });
  // @ts-expect-error: not what a name is
  await memory.profile.updateProfile<Buyer>({ name: 7 });

  same<Trace[], Awaited<ReturnType<typeof memory.experience.getSuccessfulTraces>>>(true);
  same<StepExperience[], Awaited<ReturnType<typeof memory.experience.getFailures>>>(true);
  await memory.experience.logStep({ task_type: "t", tool_name: "x", session: "s" });
  await memory.experience.logStep({ taskType: "t", toolName: "x", error: new Error("no"), model: "m" });
  // @ts-expect-error: a step is of some tool
  await memory.experience.logStep({ taskType: "t" });
  same<FullPolicy, Awaited<ReturnType<typeof memory.policy>>>(true);
  same<number, FullPolicy["max_docs"]>(true);
}

export async function learning(memory: Memory): Promise<void> {
  const learned = await memory.learn({
    taskType: "deploy",
    extractSkill: async (traces, { taskType, signal }) => {
      same<Trace[], typeof traces>(true);
      same<AbortSignal, typeof signal>(true);
      return {
        use_when: taskType,
        tool_sops: traces.flatMap(({ steps }) => steps.map(({ toolName }) => ({ tool: toolName }))),
      };
    },
    onProgress: (so) => same<Learned, typeof so>(true),
  });
  same<Learned, typeof learned>(true);
  await memory.learn({ extractSkill: async () => null });
  using idle = memory.learnWhenIdle({ every: 1000, onError: console.warn });
  same<IdleLearning, typeof idle>(true);
  // @ts-expect-error: a skill has steps
  await memory.learn({ extractSkill: async () => ({ use_when: "x" }) });
}

export async function nodes(memory: Memory, facade: MemoryFacade): Promise<void> {
  const query = { sessionId: "s", agentId: "a", taskType: "t", scopes: ["profile"] } as const;
  const before = await beforeNode(memory, query);
  same<UserProfile | undefined, NonNullable<typeof before.memories.profile>["profile"] | undefined>(true);
  await beforeNode(facade, { ...query, userId: "u" });
  await afterNode(memory, {
    sessionId: "s",
    agentId: "a",
    data: { taskType: "t", toolName: "x", error: new Error("no") },
    startedAt: before.startedAt,
  });
  await afterNode(facade, {
    user_id: "u",
    session_id: "s",
    agent_id: "a",
    data: { task_type: "t", tool_name: "x" },
  });
  const result = await withMemory(memory, { query, event: { toolName: "x" } }, async ({ profile }) => {
    same<UserProfile | undefined, NonNullable<typeof profile>["profile"] | undefined>(true);
    return 7;
  });
  same<number, typeof result>(true);
  await withMemory(facade, { query: { ...query, userId: "u" }, event: { toolName: "x" } }, () => "now");
  // @ts-expect-error: a step has a tool
  await withMemory(memory, { query, event: {} }, () => 7);
}

export function injecting(
  dialogStore: DialogStore,
  stateStore: StateStore,
  semanticStore: SemanticStore,
  proceduralStore: ProceduralStore,
  profileStore: ProfileStore,
  experienceStore: ExperienceStore,
): IMemory {
  const facade = new MemoryFacade({
    open: openMemory,
    dialogStore,
    stateStore,
    semanticStore,
    proceduralStore,
    profileStore,
    experienceStore,
    policies: { flows: { smart_buyer: { max_docs: 8 } }, agents: { planner: { useProfile: false } } },
  });
  const stores = keepsakeStores((user) => facade.memory(user));
  same<MemoryStores, typeof stores>(true);
  // @ts-expect-error: memories have to be opened
  new MemoryFacade({ dialogStore });
  // @ts-expect-error: half a store is none
  new MemoryFacade({ open: openMemory, profileStore: { getProfile: profileStore.getProfile } });
  return facade;
}
