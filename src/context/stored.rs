//! The stored form of a view's stand-ins, as JSON.

use super::item::{Item, Kind};
use crate::model::{Json, MessageId, Role};

/// Items as JSON. Messages are left out: they are stored themselves.
pub fn write(view: &[Item]) -> Json {
    Json::Array(view.iter().filter(|item| !matches!(item.kind, Kind::Message(_))).map(item).collect())
}

fn item(item: &Item) -> Json {
    let texts = |texts: &[String]| Json::Array(texts.iter().map(|text| text.as_str().into()).collect());
    let span = |span: &(u64, u64)| Json::Array(vec![span.0.into(), span.1.into()]);
    let (kind, number, id, text) = match &item.kind {
        Kind::Message(id) => ("message", 0, id.as_str(), ""),
        Kind::Offload(id, text) => ("offload", 0, id.as_str(), text.as_str()),
        Kind::Merge => ("merge", 0, "", ""),
        Kind::Summary(text) => ("summary", 0, "", text.as_str()),
        Kind::History(number, text) => ("history", *number, "", text.as_str()),
        Kind::Deleted => ("deleted", 0, "", ""),
        Kind::Cleared => ("cleared", 0, "", ""),
    };
    Json::object(vec![
        ("kind", kind.into()),
        ("number", u64::from(number).into()),
        ("id", id.into()),
        ("text", text.into()),
        ("spans", Json::Array(item.spans.iter().map(span).collect())),
        ("role", item.role.as_str().into()),
        ("tokens", u64::from(item.tokens).into()),
        ("chars", u64::from(item.chars).into()),
        ("calls", texts(&item.calls)),
        ("answers", texts(&item.answers)),
        ("pinned", item.pinned.into()),
    ])
}

/// Reads stored items.
pub fn read(value: &Json) -> Option<Vec<Item>> {
    value.as_array()?.iter().map(read_item).collect()
}

fn read_item(value: &Json) -> Option<Item> {
    let number = |value: &Json| u64::try_from(value.as_i64()?).ok();
    let small = |name: &str| u32::try_from(number(value.get(name))?).ok();
    let texts = |name: &str| {
        let texts = value.get(name).as_array()?.iter().map(|text| Some(text.as_str()?.to_owned()));
        texts.collect::<Option<Vec<String>>>()
    };
    let text = value.get("text").as_str()?.to_owned();
    let id = || MessageId::new("id", value.get("id").as_str()?).ok();
    let span = |span: &Json| match span.as_array()? {
        [from, to] => Some((number(from)?, number(to)?)),
        _ => None,
    };
    Some(Item {
        spans: value.get("spans").as_array()?.iter().map(span).collect::<Option<Vec<_>>>()?,
        kind: match value.get("kind").as_str()? {
            "offload" => Kind::Offload(id()?, text),
            "merge" => Kind::Merge,
            "summary" => Kind::Summary(text),
            "history" => Kind::History(small("number")?, text),
            "deleted" => Kind::Deleted,
            "cleared" => Kind::Cleared,
            _ => Kind::Message(id()?),
        },
        role: Role::new("role", value.get("role").as_str()?).ok()?,
        tokens: small("tokens")?,
        chars: small("chars")?,
        calls: texts("calls")?,
        answers: texts("answers")?,
        pinned: *value.get("pinned") == Json::Bool(true),
    })
}

#[cfg(test)]
mod tests {
    use super::super::story::items;
    use super::*;

    #[test]
    fn stand_ins_come_back_as_they_were() {
        let mut view = items("u1 a20+x t300=x!");
        let id = MessageId::new("id", "m").unwrap();
        let kinds = [
            Kind::Offload(id, "beginning".into()),
            Kind::Merge,
            Kind::Summary("a sum".into()),
            Kind::History(7, "việt".into()),
            Kind::Deleted,
            Kind::Cleared,
        ];
        for kind in kinds {
            view.push(Item { kind, spans: vec![(0, 3), (5, 9)], ..view[2].clone() });
        }
        assert_eq!(read(&write(&view)).unwrap(), view[3..]);
        assert_eq!(read(&Json::Null), None);
    }
}
