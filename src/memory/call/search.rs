//! The JSON of searches and hits.

use crate::codec::json::{Fields, embedding};
#[cfg(feature = "full")]
use crate::index::Miss;
use crate::index::{Part, Ranking};
use crate::memory::entries::search::{Hit, SearchOptions};
use crate::memory::prompt::recall::RecallOptions;
use crate::model::{AgentId, Invalid, Json, SessionId, Trust};

/// The default number of results of a recall and of long-term memory.
pub(super) const RESULTS: usize = 5;

/// Decodes a query. Unknown fields are refused.
pub(super) fn search_options(value: Json) -> Result<SearchOptions, Invalid> {
    let mut fields = Fields::of("options", value);
    let options = read(&mut fields);
    fields.finish()?;
    Ok(options)
}

/// Decodes a query from fields that may include others.
pub(in crate::memory) fn read(fields: &mut Fields) -> SearchOptions {
    let (any_tag, all_tags, no_tag) = tags(fields);
    SearchOptions {
        query: fields.required_text("query"),
        ranking: fields.made("ranking", ranking).unwrap_or(Ranking::Best),
        limit: fields.count("limit"),
        min_score: fields.number("minScore"),
        namespace: fields.text("namespace"),
        any_tag,
        all_tags,
        no_tag,
        from: fields.time("from"),
        until: fields.time("until"),
        as_of: fields.time("asOf"),
        include_past: fields.flag("includePast").unwrap_or_default(),
        session: fields.text("session"),
        agent: fields.text("agent"),
        source: fields.text("source"),
        metadata: match fields.value("metadata").unwrap_or_default() {
            Json::Object(wanted) => wanted,
            Json::Null => Vec::new(),
            _ => {
                fields.refuse(Invalid::value("metadata", "must be an object"));
                Vec::new()
            }
        },
        min_trust: fields.made("minTrust", |field, word| Trust::new(field, &word)),
        include_content: fields.flag("includeContent"),
        explain: fields.flag("explain").unwrap_or_default(),
        embedding: embedding(fields),
        ranked: if cfg!(feature = "full") { fields.texts("ranked") } else { Vec::new() },
    }
}

/// Decodes a recall.
pub(super) fn recall_options(mut fields: Fields) -> Result<(String, RecallOptions), Invalid> {
    let query = fields.required_text("query");
    let options = RecallOptions {
        limit: fields.count("limit").unwrap_or(RESULTS),
        session: fields.made("session", SessionId::new),
        ranking: fields.made("ranking", ranking).unwrap_or(Ranking::Best),
        embedding: embedding(&mut fields),
        agent: fields.made("agent", AgentId::new).map(|agent| agent.to_string()),
        include_tool_traffic: fields.flag("includeToolTraffic").unwrap_or_default(),
        ranked: fields.texts("ranked"),
        min_trust: fields.made("minTrust", |field, word| Trust::new(field, &word)),
        only_answers: fields.flag("onlyAnswers").unwrap_or_default(),
        explain: fields.flag("explain").unwrap_or_default(),
        ..RecallOptions::default()
    };
    fields.finish()?;
    Ok((query, options))
}

/// Decodes a retrieval from long-term memory, and its agent.
pub(super) fn retrieve_options(mut fields: Fields) -> Result<(SearchOptions, Option<AgentId>, bool), Invalid> {
    let (query, limit) = (fields.required_text("query"), fields.count("limit"));
    let instructions = fields.flag("instructions").unwrap_or_default();
    long_term(fields, query, limit).map(|(options, agent)| (options, agent, instructions))
}

/// The same by keywords.
pub(super) fn keyword_options(mut fields: Fields) -> Result<(SearchOptions, Option<AgentId>), Invalid> {
    let query = fields.texts("keywords").join(" ");
    long_term(fields, query, None)
}

