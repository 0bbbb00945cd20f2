//! No verb of the contract is forgotten: each is called by some plan, or has a reason not to be.

use super::calls::{Call, What};
use super::chains::CHAINS;
use super::plan::Plan;
use super::run::Run;
use super::verbs::{CHANGES, LEFT_OUT, READS};
use keepsake::model::Json;
use keepsake::{Error, ErrorCode};
use std::collections::BTreeSet;
use std::path::Path;

/// A run in which nothing happens by itself.
fn quiet() -> Plan {
    Plan { calls: Vec::new(), mishaps: Vec::new(), capped: false, former: false }
}

/// All names in quotes in a source.
fn quoted(source: &str) -> impl Iterator<Item = &str> {
    let is_name = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic());
    source.split('"').filter(is_name)
}

/// All names in quotes in the sources below a folder.
fn names_below(folder: &Path, names: &mut BTreeSet<String>) {
    for item in std::fs::read_dir(folder).expect("the sources are there") {
        let path = item.expect("it is listed").path();
        if path.is_dir() {
            names_below(&path, names);
        } else {
            let source = std::fs::read_to_string(path).expect("it is text");
            names.extend(quoted(&source).map(str::to_owned));
        }
    }
}

fn answer(plan: &Plan, name: &str) -> Result<Json, Error> {
    let mut run = Run::new(plan, 0, None);
    let memory = run.opened_anew()?;
    run.alone(memory.call(name, Json::Object(Vec::new()))).expect("nothing waits for ever")
}

/// The verbs, by asking: of all names in the sources of the memory, those that a memory does not call unknown.
fn verbs() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    names_below(concat!(env!("CARGO_MANIFEST_DIR"), "/src/memory").as_ref(), &mut names);
    let plan = quiet();
    let unknown = answer(&plan, "nonsense").expect_err("there is no such verb");
    names.into_iter().filter(|name| answer(&plan, name).err().as_ref() != Some(&unknown)).collect()
}

#[test]
fn every_verb_is_called_by_some_plan_or_left_out_for_a_reason() {
    let verbs = verbs();
    assert!(verbs.len() > 100 && verbs.contains("add") && verbs.contains("callTool"), "{verbs:?}");
    let plans = (0..super::SEEDS).map(Plan::random);
    let driven: BTreeSet<String> =
        plans.flat_map(|plan| plan.calls.concat().concat()).flat_map(|call| call.verbs()).map(str::to_owned).collect();
    let left_out: BTreeSet<String> = LEFT_OUT.iter().map(|(verb, _)| (*verb).to_owned()).collect();
    let known: BTreeSet<String> = driven.union(&left_out).cloned().collect();
    assert_eq!(verbs.difference(&known).collect::<Vec<_>>(), Vec::<&String>::new(), "nobody calls these");
    assert_eq!(known.difference(&verbs).collect::<Vec<_>>(), Vec::<&String>::new(), "these are no verbs");
    assert!(driven.is_disjoint(&left_out), "these are called although they are left out: {left_out:?}");
}

#[test]
fn every_call_of_the_tables_does_something() {
    let plan = quiet();
    let mut run = Run::new(&plan, 0, None);
    let memory = run.opened_anew().expect("nothing is stored yet");
    let others = CHANGES.iter().chain(READS).map(|(verb, args)| What::Other(verb, args));
    let calls = others.chain((0..CHAINS.len()).map(What::Chain)).zip(1..).map(|(what, token)| Call { token, what });
    let mut refused = Vec::new();
    for call in calls {
        let answer = run.asked(&memory, &call).expect("nothing waits for ever");
        // The thing may be gone, or there already.
        match answer.as_ref().map_err(Error::code) {
            Ok(_) | Err(ErrorCode::NotFound | ErrorCode::AlreadyExists) => {}
            Err(_) => refused.push(format!("{:?}: {answer:?}", call.what)),
        }
        if call.verb() == "callTool" || call.verb() == "memoryTool" {
            let data = answer.map(|answer| answer.get("isError").clone());
            assert_eq!(data, Ok(Json::Bool(false)), "{:?}", call.what);
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
