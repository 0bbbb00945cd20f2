//! The facade and its stores through the component: what only this door does with them.

use crate::stores_verbs::{
    SCOPES, STORES, about, asked, document, event, graph, skill, skills_for, state, step, stored, task_step,
};
use crate::{NOW, opened, scripted};
use keepsake_host::wit::{Error, Invalid, Oversize, Surroundings, Versioned};
use keepsake_host::wit_stores::{
    ExternalDocument, FlowState, KnowledgeKind, MemoryPolicy, MemoryQuery, MemoryWriteEvent, Scope, SemanticFilters,
    SemanticQuery, SkillKind, StepDraft, TaskState,
};
use keepsake_host::{Instance, Storage};

/// What is no JSON text.
const BROKEN: [&str; 4] = ["", "{", "undefined", "1 2"];

fn refused(field: &str, reason: &str) -> Error {
    Error::InvalidInput(Invalid { field: field.to_owned(), reason: reason.to_owned() })
}

/// The field that a call was refused for.
fn field<T: std::fmt::Debug>(answer: Result<T, Error>) -> String {
    match answer {
        Err(Error::InvalidInput(invalid)) => invalid.field,
        Err(Error::TooLarge(Oversize { field: Some(field), .. })) => field,
        other => panic!("{other:?}"),
    }
}

#[test]
fn b9_b13_a_read_answers_what_was_asked_for_in_that_order_as_of_one_moment() {
    let storage = stored();
    let (mut instance, memory) = opened(&storage);
    let mut backwards = SCOPES;
    backwards.reverse();
    for scopes in [&SCOPES[..], &backwards, &[Scope::Profile], &[]] {
        let items = instance.read(memory, &asked(scopes)).unwrap().unwrap();
        assert_eq!(items.iter().map(|item| item.scope).collect::<Vec<_>>(), scopes);
    }
    let twice = instance.read(memory, &asked(&[Scope::State, Scope::State])).unwrap().unwrap();
    assert_eq!(twice.len(), 1);
    let items = instance.read(memory, &asked(&SCOPES)).unwrap().unwrap();
    let words = ["Looking for a laptop", "comparing", "no fan", "when comparing laptops", "Ann", "timeout"];
    for (item, words) in items.iter().zip(words) {
        assert!(item.payload.contains(words), "{:?}: {}", item.scope, item.payload);
    }
}

#[test]
fn b29_b32_of_a_flow_and_an_agent_the_narrower_policy_holds() {
    let config = r#"{"policies":{
        "flows":{"smart_buyer":{"max_docs":8,"max_skills":5}},
        "agents":{"shy":{"use_profile":false,"write_experience":false,"max_docs":6,"max_dialog_turns":0}}
    }}"#;
    let mut instance = Instance::new(&Storage::default(), &scripted());
    let memory = instance.open_with("u-1", Some(config)).unwrap().unwrap();
    let usual = MemoryPolicy {
        use_dialog: true,
        use_state: true,
        use_semantic: true,
        use_procedural: true,
        use_profile: true,
        use_experience: true,
        write_experience: true,
        max_dialog_turns: 20,
        max_docs: 5,
        max_skills: 3,
    };
    let both = instance.policy(memory, Some("smart_buyer"), Some("shy")).unwrap().unwrap();
    let shy = MemoryPolicy { use_profile: false, write_experience: false, max_dialog_turns: 0, ..usual };
    assert_eq!(both, MemoryPolicy { max_docs: 6, max_skills: 5, ..shy });
    assert_eq!(instance.policy(memory, None, Some("nobody")).unwrap().unwrap(), usual);
    let told = r#"{"taskType":"buy","toolName":"pay"}"#;
    let by = |agent: &str| MemoryWriteEvent { agent_id: agent.into(), ..event(Scope::Experience, told) };
    assert_eq!(instance.write(memory, &by("shy")).unwrap(), Ok(false));
    assert_eq!(instance.experience_stats(memory, None).unwrap().unwrap().steps, 0);
    assert_eq!(instance.write(memory, &by("bold")).unwrap(), Ok(true));
    assert_eq!(instance.experience_stats(memory, None).unwrap().unwrap().steps, 1);
    let query = MemoryQuery { agent_id: "shy".into(), ..asked(&[Scope::Profile, Scope::Experience]) };
    let items = instance.read(memory, &query).unwrap().unwrap();
    assert_eq!(items.iter().map(|item| item.scope).collect::<Vec<_>>(), [Scope::Experience]);
}

