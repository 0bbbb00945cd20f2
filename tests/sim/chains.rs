//! Calls that need the answer of another one: what a compression asks for, an embedding of an entry that has none.

use keepsake::model::Json;

/// Two verbs, and the arguments of the second from the answer to the first. Nothing if there is nothing to be done.
pub(crate) struct Chain {
    pub(crate) first: (&'static str, &'static str),
    pub(crate) then: &'static str,
    args: fn(&Json, &str) -> Option<String>,
}

impl Chain {
    pub(crate) fn args(&self, answer: &Json, mark: &str) -> Option<String> {
        (self.args)(answer, mark)
    }
}

pub(crate) const CHAINS: &[Chain] = &[
    Chain {
        first: ("compress", r#"{"session":"s2","hook":true,"way":{"chunkSize":2,"contextTokens":8}}"#),
        then: "compressed",
        args: |answer, mark| {
            let texts = answer.get("requests").as_array()?.iter().map(|_| format!(r#""{mark} in short""#));
            Some(format!(
                r#"{{"token":{},"summaries":[{}]}}"#,
                answer.get("token"),
                texts.collect::<Vec<_>>().join(",")
            ))
        },
    },
    Chain {
        first: ("unembedded", "{}"),
        then: "embed",
        args: |answer, _| {
            let item = answer.get("items").as_array()?.first()?;
            Some(format!(
                r#"{{"items":[{{"id":{},"version":{},"embedding":[0.5,0.25,1]}}]}}"#,
                item.get("id"),
                item.get("version")
            ))
        },
    },
    Chain {
        first: ("unembeddedTalk", "{}"),
        then: "embedTalk",
        args: |answer, _| {
            let item = answer.get("items").as_array()?.first()?;
            Some(format!(
                r#"{{"items":[{{"kind":{},"id":{},"embedding":[0.5,0.25,1]}}]}}"#,
                item.get("kind"),
                item.get("id")
            ))
        },
    },
    Chain {
        first: ("learnTraces", r#"{"taskType":"bake"}"#),
        then: "learnApply",
        args: |answer, mark| {
            let skill = format!(r#"{{"id":"bread","useWhen":"{mark} bake","toolSops":[]}}"#);
            Some(format!(
                r#"{{"taskType":{},"upTo":{},"traces":[],"skills":[{skill}]}}"#,
                answer.get("taskType").as_str().map(|name| format!("\"{name}\""))?,
                answer.get("upTo")
            ))
        },
    },
    Chain {
        first: ("logExport", r#"{"session":"s2"}"#),
        then: "logCheck",
        args: |answer, _| Some(format!(r#"{{"lines":{answer}}}"#)),
    },
    Chain {
        first: ("messages", r#"{"session":"s2"}"#),
        then: "fork",
        args: |answer, mark| {
            let last = answer.get("messages").as_array()?.last()?;
            Some(format!(r#"{{"session":"s2","at":{},"to":"fork-{mark}"}}"#, last.get("id")))
        },
    },
    Chain {
        first: ("addBlocker", r##"{"title":"# is in the way"}"##),
        then: "setBlocker",
        args: |answer, _| Some(format!(r#"{{"heading":{},"status":"complete"}}"#, answer.get("heading"))),
    },
    Chain {
        // Work is handed over to agents that have files.
        first: ("recordNotes", r##"{"agent":"b","file":"decisions","entries":[{"title":"#"}]}"##),
        then: "handOver",
        args: |_, mark| {
            let texts = ["task", "context", "files", "expectedDeliverable", "priority"];
            let texts: String = texts.iter().map(|name| format!(r#","{name}":"{mark}""#)).collect();
            Some(format!(r#"{{"fromAgent":"a","toAgent":"b"{texts}}}"#))
        },
    },
    Chain {
        first: ("handoffs", "{}"),
        then: "setHandoff",
        args: |answer, _| {
            let last = answer.as_array()?.last()?;
            let task = last.get("fields").get("task");
            Some(format!(r#"{{"heading":{},"task":{task},"status":"complete"}}"#, last.get("heading")))
        },
    },
];
