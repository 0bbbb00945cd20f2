//! The parts of the files that go into a prompt: the newest decisions, pending handoffs, and the documented frame.

use super::document::closed;
use super::log::{Entry, Log};
use super::names::Kind;
use super::values::Status;
use crate::model::sorted;
use crate::text::visible;

/// The number of decisions shown when an agent is activated.
pub const RECENT_DECISIONS: usize = 10;
/// The number of the team's decisions shown to a member.
pub const RECENT_TEAM_DECISIONS: usize = 5;

/// The newest entries, newest first. Files are written from either end, so the date decides, and of one day the later
/// in the file is the newer, because new ones are appended. Entries without a date come last.
pub fn newest(entries: &[Entry], count: usize) -> Vec<&Entry> {
    let when = |at: usize| entries.get(at).map(|entry| entry.date.as_ref().map(|date| (date, &entry.time)));
    let order = sorted(entries.len(), &|one, other| when(other).cmp(&when(one)).then(other.cmp(&one)));
    order.into_iter().take(count).filter_map(|at| entries.get(at)).collect()
}

/// The pending handoffs of an agent: addressed to it, and pending or without a status.
pub fn pending<'a>(entries: &'a [Entry], agent: &str) -> Vec<&'a Entry> {
    let waits = |entry: &&Entry| entry.is_for(agent) && entry.status().is_none_or(|status| status == Status::Pending);
    entries.iter().filter(waits).collect()
}

/// The texts of entries, with a rule between them.
fn joined(log: &Log, entries: &[&Entry]) -> String {
    let mut out = String::new();
    for entry in entries {
        if !out.is_empty() {
            out.push_str("\n\n---\n\n");
        }
        // An open fence or comment in one entry must not hide the next.
        out.push_str(closed(log.entry_text(entry).to_owned(), "\n").trim_end());
    }
    out
}

/// The newest decisions of a file, as text.
pub fn recent_decisions(text: &str, count: usize) -> String {
    let log = Log::parse(Kind::Decisions, text);
    joined(&log, &newest(&log.entries(), count))
}

/// The pending handoffs of an agent in a file, as text.
pub fn pending_handoffs(text: &str, agent: &str) -> String {
    let log = Log::parse(Kind::Handoffs, text);
    joined(&log, &pending(&log.entries(), agent))
}

/// Appends a heading and its content. Without content the section says that there is none.
fn section(out: &mut String, heading: &str, content: &str) {
    out.push_str("\n\n### ");
    out.push_str(heading);
    let content = visible(content);
    let content = content.trim_start_matches('\u{feff}').trim_matches(['\n', '\r']).trim_end();
    if !content.is_empty() {
        out.push_str("\n\n");
        out.push_str(closed(content.to_owned(), "\n").trim_end());
    }
}

/// A prompt with an agent's memory before it, in the documented frame: the whole context, and the ten newest decisions.
/// Without any memory it is the prompt alone.
pub fn inject(context: &str, decisions: &str, prompt: &str) -> String {
    let decisions = recent_decisions(decisions, RECENT_DECISIONS);
    if context.trim().is_empty() && decisions.is_empty() {
        return prompt.to_owned();
    }
    let mut out = "## Agent Memory | Memory của Agent".to_owned();
    section(&mut out, "Current Context | Context hiện tại", context);
    section(&mut out, "Recent Decisions | Quyết định gần đây", &decisions);
    out + "\n\n---\n\n" + prompt
}

/// The files for the activation of a team member; missing ones are empty.
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "the names of the files")]
pub struct MemberFiles<'a> {
    pub team_context: &'a str,
    pub team_decisions: &'a str,
    pub context: &'a str,
    pub handoffs: &'a str,
}

