//! Every function of the interface with values that nobody should send, made from its own types: an answer or a typed error,
//! never a trap, and a storage that is in order afterwards. `KEEPSAKE_FUZZ=N` runs more of them.

#![allow(clippy::disallowed_methods, reason = "how many inputs there are is said by the environment")]

#[allow(dead_code)]
#[path = "../../../fuzz/dice.rs"]
mod dice;

use super::scripted;
use dice::Dice;
use keepsake_host::{Instance, ResourceAny, Storage, Type, Untyped, Val};
use std::collections::BTreeMap;

/// So many lives of an instance in every test run, of up to so many calls.
const LIVES: u64 = 150;
const CALLS: usize = 40;

/// Texts that lead somewhere: names of things that earlier calls have made, and what fields expect.
const FIT: [&str; 20] = [
    "u-1",
    "e1",
    "s1",
    "m1",
    "notes/a.md",
    "MEMORY.md",
    "long-term",
    "short-term",
    "agent",
    "flow",
    "green tea",
    "What does Anh drink?",
    "Anh sống ở Đà Nẵng",
    "彼女はお茶が好きです",
    r#"{"a":1}"#,
    r#"["x"]"#,
    "[]",
    "2025-01-02T10:00:00.000Z",
    "memory_add",
    "# Title\n\n- one\n- two",
];

/// A value of this type; nothing if it would take a resource that there is none of.
fn value(dice: &mut Dice, ty: &Type, known: &[ResourceAny], depth: usize) -> Option<Val> {
    let edges = [0, 1, 2, 7, 100, u64::from(u32::MAX), i64::MAX as u64, u64::MAX];
    let number = |dice: &mut Dice| if dice.chance(2) { *dice.choose(&edges) } else { dice.next() % 64 };
    Some(match ty {
        Type::Bool => Val::Bool(dice.chance(2)),
        Type::S8 => Val::S8(number(dice) as i8),
        Type::U8 => Val::U8(number(dice) as u8),
        Type::S16 => Val::S16(number(dice) as i16),
        Type::U16 => Val::U16(number(dice) as u16),
        Type::S32 => Val::S32(number(dice) as i32),
        Type::U32 => Val::U32(number(dice) as u32),
        Type::S64 => Val::S64(number(dice) as i64),
        Type::U64 => Val::U64(number(dice)),
        Type::Float32 => Val::Float32(float(dice) as f32),
        Type::Float64 => Val::Float64(float(dice)),
        Type::Char => Val::Char(dice.odd().chars().next().unwrap_or('a')),
        Type::String => Val::String(match dice.below(8) {
            0 => dice.word(),
            1 => dice.odd().repeat(1 + dice.below(3000)),
            _ => (*dice.choose::<&str>(&FIT)).to_owned(),
        }),
        Type::List(list) => {
            let count = if depth > 3 { 0 } else { *dice.choose(&[0, 1, 1, 2, 3, 40]) };
            Val::List((0..count).map(|_| value(dice, &list.ty(), known, depth + 1)).collect::<Option<_>>()?)
        }
        Type::Record(record) => {
            let fields =
                record.fields().map(|field| Some((field.name.to_owned(), value(dice, &field.ty, known, depth + 1)?)));
            Val::Record(fields.collect::<Option<_>>()?)
        }
        Type::Tuple(tuple) => {
            Val::Tuple(tuple.types().map(|ty| value(dice, &ty, known, depth + 1)).collect::<Option<_>>()?)
        }
        Type::Variant(variant) => {
            let cases: Vec<_> = variant.cases().collect();
            let case = dice.choose(&cases);
            let inner = match &case.ty {
                Some(ty) => Some(Box::new(value(dice, ty, known, depth + 1)?)),
                None => None,
            };
            Val::Variant(case.name.to_owned(), inner)
        }
        Type::Enum(names) => {
            let names: Vec<_> = names.names().collect();
            Val::Enum((*dice.choose(&names)).to_owned())
        }
        Type::Option(inner) => match dice.chance(3) {
            true => Val::Option(None),
            false => Val::Option(Some(Box::new(value(dice, &inner.ty(), known, depth + 1)?))),
        },
        Type::Flags(flags) => Val::Flags(flags.names().filter(|_| dice.chance(2)).map(str::to_owned).collect()),
        Type::Own(wanted) | Type::Borrow(wanted) => {
            let fit: Vec<_> = known.iter().filter(|resource| resource.ty() == *wanted).collect();
            if fit.is_empty() {
                return None;
            }
            Val::Resource(**dice.choose(&fit))
        }
        _ => return None,
    })
}

fn float(dice: &mut Dice) -> f64 {
    *dice.choose(&[0.0, -0.0, 0.5, 1.0, -1.0, 1e308, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE])
}

/// The resources in an answer.
fn resources(value: &Val, found: &mut Vec<ResourceAny>) {
    match value {
        Val::Resource(resource) => found.push(*resource),
        Val::Result(Ok(Some(inner))) | Val::Option(Some(inner)) => resources(inner, found),
        Val::List(items) | Val::Tuple(items) => items.iter().for_each(|item| resources(item, found)),
        _ => {}
    }
}

#[test]
fn whatever_is_sent_through_the_interface_is_answered() {
    let lives = std::env::var("KEEPSAKE_FUZZ").map_or(LIVES, |count| count.parse().expect("it is a number"));
    let (mut calls, mut fine): (u64, BTreeMap<String, bool>) = (0, BTreeMap::new());
    for life in 0..lives {
        let mut dice = Dice::new("wit", life);
        let storage = Storage::default();
        let mut instance = Untyped::new(&storage, &scripted());
        let names: Vec<String> = instance.names().map(str::to_owned).collect();
        let open = names.iter().position(|name| name.ends_with("memory.open")).expect("a memory is opened");
        let mut known = Vec::new();
        let opened = instance
            .call(open, |name, _| Some(if name == "user" { Val::String("u-1".into()) } else { Val::Option(None) }));
        for value in opened.expect("it has all it needs").expect("it opens") {
            resources(&value, &mut known);
        }
        for _ in 0..dice.below(CALLS) {
            let at = dice.below(names.len());
            // A memory that is closed answers nothing more of interest.
            if names[at].ends_with("close") && !dice.chance(20) {
                continue;
            }
            let Some(answer) = instance.call(at, |_, ty| value(&mut dice, ty, &known, 0)) else { continue };
            calls += 1;
            let answer = answer.unwrap_or_else(|trap| panic!("life {life}: {} trapped: {trap:?}", names[at]));
            let good = !matches!(answer.first(), Some(Val::Result(Err(_))));
            *fine.entry(names[at].clone()).or_default() |= good;
            answer.iter().for_each(|value| resources(value, &mut known));
        }
        let mut next = Instance::new(&storage, &scripted());
        let memory = next.open("u-1").expect("no trap").expect("the storage is in order");
        next.count(memory, None).expect("no trap").expect("the index is in order");
        let verdict = next.verify(memory, false).expect("no trap").expect("it can be read");
        assert!(verdict.problems.is_empty(), "life {life}: {:?}", verdict.problems);
    }
    let never: Vec<_> = fine.iter().filter(|(_, fine)| !**fine).map(|(name, _)| name).collect();
    println!("{calls} calls of {} functions; {} of them never succeeded: {never:?}", fine.len(), never.len());
    assert!(fine.len() > 100 && never.len() < fine.len() / 3, "the values are too odd to lead anywhere: {never:?}");
}
