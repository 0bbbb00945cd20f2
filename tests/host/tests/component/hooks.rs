//! The component of a host that has models: they write summaries, say where texts lie, and teach; and when they fail,
//! nothing is lost.

use crate::stores_verbs::step;
use crate::{OPTIONS, draft, query, said, scripted, talk};
use keepsake_host::wit::Error;
use keepsake_host::wit_dialog::{Compressed, ContextOptions, Recall, Role, Strategy, TreeReduce};
use keepsake_host::wit_tools::ToolScope;
use keepsake_host::{Hooked, Models, Passage, Storage};
use std::sync::{Arc, Mutex};

/// Models that say nothing.
fn silent() -> Models {
    Models {
        summarize: Arc::new(|passages| vec![None; passages.len()]),
        embed: Arc::new(|_| None),
        teach: Arc::new(|_| None),
    }
}

fn small() -> Option<Strategy> {
    Some(Strategy::TreeReduce(TreeReduce {
        context_tokens: Some(1500),
        compression_threshold: None,
        chunk_size: None,
        hot_window_size: None,
    }))
}

#[test]
fn a_summarizer_writes_what_a_history_says() {
    let storage = Storage::default();
    drop(talk(&storage, 30, 20));
    let asked: Arc<Mutex<Vec<Passage>>> = Arc::default();
    let heard = Arc::clone(&asked);
    let summarize = move |passages: Vec<Passage>| {
        let told =
            passages.iter().map(|passage| Some(if passage.are_summaries { "All of it" } else { "A part" }.into()));
        let told = told.collect();
        heard.lock().unwrap().extend(passages);
        told
    };
    let mut hooked = Hooked::new(&storage, &scripted(), &Models { summarize: Arc::new(summarize), ..silent() });
    let memory = hooked.instance.open("u-1").unwrap().unwrap();
    let session = hooked.instance.session(memory, "s").unwrap().unwrap();
    let done = hooked.compress(session, small()).unwrap().unwrap();
    assert_eq!(done, Compressed { changed: true, items: 16, history: Some("history-001".into()) });
    assert_eq!(hooked.instance.histories(session).unwrap().unwrap()[0].text, "All of it");
    let asked = asked.lock().unwrap();
    assert_eq!(asked.iter().map(|passage| passage.texts.len()).collect::<Vec<_>>(), [10, 5, 2]);
    assert!(asked[0].texts[0].starts_with("user: message 0"), "{}", asked[0].texts[0]);
}

#[test]
fn a_summarizer_that_says_nothing_or_too_much_changes_nothing() {
    let long = |passages: Vec<Passage>| passages.iter().map(|passage| Some(passage.texts.concat().repeat(2))).collect();
    let few = |_: Vec<Passage>| vec![Some("one for all".to_owned())];
    for summarize in [silent().summarize, Arc::new(long), Arc::new(few)] {
        let storage = Storage::default();
        drop(talk(&storage, 30, 20));
        let mut hooked = Hooked::new(&storage, &scripted(), &Models { summarize, ..silent() });
        let memory = hooked.instance.open("u-1").unwrap().unwrap();
        let session = hooked.instance.session(memory, "s").unwrap().unwrap();
        let done = hooked.compress(session, small()).unwrap().unwrap();
        assert_eq!(done, Compressed { changed: false, items: 30, history: None });
        assert_eq!(hooked.instance.messages(session, Some(100), None).unwrap().unwrap().messages.len(), 30);
    }
}

#[test]
fn an_embedder_finds_what_no_word_tells() {
    // Two meanings: what floats, and what does not.
    let embed = |texts: Vec<String>| {
        let floats = |text: &String| ["boat", "ship"].iter().any(|word| text.contains(word));
        Some(texts.iter().map(|text| if floats(text) { vec![1.0, 0.0] } else { vec![0.0, 1.0] }).collect())
    };
    let models = Models { embed: Arc::new(embed), ..silent() };
    let mut hooked = Hooked::new(&Storage::default(), &scripted(), &models);
    let memory = hooked.instance.open("u-1").unwrap().unwrap();
    for (id, content) in [("a", "A boat lies in the harbour"), ("b", "Bread is baked at night")] {
        hooked.instance.add(memory, &draft(id, content)).unwrap().unwrap();
    }
    assert_eq!(hooked.search(memory, query("ship")).unwrap().unwrap(), [], "nothing is embedded yet");
    assert_eq!(hooked.embed(memory, 10).unwrap(), Ok(2));
    assert_eq!(hooked.embed(memory, 10).unwrap(), Ok(0), "none is left");
    let hits = hooked.search(memory, query("ship")).unwrap().unwrap();
    assert_eq!(hits[0].id, "a");
}

