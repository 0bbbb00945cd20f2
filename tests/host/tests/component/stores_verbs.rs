//! Every function of the interface `stores`, for tests that hold of them all.

use crate::verbs::{Verb, text};
use crate::{draft, said, scripted};
use keepsake_host::wit::Draft;
use keepsake_host::wit_dialog::Role;
use keepsake_host::wit_stores::{
    Document, Entity, FlowState, Graph, LearnOptions, MemoryQuery, MemoryWriteEvent, Relation, Scope, SemanticQuery,
    SkillDraft, SkillQuery, StepDraft, TaskStep, ToolStep,
};
use keepsake_host::{Instance, Storage};

pub(crate) const SCOPES: [Scope; 6] =
    [Scope::Dialog, Scope::State, Scope::Semantic, Scope::Procedural, Scope::Profile, Scope::Experience];

/// A question of session `s` and flow `f` for these scopes.
pub(crate) fn asked(scopes: &[Scope]) -> MemoryQuery {
    MemoryQuery {
        user_id: None,
        session_id: "s".into(),
        agent_id: "planner".into(),
        flow_id: Some("f".into()),
        node_id: None,
        scopes: scopes.to_vec(),
        query: Some("quiet laptops".into()),
        task_type: Some("buy".into()),
        embedding: None,
        extra: None,
    }
}

/// An event of session `s` and flow `f`.
pub(crate) fn event(scope: Scope, data: &str) -> MemoryWriteEvent {
    MemoryWriteEvent {
        user_id: None,
        session_id: "s".into(),
        agent_id: "planner".into(),
        flow_id: Some("f".into()),
        node_id: None,
        scope,
        data: data.into(),
        meta: None,
    }
}