#[test]
fn b17_a_save_that_expects_another_version_is_told_which_is_there() {
    let (mut instance, memory) = opened(&stored());
    let mut save = |expect| instance.save_state(memory, "f", "s", &state("done"), expect, None).unwrap();
    for expected in [0, 1, 3, u32::MAX.into()] {
        assert_eq!(save(Some(expected)), Err(Error::OtherVersion(Versioned { expected, found: 2 })));
    }
    assert_eq!(save(Some(2)).map(|saved| (saved.version, saved.saved_at)), Ok((3, NOW)));
    assert_eq!(save(None).map(|saved| saved.version), Ok(4));
    let status = |saved: &keepsake_host::wit_stores::StateVersion| saved.status.clone().unwrap();
    let versions = instance.state_versions(memory, "f", "s").unwrap().unwrap();
    assert_eq!(versions.iter().map(status).collect::<Vec<_>>(), ["looking", "comparing", "done", "done"]);
    let first = instance.get_state(memory, "f", "s", Some(1)).unwrap().unwrap().unwrap();
    assert_eq!(first.state, state("looking"), "time travel");
}

#[test]
fn states_that_cannot_be_are_refused_by_the_path_of_what_is_wrong() {
    let storage = stored();
    let before = storage.copy();
    let (mut instance, memory) = opened(&storage);
    let mut save = |state: FlowState| instance.save_state(memory, "f", "s", &state, None, None).unwrap();
    let task = |id: &str, needs: &[&str]| TaskState {
        id: id.into(),
        title: None,
        status: "pending".into(),
        progress: None,
        depends_on: needs.iter().map(|id| (*id).to_owned()).collect(),
        error: None,
        own: None,
    };
    let with = |tasks: Vec<TaskState>| FlowState { tasks, ..state("x") };
    for progress in [-0.1, 1.1, f64::INFINITY] {
        let wrong = with(vec![task("a", &[]), TaskState { progress: Some(progress), ..task("b", &[]) }]);
        assert_eq!(save(wrong), Err(refused("state.tasks[1].progress", "must be a number from 0 to 1")));
    }
    assert_eq!(field(save(with(vec![task("a", &["b"]), task("b", &["a"])]))), "state.tasks[0].dependsOn");
    assert_eq!(field(save(with(vec![task("a", &["z"])]))), "state.tasks[0].dependsOn[0]");
    assert_eq!(field(save(with(vec![task("a", &[]), task("a", &[])]))), "state.tasks[1].id");
    assert_eq!(field(save(with(vec![task("", &[])]))), "state.tasks[0].id");
    let variables = |text: &str| FlowState { variables: text.into(), ..state("x") };
    for text in BROKEN {
        assert_eq!(save(variables(text)), Err(refused("state.variables", "must be the JSON text of an object")));
    }
    assert_eq!(save(variables("[]")), Err(refused("state.variables", "must be an object")));
    assert_eq!(field(save(variables(&format!(r#"{{"a":"{}"}}"#, "x".repeat(900_000))))), "state");
    assert!(storage.holds_the_same_as(&before));
}

#[test]
fn text_that_is_no_json_is_refused_by_the_name_of_its_field() {
    let storage = stored();
    let before = storage.copy();
    let (mut instance, memory) = opened(&storage);
    for text in BROKEN {
        let broken = || Some(text.to_owned());
        let object = |field: &str| Err(refused(field, "must be the JSON text of an object"));
        let query = MemoryQuery { extra: broken(), ..asked(&SCOPES) };
        assert_eq!(instance.read(memory, &query).unwrap().map(|_| ()), object("extra"));
        assert_eq!(instance.write(memory, &event(Scope::Profile, text)).unwrap().map(|_| ()), object("data"));
        let meta = MemoryWriteEvent { meta: broken(), ..event(Scope::Profile, "{}") };
        assert_eq!(instance.write(memory, &meta).unwrap().map(|_| ()), object("meta"));
        assert_eq!(instance.update_profile(memory, text, None, None).unwrap().map(|_| ()), object("changes"));
        let mut documents = vec![document("a", "x"), document("b", "y")];
        documents[1].metadata = broken();
        let added = instance.add_documents(memory, &documents).unwrap();
        assert_eq!(added.map(|_| ()), object("documents[1].metadata"));
        let value = |field: &str| Err(refused(field, "must be JSON text"));
        for (name, step) in [
            ("input", StepDraft { input: broken(), ..step("x", None) }),
            ("output", StepDraft { output: broken(), ..step("x", None) }),
        ] {
            assert_eq!(instance.log_step(memory, &step).unwrap().map(|_| ()), value(name));
        }
        let filters = SemanticFilters {
            tags: vec![],
            source: None,
            namespace: None,
            session: None,
            metadata: vec![("page".into(), "1".into()), ("secret".into(), text.into())],
        };
        let query = SemanticQuery { filters: Some(filters), ..about("x") };
        let found = instance.semantic_search(memory, &query).unwrap();
        assert_eq!(found.map(|_| ()), value("filters.metadata[1]"));
        let elsewhere = ExternalDocument { id: None, content: "x".into(), source: None, metadata: broken() };
        let query = SemanticQuery { external: vec![elsewhere], ..about("x") };
        assert_eq!(instance.semantic_search(memory, &query).unwrap().map(|_| ()), value("external[0].metadata"));
    }
    assert!(storage.holds_the_same_as(&before));
}

#[test]
fn names_and_numbers_that_cannot_be_are_refused_as_the_documents_call_them() {
    let storage = stored();
    let before = storage.copy();
    let (mut instance, memory) = opened(&storage);
    let long = "x".repeat(257);
    for name in ["", long.as_str()] {
        let query = MemoryQuery { session_id: name.into(), ..asked(&[]) };
        assert_eq!(field(instance.read(memory, &query).unwrap()), "sessionId");
        let query = MemoryQuery { agent_id: name.into(), ..asked(&[]) };
        assert_eq!(field(instance.read(memory, &query).unwrap()), "agentId");
        assert_eq!(field(instance.erase_session(memory, name, false).unwrap()), "session");
        assert_eq!(field(instance.get_context(memory, name, None).unwrap()), "session");
        assert_eq!(field(instance.get_state(memory, name, "s", None).unwrap()), "flow");
        assert_eq!(field(instance.task_steps(memory, name, None).unwrap()), "taskId");
        assert_eq!(field(instance.add_skill(memory, &skill(name, "x")).unwrap()), "id");
        assert_eq!(field(instance.get_skill(memory, name, None).unwrap()), "id");
        assert_eq!(field(instance.graph_add(memory, &graph(&[name], &[])).unwrap()), "entities[0].name");
        let step = StepDraft { task_type: name.into(), ..step("x", None) };
        assert_eq!(field(instance.log_step(memory, &step).unwrap()), "taskType");
    }
    let other = MemoryQuery { user_id: Some("u-2".into()), ..asked(&[]) };
    assert_eq!(field(instance.read(memory, &other).unwrap()), "userId");
    for number in [-1.0, f64::NAN, f64::INFINITY] {
        let cost = StepDraft { cost: Some(number), ..step("x", None) };
        assert_eq!(field(instance.log_step(memory, &cost).unwrap()), "cost");
        let latency = StepDraft { latency_ms: Some(number), ..step("x", None) };
        assert_eq!(field(instance.log_step(memory, &latency).unwrap()), "latencyMs");
    }
    let near = MemoryQuery { embedding: Some(vec![]), ..asked(&[]) };
    assert_eq!(field(instance.read(memory, &near).unwrap()), "embedding");
    let near = SemanticQuery { embedding: Some(vec![f32::NAN]), ..about("x") };
    assert_eq!(field(instance.semantic_search(memory, &near).unwrap()), "embedding");
    assert!(storage.holds_the_same_as(&before));
}

#[test]
fn b18_what_was_found_elsewhere_takes_its_place_among_what_is_known() {
    let (mut instance, memory) = opened(&stored());
    let elsewhere = |id: Option<&str>, metadata: Option<&str>| ExternalDocument {
        id: id.map(str::to_owned),
        content: "Laptops of the world".into(),
        source: Some("wiki".into()),
        metadata: metadata.map(str::to_owned),
    };
    let external = vec![elsewhere(Some("w-1"), Some(r#"{"title":"Laptops"}"#)), elsewhere(None, Some("null"))];
    let query = SemanticQuery { external, ..about("quiet laptops") };
    let found = instance.semantic_search(memory, &query).unwrap().unwrap();
    let others: Vec<_> = found.iter().filter(|known| known.kind == KnowledgeKind::External).collect();
    assert_eq!(others.iter().map(|known| known.id.as_str()).collect::<Vec<_>>(), ["w-1", "external-2"]);
    assert_eq!((others[0].title.as_deref(), others[0].source.as_deref()), (Some("Laptops"), Some("wiki")));
    assert_eq!((&others[1].title, &others[1].metadata), (&None, &None));
    assert!(found.iter().any(|known| known.kind == KnowledgeKind::Chunk && known.source.as_deref() == Some("guide")));
    let walked = instance.semantic_search(memory, &SemanticQuery { graph: Some(2), ..about("Ann") }).unwrap().unwrap();
    let pixel = walked.iter().find(|known| known.id == "Pixel").unwrap();
    assert_eq!((pixel.kind, pixel.via.as_slice()), (KnowledgeKind::Entity, &["Ann".to_owned()][..]));
}

#[test]
fn b19_a_skill_says_what_it_is_and_how_it_went() {
    let (mut instance, memory) = opened(&stored());
    let new = instance.add_skill(memory, &skill("new", "in doubt")).unwrap().unwrap();
    assert_eq!((new.version, new.kind, &new.learned, new.success_rate), (1, SkillKind::Sop, &None, None));
    assert_eq!((new.created_at, new.updated_at, new.demoted), (NOW, NOW, false));
    for (success, rate) in [(true, 1.0), (false, 0.5)] {
        let used = instance.record_skill_use(memory, "new", success).unwrap().unwrap();
        assert_eq!(used.success_rate, Some(rate));
    }
    assert_eq!(instance.record_skill_use(memory, "nobody", true).unwrap(), Err(Error::NotFound));
    let found = instance.search_skills(memory, &skills_for("comparing laptops")).unwrap().unwrap();
    assert_eq!((found[0].skill.id.as_str(), found[0].skill.version), ("compare", 2));
    assert!(found[0].score > 0.0);
}

#[test]
fn x1_an_erased_session_leaves_no_word_of_it_in_any_store() {
    let storage = Storage::default();
    let (mut instance, memory) = opened(&storage);
    let secret = "xylophone";
    for (scope, data) in [
        (Scope::Dialog, r#"{"role":"user","content":"a xylophone"}"#),
        (Scope::Dialog, r#"{"summary":"about a xylophone"}"#),
        (Scope::State, r#"{"state":{"want":"xylophone"}}"#),
        (Scope::State, r#"{"state":{"want":"a xylophone"}}"#),
        (Scope::State, r#"{"taskId":"t","step":"tuned a xylophone","status":"done"}"#),
        (Scope::Experience, r#"{"taskType":"t","toolName":"x","input":"xylophone"}"#),
    ] {
        assert_eq!(instance.write(memory, &event(scope, data)).unwrap(), Ok(true), "{data}");
    }
    let fact = crate::Draft { session: Some("s".into()), ..crate::draft("fact", "likes a xylophone") };
    instance.add(memory, &fact).unwrap().unwrap();
    let kept = MemoryWriteEvent { session_id: "s-2".into(), ..event(Scope::State, r#"{"state":{"want":"drum"}}"#) };
    instance.write(memory, &kept).unwrap().unwrap();
    assert!(storage.contains(secret.as_bytes()));
    // By an instance that has not looked at anything yet; first without the entries, then with them.
    let (mut other, others) = opened(&storage);
    assert_eq!(other.erase_session(others, "s", true).unwrap(), Ok(1));
    assert_eq!(instance.get_state(memory, "f", "s", None).unwrap(), Ok(None));
    assert!(instance.get(memory, "fact").unwrap().unwrap().is_some());
    assert_eq!(other.erase_session(others, "s", false).unwrap(), Ok(0));
    assert!(!storage.contains(secret.as_bytes()) && storage.contains(b"drum"));
    assert_eq!(other.verify_log(others).unwrap().unwrap().problem, None);
}

#[test]
fn s4_what_one_user_keeps_in_any_store_another_does_not_see() {
    let storage = stored();
    let mut instance = Instance::new(&storage, &scripted());
    let memory = instance.open("u-2").unwrap().unwrap();
    let empty = {
        let mut instance = Instance::new(&Storage::default(), &scripted());
        let memory = instance.open("u-2").unwrap().unwrap();
        instance.read(memory, &asked(&SCOPES)).unwrap().unwrap()
    };
    assert_eq!(instance.read(memory, &asked(&SCOPES)).unwrap().unwrap(), empty);
    assert_eq!(instance.skills(memory).unwrap(), Ok(vec![]));
    assert_eq!(instance.task_steps(memory, "pick", Some("s")).unwrap(), Ok(vec![]));
    assert_eq!(instance.graph_read(memory).unwrap().unwrap().entities, []);
    let before = storage.copy();
    assert_eq!(instance.erase_session(memory, "s", false).unwrap(), Ok(0));
    assert_eq!(instance.delete_document(memory, "guide").unwrap(), Ok(0));
    assert_eq!(instance.delete_skill(memory, "compare").unwrap(), Ok(false));
    assert!(storage.holds_the_same_as(&before));
}

#[test]
fn a_memory_that_is_closed_says_so_in_every_store() {
    let (mut instance, memory) = opened(&stored());
    instance.close(memory).unwrap().unwrap();
    for verb in STORES {
        assert_eq!((verb.run)(&mut instance, memory).unwrap(), Err(Error::Closed), "{}", verb.name);
    }
}

#[test]
fn whoever_writes_asks_the_clock_and_names_it_when_it_fails() {
    let storage = stored();
    let before = storage.copy();
    let world = scripted();
    let mut instance = Instance::new(&storage, &world);
    let memory = instance.open("u-1").unwrap().unwrap();
    world.set_now(i64::MAX);
    for verb in STORES.iter().filter(|verb| verb.calls().contains(&"commit")) {
        let answer = (verb.run)(&mut instance, memory).unwrap();
        assert_eq!(answer, Err(Error::Environment(Surroundings::Clock)), "{}", verb.name);
    }
    assert!(storage.holds_the_same_as(&before));
    world.set_now(NOW);
    assert_eq!(instance.log_task_step(memory, &task_step("picked")).unwrap().map(|logged| logged.at), Ok(NOW));
}