fn long_term(
    mut fields: Fields,
    query: String,
    limit: Option<usize>,
) -> Result<(SearchOptions, Option<AgentId>), Invalid> {
    let agent = fields.made("agent", AgentId::new);
    let options = SearchOptions {
        query,
        ranking: Ranking::Best,
        limit: Some(limit.unwrap_or(RESULTS)),
        embedding: embedding(&mut fields),
        ranked: fields.texts("ranked"),
        min_trust: fields.made("minTrust", |field, word| Trust::new(field, &word)),
        ..SearchOptions::default()
    };
    fields.finish()?;
    Ok((options, agent))
}

fn ranking(field: &str, word: String) -> Result<Ranking, Invalid> {
    match word.as_str() {
        "best" => Ok(Ranking::Best),
        "formula" => Ok(Ranking::Formula),
        _ => Err(Invalid::value(field, "must be one of: best, formula")),
    }
}

/// An array matches any of its tags; an object has `any`, `all` and `none`.
fn tags(fields: &mut Fields) -> (Vec<String>, Vec<String>, Vec<String>) {
    match fields.value("tags").unwrap_or_default() {
        object @ Json::Object(_) => {
            let mut sets = Fields::of("tags", object);
            let tags = (sets.texts("any"), sets.texts("all"), sets.texts("none"));
            fields.accept(sets.finish().map_err(|mistake| mistake.within("tags")));
            tags
        }
        list => {
            let mut one = Fields::of("tags", Json::object(vec![("tags", list)]));
            let any = one.texts("tags");
            fields.accept(one.finish());
            (any, Vec::new(), Vec::new())
        }
    }
}

/// Encodes a hit.
pub(crate) fn hit(hit: &Hit) -> Json {
    Json::object(vec![
        ("id", hit.id.as_str().into()),
        ("score", hit.score.into()),
        ("namespace", hit.namespace.as_str().into()),
        ("summary", hit.summary.as_str().into()),
        ("tags", hit.tags.as_slice().into()),
        ("createdAt", hit.created_at.to_string().into()),
        ("at", hit.at.to_string().into()),
        ("validFrom", hit.valid_from.map(|time| time.to_string()).into()),
        ("validUntil", hit.valid_until.map(|time| time.to_string()).into()),
        ("session", hit.session.as_deref().into()),
        ("speaker", hit.speaker.as_deref().into()),
        ("source", hit.source.as_deref().into()),
        ("contentPreview", hit.content_preview.as_deref().into()),
        #[cfg(feature = "full")]
        receipt(&hit.receipt),
    ])
}

/// The parts of a score as a field; null if they were not requested.
pub(super) fn receipt(parts: &[Part]) -> (&'static str, Json) {
    let parts = if parts.is_empty() { Json::Null } else { Json::Array(parts.iter().map(part).collect()) };
    ("receipt", parts)
}

fn part(part: &Part) -> Json {
    let term = (!part.term.is_empty()).then_some(part.term.as_str());
    Json::object(vec![("label", part.label.into()), ("term", term.into()), ("value", part.value.into())])
}

/// Encodes the reason why an entry is not among the hits.
#[cfg(feature = "full")]
pub(crate) fn miss(miss: &Miss) -> Json {
    let because = |reason: &str, more: Vec<(&str, Json)>| {
        let mut fields = vec![("reason", reason.into())];
        fields.extend(more);
        Json::object(fields)
    };
    match miss {
        Miss::Unknown => because("unknown", vec![]),
        Miss::Expired => because("expired", vec![]),
        Miss::Filtered(filter) => because("filtered", vec![("filter", (*filter).into())]),
        Miss::NoTerm(terms) => because("no-term", vec![("terms", terms.as_slice().into())]),
        Miss::LowScore(score, parts) => because("low-score", vec![("score", (*score).into()), receipt(parts)]),
        Miss::Outranked(by, parts) => because("outranked", vec![("by", (*by).into()), receipt(parts)]),
        Miss::Hit => because("hit", vec![]),
    }
}
