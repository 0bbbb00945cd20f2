//! The settings from JSON in the documented shape (D7). What is left out keeps its default.

use super::Fields;
use crate::model::{Config, Invalid, Json, Namespace, NamespaceRules, Namespaces};

/// Reads settings; what is not known is refused, by its path.
pub fn config(value: Json) -> Result<Config, Invalid> {
    let mut config = Config::default();
    let mut fields = Fields::of("config", value)?;
    // The document has them; here the version of the library and the storage are chosen elsewhere.
    fields.value("version");
    fields.value("storage");
    if let Some(Json::Object(namespaces)) = fields.value("namespaces") {
        for (name, rules) in namespaces {
            let known = config.namespaces.find("namespaces", &name).map(|(_, rules)| rules.clone());
            let start = known.unwrap_or_else(|_| default_rules());
            let namespace = Namespace::new("namespaces", name)?;
            config.namespaces.set(namespace, read_rules(rules, start)?);
        }
    }
    if let Some(retrieval) = fields.value("retrieval") {
        let mut fields = Fields::of("retrieval", retrieval)?;
        config.retrieval.top_k = fields.count("topK")?.unwrap_or(config.retrieval.top_k);
        config.retrieval.min_score = fields.number("minScore")?.unwrap_or(config.retrieval.min_score);
        fields.finish()?;
    }
    if let Some(output) = fields.value("output") {
        let mut fields = Fields::of("output", output)?;
        config.output.include_content_by_default = fields.flag("includeContentByDefault")?.unwrap_or(false);
        config.output.content_preview_chars =
            fields.count("contentPreviewChars")?.unwrap_or(config.output.content_preview_chars);
        fields.finish()?;
    }
    fields.finish()?;
    Ok(config)
}

/// A namespace that says nothing of itself is as the short-term one.
fn default_rules() -> NamespaceRules {
    let namespaces = Namespaces::default();
    let short_term = namespaces.find("namespaces", Namespaces::DEFAULT);
    short_term.map_or(
        NamespaceRules { max_entries: 0, ttl_days: 0, max_content_chars: 0, max_summary_chars: 0 },
        |(_, rules)| rules.clone(),
    )
}

fn read_rules(value: Json, start: NamespaceRules) -> Result<NamespaceRules, Invalid> {
    let mut fields = Fields::of("namespaces", value)?;
    let mut positive = |name: &'static str, default: usize| match fields.count(name)? {
        Some(0) => Err(Invalid::value(name, "must be above 0")),
        Some(count) => Ok(count),
        None => Ok(default),
    };
    let rules = NamespaceRules {
        max_entries: positive("maxEntries", start.max_entries)?,
        ttl_days: u32::try_from(positive("ttlDays", start.ttl_days as usize)?).unwrap_or(u32::MAX),
        max_content_chars: positive("maxContentChars", start.max_content_chars)?,
        max_summary_chars: positive("maxSummaryChars", start.max_summary_chars)?,
    };
    fields.finish()?;
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::json::parse;

    const DOCUMENTED: &str = r#"{"version":"1.0.0","storage":{"defaultBackend":"inmemory","directory":".taisun/memory"},
        "namespaces":{"short-term":{"maxEntries":2000,"ttlDays":14,"maxContentChars":200000,"maxSummaryChars":1200},
        "long-term":{"maxEntries":20000,"ttlDays":3650,"maxContentChars":500000,"maxSummaryChars":1200}},
        "retrieval":{"topK":5,"minScore":0.15},"output":{"includeContentByDefault":false,"contentPreviewChars":1200}}"#;

    #[test]
    fn d7_the_documented_settings_are_the_defaults() {
        assert_eq!(config(parse(DOCUMENTED).unwrap()), Ok(Config::default()));
        assert_eq!(config(Json::Null), Ok(Config::default()));
    }

    #[test]
    fn settings_change_what_they_name_and_mistakes_are_named() {
        let read = |text: &str| config(parse(text).unwrap());
        let changed = read(r#"{"namespaces":{"short-term":{"maxEntries":3},"notes":{"ttlDays":1}}}"#).unwrap();
        let (_, short) = changed.namespaces.find("namespace", "short-term").unwrap();
        assert_eq!((short.max_entries, short.ttl_days), (3, 14));
        let (_, notes) = changed.namespaces.find("namespace", "notes").unwrap();
        assert_eq!((notes.max_entries, notes.ttl_days), (2000, 1));
        assert_eq!(read(r#"{"retrieval":{"topk":5}}"#).unwrap_err().field(), "topk");
        assert_eq!(read(r#"{"namespaces":{"a":{"maxEntries":0}}}"#).unwrap_err().field(), "maxEntries");
        assert_eq!(read(r#"{"namespaces":{"":{}}}"#).unwrap_err().field(), "namespaces");
        // D40: an explicit zero is a zero.
        assert_eq!(read(r#"{"retrieval":{"topK":0,"minScore":0}}"#).unwrap().retrieval.top_k, 0);
    }
}
