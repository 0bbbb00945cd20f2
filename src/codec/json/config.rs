//! Reads settings from JSON in the documented form (D7). Missing fields keep their defaults.

use super::Fields;
use crate::model::{Config, Invalid, Json, MemoryRules, Namespace, NamespaceRules, Tokenizer};

/// Reads settings; unknown fields are refused, by path.
pub fn config(value: Json) -> Result<Config, Invalid> {
    let mut config = Config::default();
    let mut fields = Fields::of("config", value);
    // Documented fields; here the library version and the storage are chosen elsewhere.
    fields.value("version");
    fields.value("storage");
    let namespaces = fields.value("namespaces").unwrap_or_default();
    let retrieval = fields.value("retrieval").unwrap_or_default();
    let output = fields.value("output").unwrap_or_default();
    let policies = fields.value("policies").unwrap_or_default();
    let memory = fields.value("memory").unwrap_or_default();
    let vectors = fields.text("vectors");
    config.exact_vectors = vectors.as_deref() == Some("f32");
    if vectors.is_some_and(|vectors| vectors != "f32" && vectors != "int8") {
        fields.refuse(Invalid::value("vectors", "must be one of: int8, f32"));
    }
    if let Some(name) = fields.text("tokenizer") {
        match Tokenizer::from_name(&name) {
            Some(tokenizer) => config.tokenizer = tokenizer,
            None => fields.refuse(Invalid::value("tokenizer", "must be one of: o200k, cl100k, claude, gemini")),
        }
    }
    fields.finish()?;
    config.policies = super::policies(policies).map_err(|mistake| mistake.within("policies"))?;
    config.memory = memory_rules(memory).map_err(|mistake| mistake.within("memory"))?;
    match namespaces {
        Json::Object(namespaces) => {
            for (name, rules) in namespaces {
                let namespace = Namespace::new("namespaces", name)?;
                let rules = read_rules(rules, config.namespaces.rules_of(&namespace));
                let rules = rules.map_err(|mistake| mistake.within(namespace.as_str()).within("namespaces"))?;
                config.namespaces.set(namespace, rules);
            }
        }
        Json::Null => {}
        _ => return Err(Invalid::value("namespaces", "must be an object")),
    }
    let mut fields = Fields::of("retrieval", retrieval);
    config.retrieval.top_k = fields.count("topK").unwrap_or(config.retrieval.top_k);
    config.retrieval.min_score = fields.number("minScore").unwrap_or(config.retrieval.min_score);
    fields.finish().map_err(|mistake| mistake.within("retrieval"))?;
    let mut fields = Fields::of("output", output);
    config.output.include_content_by_default = fields.flag("includeContentByDefault").unwrap_or_default();
    let preview = fields.count("contentPreviewChars");
    config.output.content_preview_chars = preview.unwrap_or(config.output.content_preview_chars);
    fields.finish().map_err(|mistake| mistake.within("output"))?;
    Ok(config)
}

/// The settings of conversations, by their documented names (C27) or in camel case.
fn memory_rules(value: Json) -> Result<MemoryRules, Invalid> {
    let mut fields = Fields::of("memory", value);
    let mut number = |name: &'static str, other: &'static str, most: f64| {
        let name = fields.named(name, other);
        let number = fields.number(name);
        let whole = most <= 1.0 || number.is_none_or(|number| number.fract() == 0.0);
        if number.is_some_and(|number| !(number > 0.0 && number <= most && whole)) {
            let rule = if most > 1.0 { "must be a positive integer" } else { "must be above 0 and at most 1" };
            fields.refuse(Invalid::value(name, rule));
        }
        number
    };
    let rules = MemoryRules {
        hot_window_size: number("hotWindowSize", "hot_window_size", u32::MAX.into()).map(|size| size as usize),
        compression_threshold: number("compressionThreshold", "compression_threshold", 1.0),
        chunk_size: number("chunkSize", "chunk_size", u32::MAX.into()).map(|size| size as usize),
    };
    fields.finish()?;
    Ok(rules)
}

fn read_rules(value: Json, start: NamespaceRules) -> Result<NamespaceRules, Invalid> {
    let mut fields = Fields::of("namespaces", value);
    let mut positive = |name: &'static str, default: usize| {
        let count = fields.count(name).unwrap_or(default);
        if count == 0 {
            fields.refuse(Invalid::value(name, "must be above 0"));
        }
        count
    };
    let rules = NamespaceRules {
        max_entries: positive("maxEntries", start.max_entries),
        ttl_days: u32::try_from(positive("ttlDays", start.ttl_days as usize)).unwrap_or(u32::MAX),
        max_content_chars: positive("maxContentChars", start.max_content_chars),
        max_summary_chars: positive("maxSummaryChars", start.max_summary_chars),
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
    fn c27_conversations_are_set_by_their_documented_names_in_either_spelling() {
        let read = |text: &str| config(parse(text).unwrap()).map(|config| config.memory);
        let documented = r#"{"memory":{"hot_window_size":30,"compression_threshold":0.8,"chunk_size":10}}"#;
        let expected =
            MemoryRules { hot_window_size: Some(30), compression_threshold: Some(0.8), chunk_size: Some(10) };
        assert_eq!(read(documented), Ok(expected.clone()));
        let camel = r#"{"memory":{"hotWindowSize":30,"compressionThreshold":0.8,"chunkSize":10}}"#;
        assert_eq!(read(camel), Ok(expected));
        for (text, field) in [
            (r#"{"hot_window":30}"#, "hot_window"),
            (r#"{"hot_window_size":0}"#, "hot_window_size"),
            (r#"{"hotWindowSize":1.5}"#, "hotWindowSize"),
            (r#"{"chunk_size":-1}"#, "chunk_size"),
            (r#"{"compression_threshold":1.1}"#, "compression_threshold"),
            (r#"{"chunk_size":1,"chunkSize":2}"#, "chunk_size"),
        ] {
            let refused = read(&format!(r#"{{"memory":{text}}}"#)).unwrap_err();
            assert_eq!(refused.field(), format!("memory.{field}"), "{text}");
        }
    }

    #[test]
    fn settings_change_what_they_name_and_mistakes_are_named() {
        let read = |text: &str| config(parse(text).unwrap());
        let changed = read(r#"{"namespaces":{"short-term":{"maxEntries":3},"notes":{"ttlDays":1}}}"#).unwrap();
        let (_, short) = changed.namespaces.find("namespace", "short-term").unwrap();
        assert_eq!((short.max_entries, short.ttl_days), (3, 14));
        let (_, notes) = changed.namespaces.find("namespace", "notes").unwrap();
        assert_eq!((notes.max_entries, notes.ttl_days), (2000, 1));
        assert_eq!(read(r#"{"retrieval":{"topk":5}}"#).unwrap_err().field(), "retrieval.topk");
        assert_eq!(read(r#"{"namespaces":{"a":{"maxEntries":0}}}"#).unwrap_err().field(), "namespaces.a.maxEntries");
        assert_eq!(read(r#"{"namespaces":{"":{}}}"#).unwrap_err().field(), "namespaces");
        assert_eq!(read(r#"{"namespaces":5}"#).unwrap_err().field(), "namespaces");
        // D40: an explicit zero is a zero.
        assert_eq!(read(r#"{"retrieval":{"topK":0,"minScore":0}}"#).unwrap().retrieval.top_k, 0);
    }
}
