//! The names in the documented files, in both languages, and their comparison with typed text.

use crate::model::Invalid;
use crate::text::bare;

/// The documented kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// `context.md`: the current work of an agent.
    Context,
    /// `decisions.md`.
    Decisions,
    /// `learnings.md`.
    Learnings,
    /// `sessions/2025-12-31.md`.
    Session,
    /// `team-memory/context.md`.
    TeamContext,
    /// `team-memory/decisions.md`.
    TeamDecisions,
    /// `team-memory/handoffs.md`.
    Handoffs,
    /// `team-memory/blockers.md`.
    Blockers,
    /// `dispatch-log.md`: the tasks that the lead of a team has dispatched.
    DispatchLog,
    /// Any other file.
    Other,
}

/// The folder of a team's files.
pub(super) const TEAM_FOLDER: &str = "team-memory";

/// The names of the files. The name of a session file is its date.
const FILES: [(Kind, &str); 9] = [
    (Kind::Context, "context.md"),
    (Kind::Decisions, "decisions.md"),
    (Kind::Learnings, "learnings.md"),
    (Kind::Session, "sessions/"),
    (Kind::DispatchLog, "dispatch-log.md"),
    (Kind::TeamContext, "team-memory/context.md"),
    (Kind::TeamDecisions, "team-memory/decisions.md"),
    (Kind::Handoffs, "team-memory/handoffs.md"),
    (Kind::Blockers, "team-memory/blockers.md"),
];

impl Kind {
    /// The kind of the file at a path of the tree.
    pub fn of(path: &str) -> Self {
        let mut parts = path.rsplitn(3, '/');
        let (name, folder) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        if folder == "sessions" && name.ends_with(".md") {
            return Self::Session;
        }
        let file = if folder == "team-memory" { format!("{folder}/{name}") } else { name.to_owned() };
        FILES.iter().find(|(_, known)| *known == file).map_or(Self::Other, |(kind, _)| *kind)
    }

    /// Its programmatic name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Decisions => "decisions",
            Self::Learnings => "learnings",
            Self::Session => "session",
            Self::TeamContext => "teamContext",
            Self::TeamDecisions => "teamDecisions",
            Self::Handoffs => "handoffs",
            Self::Blockers => "blockers",
            Self::DispatchLog => "dispatchLog",
            Self::Other => "other",
        }
    }

    /// The documented file with this programmatic name.
    pub fn named(field: &str, name: &str) -> Result<Self, Invalid> {
        let known = FILES.iter().map(|(kind, _)| *kind).find(|kind| kind.name() == name);
        known.ok_or_else(|| Invalid::value(field, "must be one of the documented files, such as context or decisions"))
    }

    /// Whether it belongs to a team, and not to an agent.
    pub fn is_teams(self) -> bool {
        self.file().is_some_and(|file| file.starts_with(TEAM_FOLDER))
    }

    /// The name of the file, with its folder if that is the team's.
    pub(super) fn file(self) -> Option<&'static str> {
        FILES.iter().find(|(kind, _)| *kind == self).map(|(_, file)| *file)
    }

    /// The beginning of a new file of this kind, up to its first rule.
    pub(super) fn opening(self) -> &'static str {
        match self {
            Self::Context => "# Current Context\n",
            Self::Decisions => "# Key Decisions Log | Nhật ký quyết định quan trọng\n",
            Self::Learnings => {
                "# Patterns Learned | Các pattern đã học\n\n> Accumulated insights from this codebase\n\
                 > Các insight tích lũy từ codebase này\n"
            }
            Self::Session => "> Archived session for reference\n> Phiên làm việc lưu trữ để tham khảo\n",
            Self::TeamContext => "# Team Context | Context nhóm\n",
            Self::TeamDecisions => "# Team Decisions | Quyết định nhóm\n",
            Self::Handoffs => "# Handoff Log | Nhật ký bàn giao\n",
            Self::Blockers => "# Current Blockers | Điểm nghẽn hiện tại\n",
            Self::DispatchLog => "# Dispatch Log | Nhật ký phân công\n",
            Self::Other => "",
        }
    }

    /// Whether the file is a list of entries, each with a heading of its own.
    pub fn is_log(self) -> bool {
        matches!(self, Self::Decisions | Self::Learnings | Self::TeamDecisions | Self::Handoffs | Self::Blockers)
    }

    /// The sections of the file, in their order.
    pub fn parts(self) -> &'static [Part] {
        match self {
            Self::Context => &[Part::Focus, Part::State, Part::Files, Part::Blockers, Part::Next, Part::Notes],
            Self::Session => &[Part::Summary, Part::Done, Part::Changes, Part::Issues, Part::FollowUps],
            Self::TeamContext => &[Part::Team, Part::Blockers, Part::Questions],
            _ => &[],
        }
    }
}