#[test]
fn an_embedder_finds_what_was_said_through_every_function_that_searches() {
    let embed = |texts: Vec<String>| {
        let floats = |text: &String| ["boat", "ship"].iter().any(|word| text.contains(word));
        Some(texts.iter().map(|text| if floats(text) { vec![1.0, 0.0] } else { vec![0.0, 1.0] }).collect())
    };
    let models = Models { embed: Arc::new(embed), ..silent() };
    let mut hooked = Hooked::new(&Storage::default(), &scripted(), &models);
    let memory = hooked.instance.open("u-1").unwrap().unwrap();
    let session = hooked.instance.session(memory, "before").unwrap().unwrap();
    let lines = ["A boat lies in the harbour", "Bread is baked at night"].map(|line| said(Role::User, line));
    hooked.instance.append(session, &lines).unwrap().unwrap();
    assert_eq!(hooked.embed(memory, 10).unwrap(), Ok(2));
    assert_eq!(hooked.embed(memory, 10).unwrap(), Ok(0), "none is left");
    let recall = Recall {
        query: "ship".into(),
        limit: None,
        session: None,
        ranking: None,
        embedding: None,
        agent: None,
        include_tool_traffic: None,
        only_answers: None,
        explain: None,
        min_trust: None,
    };
    let found = hooked.query_memory(memory, recall).unwrap().unwrap();
    assert_eq!(found[0].text, "A boat lies in the harbour");
    let now = hooked.instance.session(memory, "now").unwrap().unwrap();
    hooked.instance.append(now, &[said(Role::User, "Is the ship well?")]).unwrap().unwrap();
    let prompt = hooked.make_context(now, OPTIONS).unwrap().unwrap().prompt;
    assert!(prompt.contains("A boat lies in the harbour"), "{prompt}");
    let asked = ContextOptions { query: Some("bread".into()), ..OPTIONS };
    assert!(hooked.make_context(now, asked).unwrap().unwrap().prompt.contains("Bread is baked at night"));
    let scope = ToolScope { agent: None, only: Vec::new(), read_only: true, writable: Vec::new(), session: None };
    let args = r#"{"query":"ship"}"#.to_owned();
    let answer = hooked.call_tool(memory, "query_memory".into(), args, scope).unwrap().unwrap();
    assert!(answer.text.contains("A boat lies in the harbour"), "{}", answer.text);
}

#[test]
fn an_embedder_that_says_nothing_leaves_the_words_and_one_that_says_nonsense_is_refused() {
    let mut hooked = Hooked::new(&Storage::default(), &scripted(), &silent());
    let memory = hooked.instance.open("u-1").unwrap().unwrap();
    hooked.instance.add(memory, &draft("a", "A boat lies in the harbour")).unwrap().unwrap();
    assert_eq!(hooked.embed(memory, 10).unwrap(), Ok(0));
    assert_eq!(hooked.search(memory, query("boat")).unwrap().unwrap()[0].id, "a");
    for vectors in [vec![], vec![vec![]], vec![vec![f32::NAN]], vec![vec![1.0], vec![1.0]]] {
        let models = Models { embed: Arc::new(move |_| Some(vectors.clone())), ..silent() };
        let mut hooked = Hooked::new(&Storage::default(), &scripted(), &models);
        let memory = hooked.instance.open("u-1").unwrap().unwrap();
        hooked.instance.add(memory, &draft("a", "A boat")).unwrap().unwrap();
        let Err(Error::InvalidInput(invalid)) = hooked.embed(memory, 10).unwrap() else { panic!("nonsense was taken") };
        assert_eq!(invalid.field, "embedding");
    }
}

#[test]
fn a_teacher_makes_skills_of_traces_it_has_not_seen() {
    let teach = |(task, traces): (String, Vec<String>)| {
        assert_eq!((task.as_str(), traces.len()), ("buy", 1));
        assert!(traces[0].contains("search_web"), "{}", traces[0]);
        Some(vec![r#"{"useWhen":"buying a laptop","toolSops":[{"tool":"search_web"}]}"#.to_owned()])
    };
    let mut hooked = Hooked::new(&Storage::default(), &scripted(), &Models { teach: Arc::new(teach), ..silent() });
    let memory = hooked.instance.open("u-1").unwrap().unwrap();
    hooked.instance.log_step(memory, &step("search_web", None)).unwrap().unwrap();
    let skills = hooked.learn(memory, None).unwrap().unwrap();
    assert_eq!(skills.iter().map(|skill| skill.use_when.as_str()).collect::<Vec<_>>(), ["buying a laptop"]);
    assert_eq!(hooked.learn(memory, None).unwrap(), Ok(vec![]), "there is no news");
}

#[test]
fn a_teacher_that_says_nothing_is_asked_again_and_nonsense_is_refused() {
    let said: Arc<Mutex<Option<Vec<String>>>> = Arc::default();
    let heard = Arc::clone(&said);
    let models = Models { teach: Arc::new(move |_| heard.lock().unwrap().clone()), ..silent() };
    let mut hooked = Hooked::new(&Storage::default(), &scripted(), &models);
    let memory = hooked.instance.open("u-1").unwrap().unwrap();
    hooked.instance.log_step(memory, &step("search_web", None)).unwrap().unwrap();
    assert_eq!(hooked.learn(memory, None).unwrap(), Ok(vec![]));
    for nonsense in ["", "[]", r#"{"useWhen":7}"#, r#"{"wing":1}"#] {
        *said.lock().unwrap() = Some(vec![nonsense.to_owned()]);
        assert!(matches!(hooked.learn(memory, None).unwrap(), Err(Error::InvalidInput(_))), "{nonsense}");
    }
    *said.lock().unwrap() = Some(vec![r#"{"useWhen":"buying"}"#.to_owned()]);
    assert_eq!(hooked.learn(memory, None).unwrap().unwrap().len(), 1, "the traces have come again");
}
