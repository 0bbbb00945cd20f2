//! The JSON of prompts: the options, and the outcome of each candidate.

use super::dialog::messages;
use crate::codec::json::{self, Fields};
use crate::context::formats::Format;
use crate::context::prompt::{Kind, LeftOutReason};
use crate::memory::prompt::context::{Context, ContextOptions};
use crate::memory::prompt::recent::MessageRange;
use crate::model::{Invalid, Json, MessageId, Trust};

const KINDS: [(&str, Kind); 8] = [
    ("system", Kind::System),
    ("instruction", Kind::Instruction),
    ("profile", Kind::Profile),
    ("summary", Kind::Summary),
    ("turn", Kind::Turn),
    ("skill", Kind::Skill),
    ("document", Kind::Document),
    ("memory", Kind::Memory),
];

fn kinds(field: &'static str, names: &[String]) -> Result<Vec<Kind>, Invalid> {
    let kind = |name: &String| KINDS.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind);
    let found: Option<Vec<Kind>> = names.iter().map(kind).collect();
    found.ok_or_else(|| {
        Invalid::value(field, "must be of: system, instruction, profile, summary, turn, skill, document, memory")
    })
}

/// Decodes the options of a prompt, and the format of its messages.
pub(super) fn context_options(mut fields: Fields) -> Result<(ContextOptions, Option<Format>), Invalid> {
    let options = read(&mut fields);
    let format = fields.made("format", |field, name| Format::from_name(field, &name));
    fields.finish()?;
    Ok((options?, format))
}

fn read(fields: &mut Fields) -> Result<ContextOptions, Invalid> {
    let order = if fields.has("order") { kinds("order", &fields.texts("order")) } else { Ok(Kind::ORDER.to_vec()) };
    let include = if fields.has("include") { kinds("include", &fields.texts("include")).map(Some) } else { Ok(None) };
    let budget = fields.count("budget");
    let options = ContextOptions {
        query: fields.text("query"),
        budget: budget.map_or(0, |budget| u32::try_from(budget).unwrap_or(u32::MAX)),
        order: Vec::new(),
        window: fields.count("window"),
        limit: fields.count("limit"),
        system: fields.text("system"),
        embedding: json::embedding(fields),
        task_type: fields.either("taskType", "task_type"),
        agent: fields.text("agent"),
        flow: fields.text("flow"),
        ranked: fields.texts("ranked"),
        min_trust: fields.made("minTrust", |field, word| Trust::new(field, &word)),
    };
    if budget.is_none() {
        fields.refuse(Invalid::value("budget", "must be a number of tokens"));
    }
    let (mut order, include) = (order?, include?);
    order.retain(|kind| include.as_ref().is_none_or(|include| include.contains(kind)));
    Ok(ContextOptions { order, ..options })
}

fn kind_name(kind: Kind) -> &'static str {
    KINDS.iter().find(|(_, known)| *known == kind).map_or("", |(name, _)| name)
}

pub(crate) fn context(context: &Context) -> Json {
    let used = context.used.iter().map(|used| {
        Json::object(vec![
            ("ref", used.reference.as_str().into()),
            ("kind", kind_name(used.kind).into()),
            ("tokens", u64::from(used.tokens).into()),
            ("shortened", if used.shortened { true.into() } else { Json::Null }),
        ])
    });
    let left = context.left.iter().map(|left| {
        let why = match left.why {
            LeftOutReason::NoRoom => "no-room",
            LeftOutReason::Empty => "empty",
            LeftOutReason::NotIncluded => "not-included",
            LeftOutReason::Window => "window",
            LeftOutReason::Policy => "policy",
            LeftOutReason::NoCall => "no-call",
            LeftOutReason::NoResult => "no-result",
        };
        Json::object(vec![
            ("ref", left.reference.as_str().into()),
            ("kind", kind_name(left.kind).into()),
            ("why", why.into()),
            ("range", left.range.as_ref().map_or(Json::Null, range)),
        ])
    });
    Json::object(vec![
        ("prompt", context.prompt.as_str().into()),
        ("messages", messages(&context.messages)),
        ("tokens", u64::from(context.tokens).into()),
        ("used", Json::Array(used.collect())),
        ("left", Json::Array(left.collect())),
    ])
}

fn range(range: &MessageRange) -> Json {
    Json::object(vec![
        ("first", range.first.as_str().into()),
        ("last", range.last.as_str().into()),
        ("before", range.before.as_ref().map(MessageId::as_str).into()),
        ("count", range.count.into()),
    ])
}