/// A section with a known name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Current tasks.
    Focus,
    /// Aspects of the project and their status.
    State,
    /// Files that matter, and their state.
    Files,
    /// Blockers.
    Blockers,
    /// Steps for the next session.
    Next,
    /// Anything else worth keeping.
    Notes,
    /// A session in a paragraph.
    Summary,
    /// Completed tasks of a session.
    Done,
    /// Changed files of a session.
    Changes,
    /// Problems, and their solutions.
    Issues,
    /// Remaining tasks.
    FollowUps,
    /// The members of a team and their work.
    Team,
    /// Open questions of a team.
    Questions,
}

/// The format of a section's content.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Tasks,
    Bullets,
    Numbers,
    /// A numbered list with ticks.
    Ticks,
    Text,
    /// A table with these columns.
    Table(&'static [&'static str]),
}

impl Part {
    /// Its programmatic name.
    pub fn name(self) -> &'static str {
        self.names_and_style().0
    }

    /// The heading with both names.
    pub fn heading(self) -> &'static str {
        self.names_and_style().1
    }

    /// Whether a heading is its name, in either language or both.
    pub fn is_called(self, heading: &str) -> bool {
        named(heading, self.heading())
    }

    /// Whether it is a table.
    pub fn is_table(self) -> bool {
        matches!(self.style(), Style::Table(_))
    }

    pub(super) fn style(self) -> Style {
        self.names_and_style().2
    }

    fn names_and_style(self) -> (&'static str, &'static str, Style) {
        match self {
            Self::Focus => ("activeFocus", "Active Focus | Đang tập trung", Style::Tasks),
            Self::State => {
                ("projectState", "Project State | Trạng thái dự án", Style::Table(&["Aspect", "Status", "Notes"]))
            }
            Self::Files => ("keyFiles", "Key Files | File quan trọng", Style::Table(&["File", "State", "Notes"])),
            Self::Blockers => ("blockers", "Blockers | Điểm nghẽn", Style::Tasks),
            Self::Next => ("nextSessionShould", "Next Session Should | Phiên tiếp theo nên", Style::Numbers),
            Self::Notes => ("notes", "Notes | Ghi chú", Style::Bullets),
            Self::Summary => ("summary", "Summary | Tóm tắt", Style::Text),
            Self::Done => ("tasksCompleted", "Tasks Completed | Task hoàn thành", Style::Ticks),
            Self::Changes => ("keyChanges", "Key Changes | Thay đổi chính", Style::Table(&["File", "Change"])),
            Self::Issues => ("issues", "Issues Encountered | Vấn đề gặp phải", Style::Numbers),
            Self::FollowUps => ("followUps", "Follow-up Items | Việc cần theo dõi", Style::Tasks),
            Self::Team => {
                ("teamStatus", "Team Status | Trạng thái nhóm", Style::Table(&["Agent", "Status", "Current Task"]))
            }
            Self::Questions => ("openQuestions", "Open Questions | Câu hỏi mở", Style::Tasks),
        }
    }
}

/// A field of an entry with a known label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the labels say it")]
pub enum Field {
    Context,
    Decision,
    Reason,
    Alternatives,
    Impact,
    Reversible,
    Pattern,
    Code,
    Why,
    Task,
    ContextProvided,
    FilesInvolved,
    Deliverable,
    Priority,
    Status,
    Result,
    IdentifiedBy,
    IdentifiedAt,
    Blocking,
    Description,
    Proposed,
    Owner,
    ResolvedBy,
    Resolution,
}