/// A prompt with the memory of a team member before it: the team's context and its five newest decisions, the member's
/// own context, and its pending handoffs, if there are any.
pub fn inject_member(agent: &str, files: MemberFiles<'_>, prompt: &str) -> String {
    let decisions = recent_decisions(files.team_decisions, RECENT_TEAM_DECISIONS);
    let handoffs = pending_handoffs(files.handoffs, agent);
    let contexts = files.team_context.trim().len() + files.context.trim().len();
    if contexts == 0 && decisions.is_empty() && handoffs.is_empty() {
        return prompt.to_owned();
    }
    let mut out = "## Team Memory | Memory nhóm".to_owned();
    section(&mut out, "Team Context | Context nhóm", files.team_context);
    section(&mut out, "Team Decisions | Quyết định nhóm", &decisions);
    section(&mut out, "Personal Context | Context cá nhân", files.context);
    if !handoffs.is_empty() {
        section(&mut out, "Pending Handoffs | Bàn giao đang chờ", &handoffs);
    }
    out + "\n\n---\n\n" + prompt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(text: &str, count: usize) -> String {
        let entries = Log::parse(Kind::Decisions, text).entries();
        newest(&entries, count).iter().map(|entry| &*entry.title).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn x13_a46_the_newest_are_chosen_by_date_whichever_end_the_file_grows_at() {
        let text = "# L\n## 2025-12-31: c\n## 2025-12-30: b\n## no date\n## 2025-12-01: a\n## 2025-13-45: bad\n\
            ## 2026-01-01: d\n## 2025-12-31: e\n";
        assert_eq!(titles(text, 10), "d e c b a bad no date");
        assert_eq!(titles(text, 3), "d e c");
        assert_eq!(titles("", 3), "");
        let same_day: String = (1..=12).map(|at| format!("## 2025-12-31: {at}\n")).collect();
        assert_eq!(titles(&same_day, 10), "12 11 10 9 8 7 6 5 4 3");
    }

    #[test]
    fn a32_the_frame_is_the_documented_one() {
        let decisions = "# L\n\n---\n\n## 2025-12-30: a\nx\n\n---\n\n## 2025-12-31: b\n\n---\n";
        let expected = "## Agent Memory | Memory của Agent\n\n### Current Context | Context hiện tại\n\n# Current Context\n\
            y\n\n### Recent Decisions | Quyết định gần đây\n\n## 2025-12-31: b\n\n---\n\n## 2025-12-30: a\nx\n\n---\n\nPrompt";
        assert_eq!(inject("\u{feff}# Current Context\ny\n", decisions, "Prompt"), expected);
    }

    #[test]
    fn a3_missing_files_are_fine() {
        assert_eq!(inject("", "", "Prompt"), "Prompt");
        assert_eq!(inject_member("a", MemberFiles::default(), "Prompt"), "Prompt");
        let only_context = inject("c", "", "P");
        assert!(only_context.ends_with("hiện tại\n\nc\n\n### Recent Decisions | Quyết định gần đây\n\n---\n\nP"));
    }

    #[test]
    fn s2_an_open_fence_hides_nothing_of_the_prompt() {
        let text = inject("```\nopen", "## 2025-12-31: a\n~~~~\nopen", "Prompt");
        assert!(text.contains("open\n```\n\n### Recent"), "{text}");
        assert!(text.ends_with("open\n~~~~\n\n---\n\nPrompt"), "{text}");
    }

    #[test]
    fn a45_a_member_sees_the_team_itself_and_what_waits_for_it() {
        let handoffs = "## 2025-12-31 10:00: A → Bob (planned)\n**Status**: ⏳ Pending\n\n---\n\
            ## 2025-12-31 11:00: A → bob\n**Status**: ✅ Complete\n## 2025-12-31 12:00: A → Cy\n";
        let six: String = (1..=6).map(|day| format!("## 2025-12-0{day}: t{day}\n")).collect();
        let files = MemberFiles { team_context: "team", team_decisions: &six, context: "own", handoffs };
        let text = inject_member("Bob", files, "P");
        let places: Vec<Option<usize>> =
            ["### Team Context", "team", "t6", "t2", "### Personal", "own", "10:00: A → Bob", "---\n\nP"]
                .iter()
                .map(|part| text.rfind(part))
                .collect();
        assert!(places.is_sorted() && places[0].is_some(), "{text}");
        assert!(!text.contains("t1") && !text.contains("11:00") && !text.contains("12:00"));
        assert!(!inject_member("Dan", files, "P").contains("Pending Handoffs"));
    }
}