/// A state that says little.
pub(crate) fn state(status: &str) -> FlowState {
    FlowState { variables: r#"{"n":1}"#.into(), status: Some(status.into()), tasks: Vec::new() }
}

pub(crate) fn document(id: &str, content: &str) -> Document {
    Document {
        id: id.into(),
        content: content.into(),
        title: None,
        tags: vec![],
        metadata: None,
        namespace: None,
        embedding: None,
        trust: None,
    }
}

pub(crate) fn skill(id: &str, use_when: &str) -> SkillDraft {
    SkillDraft {
        id: Some(id.into()),
        kind: None,
        task_type: Some("buy".into()),
        use_when: use_when.into(),
        tool_sops: vec![ToolStep { tool: "search".into(), action: None, own: None }],
        preferences: None,
        trust: None,
        metadata: None,
        own: None,
    }
}

pub(crate) fn step(tool: &str, error: Option<&str>) -> StepDraft {
    StepDraft {
        task_type: "buy".into(),
        tool_name: tool.into(),
        input: Some(r#"{"q":"laptop"}"#.into()),
        output: None,
        error: error.map(str::to_owned),
        error_type: None,
        success: None,
        cost: Some(0.5),
        latency_ms: None,
        trace_id: Some("t".into()),
        session: Some("s".into()),
        agent: None,
        flow: None,
        node: None,
        skill_id: None,
        trust: None,
        metadata: None,
        own: None,
    }
}

pub(crate) fn task_step(what: &str) -> TaskStep {
    TaskStep {
        task_id: "pick".into(),
        step: what.into(),
        status: "running".into(),
        error: None,
        flow: None,
        session: Some("s".into()),
        metadata: None,
        own: None,
    }
}

pub(crate) fn graph(names: &[&str], relations: &[(&str, &str)]) -> Graph {
    let entity = |name: &&str| Entity { name: (*name).into(), type_: "dog".into(), observations: vec!["barks".into()] };
    let relation =
        |(from, to): &(&str, &str)| Relation { from: (*from).into(), to: (*to).into(), type_: "owns".into() };
    Graph { entities: names.iter().map(entity).collect(), relations: relations.iter().map(relation).collect() }
}

pub(crate) fn about(words: &str) -> SemanticQuery {
    SemanticQuery {
        query: words.into(),
        top_k: None,
        filters: None,
        graph: None,
        embedding: None,
        external: Vec::new(),
    }
}

pub(crate) fn skills_for(words: &str) -> SkillQuery {
    SkillQuery { task_type: None, query: Some(words.into()), top_k: None, kind: None, include_demoted: false }
}

/// A storage with something in each of the six stores: what can have versions has two.
pub(crate) fn stored() -> Storage {
    let storage = Storage::default();
    let mut instance = Instance::new(&storage, &scripted());
    let memory = instance.open("u-1").unwrap().unwrap();
    let session = instance.session(memory, "s").unwrap().unwrap();
    let talk = [said(Role::User, "Which laptop is quiet?"), said(Role::Assistant, "Let me see.")];
    instance.append(session, &talk).unwrap().unwrap();
    // With a body and an embedding, so that an index is put up as it is elsewhere.
    let fact = draft("fact", &"Ann likes quiet laptops. ".repeat(100));
    let fact = Draft { session: Some("s".into()), embedding: Some(vec![3.0, 4.0]), ..fact };
    instance.add(memory, &fact).unwrap().unwrap();
    instance.update_summary(memory, "s", "Looking for a laptop", None).unwrap().unwrap();
    instance.update_profile(memory, r#"{"name":"Ann"}"#, Some("form"), None).unwrap().unwrap();
    for status in ["looking", "comparing"] {
        instance.save_state(memory, "f", "s", &state(status), None, None).unwrap().unwrap();
        instance.add_skill(memory, &skill("compare", &format!("when {status} laptops"))).unwrap().unwrap();
    }
    instance.log_task_step(memory, &task_step("looked")).unwrap().unwrap();
    instance.add_documents(memory, &[document("guide", "Quiet laptops have no fan.")]).unwrap().unwrap();
    instance.graph_add(memory, &graph(&["Ann", "Pixel"], &[("Ann", "Pixel")])).unwrap().unwrap();
    instance.log_step(memory, &step("search", Some("timeout"))).unwrap().unwrap();
    instance.log_step(memory, &step("search", None)).unwrap().unwrap();
    storage
}

/// The calls that load an index with messages in it: as for entries, and their vectors.
const LOAD: &[&str] = &["get", "scan", "get", "get", "scan", "get", "scan", "scan", "scan", "scan", "scan"];

/// Looks at the storage's revision come first, where a verb reads what is at hand of the index.
pub(crate) const STORES: &[Verb] = &[
    Verb {
        name: "read everything",
        run: |instance, memory| text(instance.read(memory, &asked(&SCOPES))),
        // The session's record, what was said since, its view, and its messages; the index; its facts, its summary, the state,
        // and what each of the other scopes reads; at last whether anybody wrote meanwhile.
        calls: &[
            &["get", "get", "get", "get", "scan"],
            LOAD,
            &["get", "get", "get", "get", "get", "get", "get", "get", "get", "get", "get", "get", "get", "get"],
        ],
    },
    Verb {
        name: "read nothing",
        run: |instance, memory| text(instance.read(memory, &asked(&[]))),
        calls: &[&["get", "get"]],
    },
    Verb {
        name: "read what is kept by its name",
        run: |instance, memory| text(instance.read(memory, &asked(&[Scope::Profile, Scope::State]))),
        calls: &[&["get", "get", "get", "get"]],
    },
    Verb {
        name: "write to the dialog",
        run: |instance, memory| {
            let said = r#"{"id":"m","role":"user","content":"And light?"}"#;
            text(instance.write(memory, &event(Scope::Dialog, said)))
        },
        calls: &[&["get", "get", "get", "commit"]],
    },
    Verb {
        name: "write to the state",
        run: |instance, memory| text(instance.write(memory, &event(Scope::State, r#"{"state":{"n":2}}"#))),
        calls: &[&["get", "commit"]],
    },
    Verb {
        name: "write to the knowledge",
        run: |instance, memory| {
            text(instance.write(memory, &event(Scope::Semantic, r#"{"id":"new","content":"Tablets are flat."}"#)))
        },
        calls: &[&["get"], LOAD, &["commit"]],
    },
    Verb {
        name: "write to the skills",
        run: |instance, memory| {
            text(instance.write(memory, &event(Scope::Procedural, r#"{"id":"new","use_when":"in doubt"}"#)))
        },
        calls: &[&["get", "commit"]],
    },
    Verb {
        name: "write to the profile",
        run: |instance, memory| text(instance.write(memory, &event(Scope::Profile, r#"{"age":40}"#))),
        calls: &[&["get", "commit"]],
    },
    Verb {
        name: "write to the experience",
        run: |instance, memory| {
            text(instance.write(memory, &event(Scope::Experience, r#"{"taskType":"buy","toolName":"pay"}"#)))
        },
        calls: &[&["commit"]],
    },
    Verb {
        name: "delete-session",
        run: |instance, memory| text(instance.erase_session(memory, "s", false)),
        calls: &[&["get"], LOAD, &["get", "get", "commit"]],
    },
    Verb {
        name: "delete-session that is not there",
        run: |instance, memory| text(instance.erase_session(memory, "nobody", false)),
        // Each kind of record that a session may have.
        calls: &[
            &["get"],
            LOAD,
            &["scan", "scan", "scan", "scan", "scan", "scan", "scan", "scan", "scan", "scan", "scan", "scan"],
        ],
    },
    Verb {
        name: "get-context",
        run: |instance, memory| text(instance.get_context(memory, "s", None)),
        // The session's record and what was said since, its messages; its facts, its summary.
        calls: &[&["get", "get", "get", "get", "scan"], LOAD, &["get", "get"]],
    },
    Verb {
        name: "update-summary",
        run: |instance, memory| text(instance.update_summary(memory, "s", "Found one", None)),
        calls: &[&["commit"]],
    },
    Verb { name: "get-profile", run: |instance, memory| text(instance.get_profile(memory)), calls: &[&["get"]] },
    Verb {
        name: "update-profile",
        run: |instance, memory| text(instance.update_profile(memory, r#"{"name":null}"#, None, None)),
        calls: &[&["get", "commit"]],
    },
    Verb {
        name: "get-state",
        run: |instance, memory| text(instance.get_state(memory, "f", "s", None)),
        calls: &[&["get"]],
    },
    Verb {
        name: "get-state as it was",
        run: |instance, memory| text(instance.get_state(memory, "f", "s", Some(1))),
        calls: &[&["get", "get"]],
    },
    Verb {
        name: "save-state",
        run: |instance, memory| text(instance.save_state(memory, "f", "s", &state("done"), Some(2), None)),
        calls: &[&["get", "commit"]],
    },
    Verb {
        name: "state-versions",
        run: |instance, memory| text(instance.state_versions(memory, "f", "s")),
        calls: &[&["get", "scan"]],
    },
    Verb {
        name: "log-task-step",
        run: |instance, memory| text(instance.log_task_step(memory, &task_step("picked"))),
        calls: &[&["commit"]],
    },
    Verb {
        name: "task-steps",
        run: |instance, memory| text(instance.task_steps(memory, "pick", Some("s"))),
        calls: &[&["scan"]],
    },
    Verb {
        name: "add-documents",
        run: |instance, memory| {
            text(instance.add_documents(memory, &[document("guide", "Slow fans."), document("new", "Tablets.")]))
        },
        calls: &[&["get"], LOAD, &["commit"]],
    },
    Verb {
        name: "delete-document",
        run: |instance, memory| text(instance.delete_document(memory, "guide")),
        calls: &[&["get"], LOAD, &["get", "commit"]],
    },
    Verb {
        name: "delete-document that is not there",
        run: |instance, memory| text(instance.delete_document(memory, "nobody")),
        calls: &[&["get"], LOAD],
    },
    Verb {
        name: "semantic-search",
        run: |instance, memory| text(instance.semantic_search(memory, &about("quiet laptops Ann"))),
        calls: &[&["get"], LOAD, &["get", "get", "get", "get"]],
    },
    Verb {
        name: "graph-add",
        run: |instance, memory| text(instance.graph_add(memory, &graph(&["Rex"], &[("Ann", "Rex")]))),
        calls: &[&["get", "commit"]],
    },
    Verb {
        name: "graph-delete",
        run: |instance, memory| text(instance.graph_delete(memory, &graph(&["Pixel"], &[("Ann", "Pixel")]))),
        calls: &[&["get", "get", "commit"]],
    },
    Verb {
        name: "graph-open",
        run: |instance, memory| text(instance.graph_open(memory, &["Ann".to_owned(), "Nobody".to_owned()])),
        calls: &[&["get"]],
    },
    Verb { name: "graph-read", run: |instance, memory| text(instance.graph_read(memory)), calls: &[&["scan"]] },
    Verb {
        name: "graph-search",
        run: |instance, memory| text(instance.graph_search(memory, "Ann", Some(1), Some(1))),
        calls: &[&["get"], LOAD, &["get", "get"]],
    },
    Verb {
        name: "add-skill that is new",
        run: |instance, memory| text(instance.add_skill(memory, &skill("new", "in doubt"))),
        calls: &[&["get", "commit"]],
    },
    Verb {
        name: "add-skill that is known",
        run: |instance, memory| text(instance.add_skill(memory, &skill("compare", "in doubt"))),
        calls: &[&["get", "commit"]],
    },
    Verb {
        name: "search-skills",
        run: |instance, memory| text(instance.search_skills(memory, &skills_for("comparing laptops"))),
        calls: &[&["get"], LOAD, &["get"]],
    },
    Verb {
        name: "get-skill",
        run: |instance, memory| text(instance.get_skill(memory, "compare", None)),
        calls: &[&["get"]],
    },
    Verb {
        name: "get-skill as it was",
        run: |instance, memory| text(instance.get_skill(memory, "compare", Some(1))),
        calls: &[&["get", "get"]],
    },
    Verb { name: "skills", run: |instance, memory| text(instance.skills(memory)), calls: &[&["scan"]] },
    Verb {
        name: "skill-versions",
        run: |instance, memory| text(instance.skill_versions(memory, "compare")),
        calls: &[&["get", "scan"]],
    },
    Verb {
        name: "delete-skill",
        run: |instance, memory| text(instance.delete_skill(memory, "compare")),
        calls: &[&["get", "get", "commit"]],
    },
    Verb {
        name: "delete-skill that is not there",
        run: |instance, memory| text(instance.delete_skill(memory, "nobody")),
        // Nothing is there; nor was the storage emptied.
        calls: &[&["get", "get"]],
    },
    Verb {
        name: "record-skill-use",
        run: |instance, memory| text(instance.record_skill_use(memory, "compare", true)),
        calls: &[&["get", "commit"]],
    },
    Verb {
        name: "log-step",
        run: |instance, memory| text(instance.log_step(memory, &step("pay", None))),
        calls: &[&["commit"]],
    },
    Verb {
        name: "log-step with a skill",
        run: |instance, memory| {
            let followed = StepDraft { skill_id: Some("compare".into()), ..step("pay", None) };
            text(instance.log_step(memory, &followed))
        },
        calls: &[&["get", "commit"]],
    },
    Verb {
        name: "get-failures",
        run: |instance, memory| text(instance.get_failures(memory, None, None)),
        calls: &[&["get"], LOAD, &["get"]],
    },
    Verb {
        name: "get-successful-traces",
        run: |instance, memory| text(instance.get_successful_traces(memory, Some("buy"), None)),
        calls: &[&["get"], LOAD, &["get"]],
    },
    Verb {
        name: "experience-stats",
        run: |instance, memory| text(instance.experience_stats(memory, None)),
        calls: &[&["get"], LOAD, &["get"]],
    },
    Verb {
        name: "learn",
        run: |instance, memory| text(instance.learn(memory, &TO_LEARN)),
        // How far it is, which nobody has said yet; the steps, the skills, and how far it is once more, for the commit.
        calls: &[&["get", "get", "get"], LOAD, &["get", "get", "scan", "get", "commit"]],
    },
    Verb {
        name: "learn-traces",
        run: |instance, memory| text(instance.learn_traces(memory, None)),
        calls: &[&["get", "get", "get"], LOAD, &["get", "get"]],
    },
    Verb {
        name: "learn-apply",
        run: |instance, memory| {
            text(instance.learn_apply(memory, "buy", 9, &["t-1".to_owned()], &[skill("new", "in doubt")]))
        },
        // The steps of the traces, whose sources say how far the skill is trusted.
        calls: &[
            &["get", "get", "scan", "get", "get", "scan", "get", "scan"],
            &["scan", "scan", "scan", "scan", "get", "get", "get", "commit"],
        ],
    },
];

const TO_LEARN: LearnOptions = LearnOptions { task_type: None, min_support: None, min_confidence: None };