/// The programmatic name of each field, its label, and alternative labels for reading.
const FIELDS: [(Field, &str, &str, &str); 24] = [
    (Field::Context, "context", "Context | Bối cảnh", ""),
    (Field::Decision, "decision", "Decision | Quyết định", ""),
    (Field::Reason, "reason", "Reason | Lý do", "Reasoning"),
    (Field::Alternatives, "alternatives", "Alternatives Considered | Các phương án đã xem xét", "Alternatives"),
    (Field::Impact, "impact", "Impact | Ảnh hưởng", "Implementation Impact | Ảnh hưởng triển khai"),
    (Field::Reversible, "reversible", "Reversible | Có thể đảo ngược", ""),
    (Field::Pattern, "pattern", "Pattern | Mẫu", ""),
    (Field::Code, "code", "Code | Code", ""),
    (Field::Why, "why", "Why | Tại sao", ""),
    (Field::Task, "task", "Task | Nhiệm vụ", ""),
    (Field::ContextProvided, "contextProvided", "Context Provided | Context cung cấp", "Key Context"),
    (Field::FilesInvolved, "filesInvolved", "Files Involved | File liên quan", ""),
    (Field::Deliverable, "expectedDeliverable", "Expected Deliverable | Kết quả mong đợi", ""),
    (Field::Priority, "priority", "Deadline/Priority | Hạn/Ưu tiên", "Deadline | Priority"),
    (Field::Status, "status", "Status | Trạng thái", ""),
    (Field::Result, "result", "Result Summary | Tóm tắt kết quả", ""),
    (Field::IdentifiedBy, "identifiedBy", "Identified by | Phát hiện bởi", ""),
    (Field::IdentifiedAt, "identifiedAt", "Identified at | Phát hiện lúc", ""),
    (Field::Blocking, "blocking", "Blocking | Đang chặn", ""),
    (Field::Description, "description", "Description | Mô tả", ""),
    (Field::Proposed, "proposed", "Proposed Solutions | Giải pháp đề xuất", ""),
    (Field::Owner, "owner", "Owner | Người phụ trách", ""),
    (Field::ResolvedBy, "resolvedBy", "Resolved by | Giải quyết bởi", ""),
    (Field::Resolution, "resolution", "Resolution | Cách giải quyết", ""),
];

/// The longest label that can be a known one, in bytes.
const MAX_LABEL: usize = 120;

impl Field {
    /// Its programmatic name.
    pub fn name(self) -> &'static str {
        FIELDS.iter().find(|(field, ..)| *field == self).map_or("", |(_, name, ..)| name)
    }

    /// The label with both names.
    pub fn label(self) -> &'static str {
        FIELDS.iter().find(|(field, ..)| *field == self).map_or("", |(_, _, label, _)| label)
    }

    /// The field of a label, in either language or both.
    pub fn named(label: &str) -> Option<Self> {
        if label.len() > MAX_LABEL {
            return None;
        }
        let known = FIELDS.iter().find(|(_, _, names, others)| named(label, names) || named(label, others));
        known.map(|(field, ..)| *field)
    }
}

/// Whether a heading or a label is one of these: `A`, `B`, or `A | B`. Case and accents do not matter, nor the encoding
/// of the accents.
pub(super) fn named(written: &str, names: &str) -> bool {
    let one = |written: &str| {
        let plain: String = written.trim().chars().filter_map(bare).collect();
        names.split(" | ").any(|name| name.chars().filter_map(bare).eq(plain.chars()))
    };
    written.split('|').all(one) && !names.is_empty()
}

/// Whether two names are equal except for case, accents and spaces.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.trim().chars().filter_map(bare).eq(other.trim().chars().filter_map(bare))
}

/// The words of a text in their plain form, with one space before, between and after them.
pub(super) fn plain_words(text: &str) -> String {
    let mut out = " ".to_owned();
    for c in text.chars().filter_map(bare) {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.push(' ');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a9_names_match_with_either_language_or_both() {
        let names = Part::Focus.heading();
        for written in [
            "Active Focus | Đang tập trung",
            "Active Focus",
            "active focus",
            "Đang tập trung",
            "Đang tập trung | Active Focus",
            "Active Focus|Dang tap trung",
            "Đang tâ\u{323}p trung",
        ] {
            assert!(named(written, names), "{written}");
        }
        for other in ["Focus", "", "Active Focus | Something", "Notes", "|"] {
            assert!(!named(other, names), "{other}");
        }
    }

    #[test]
    fn a17_labels_mean_fields() {
        for (field, _, label, _) in FIELDS {
            assert_eq!(Field::named(label), Some(field));
            assert_eq!(field.label(), label);
            for name in label.split(" | ") {
                assert_eq!(Field::named(name), Some(field), "{name}");
            }
        }
        assert_eq!(Field::named("Deadline"), Some(Field::Priority));
        assert_eq!((Field::named(""), Field::named("Participants")), (None, None));
    }

    #[test]
    fn a2_a42_a_path_tells_the_kind() {
        assert_eq!(Kind::of("agents/a/memory/context.md"), Kind::Context);
        assert_eq!(Kind::of("agents/a/memory/sessions/2025-12-31.md"), Kind::Session);
        assert_eq!(Kind::of("team-memory/context.md"), Kind::TeamContext);
        assert_eq!(Kind::of("team-memory/handoffs.md"), Kind::Handoffs);
        assert_eq!(Kind::of("notes.md"), Kind::Other);
        assert_eq!(Kind::of(""), Kind::Other);
    }
}
