//! The prompt candidates of a conversation, and the items excluded by the window or by the policy of flow and agent
//! (B31).

use super::context::ContextOptions;
use super::recall::Recalled;
use super::recent::{Gap, Reach, Recent};
use crate::context::prompt::{self, Kind, LeftOutReason, shortened};
use crate::context::{Item, Kind as ItemKind, window};
use crate::index::DocKind;
use crate::memory::dialog::compression::line;
use crate::memory::entries::sources::SOURCE_TAG;
use crate::model::{Message, Policy, PolicyRules, Role, Scope, Trust, sorted};
use std::borrow::Cow;

/// The default number of memories and documents.
const LIMIT: usize = 5;

/// A text for a prompt.
pub(in crate::memory) struct Text {
    pub(in crate::memory) kind: Kind,
    pub(in crate::memory) reference: String,
    pub(in crate::memory) text: String,
    /// The relative value.
    pub(in crate::memory) value: f64,
    /// Whether it is only a part of the original.
    pub(in crate::memory) shortened: bool,
    /// The first and the last place of the messages that it replaces.
    pub(in crate::memory) places: Option<(u64, u64)>,
    /// The lowest trust of its sources.
    pub(in crate::memory) trust: Trust,
    /// The reason why it is excluded, if it is.
    pub(super) barred: Option<LeftOutReason>,
}

impl Text {
    pub(in crate::memory) fn new(kind: Kind, reference: &str, text: String, value: f64) -> Self {
        let (trust, reference) = (Trust::Normal, reference.to_owned());
        Self { kind, reference, text, value, shortened: false, places: None, trust, barred: None }
    }

    /// The same with the trust of its source.
    pub(in crate::memory) fn trusted(self, trust: Trust) -> Self {
        Self { trust, ..self }
    }

    /// The candidate for a prompt.
    pub(super) fn item(&self) -> prompt::Item<'_> {
        let Self { kind, reference, text, value, trust, .. } = self;
        prompt::Item { kind: *kind, reference, text, value: *value, low: *trust == Trust::Low }
    }

    /// A text that replaces messages, with their places.
    pub(super) fn standing_for(item: &Item, text: String, value: f64, low_from: Option<u64>) -> Self {
        let trust = item.trust(low_from);
        Self { trust, places: Some((item.first(), item.last())), ..Self::new(Kind::Summary, &item.name(), text, value) }
    }

    /// A memory, or a passage of a document.
    pub(in crate::memory) fn of(recalled: Recalled) -> Self {
        let kind = if recalled.hit.tags.iter().any(|tag| tag == SOURCE_TAG) { Kind::Document } else { Kind::Memory };
        let told = match (&recalled.hit.speaker, recalled.kind) {
            // Without a colon after the name: the quote would escape it, as that of an imitated role.
            (Some(speaker), DocKind::Message) => format!("{speaker} said: {}", recalled.hit.summary),
            _ => recalled.hit.summary,
        };
        Self::new(kind, &recalled.reference, told, recalled.hit.score).trusted(recalled.hit.trust)
    }
}

/// Sets the values of texts that are in the app's order: the first gets the highest score of all, and each next one
/// less, because equal values would be ordered by name.
pub(super) fn worth_by_rank(texts: &mut [Text]) {
    let order = sorted(texts.len(), &|one, other| texts[other].value.total_cmp(&texts[one].value));
    let values: Vec<f64> = order.into_iter().map(|at| texts[at].value).collect();
    let mut before = f64::INFINITY;
    for (text, value) in texts.iter_mut().zip(values) {
        text.value = value.min(before.next_down());
        before = text.value;
    }
}

/// A message for a prompt.
pub(in crate::memory) struct Said<'a> {
    pub(in crate::memory) place: u64,
    pub(in crate::memory) message: Cow<'a, Message>,
    /// The token count, by the counter in use when the message was appended.
    pub(in crate::memory) tokens: u32,
    /// Whether the view has only its beginning.
    pub(in crate::memory) shortened: bool,
}

/// The limits of a prompt: those of the call, within the policy.
pub(in crate::memory) struct Limits {
    /// The most messages, if limited.
    pub(in crate::memory) window: Option<usize>,
    /// The most turns, if a policy limits them.
    pub(in crate::memory) turns: Option<usize>,
    /// The most memories and documents.
    pub(in crate::memory) docs: usize,
    /// Whether memories and documents are searched.
    pub(in crate::memory) recalls: bool,
    /// Whether messages may be read at all.
    pub(in crate::memory) dialog: bool,
    /// The reason to exclude all messages but the one to answer.
    pub(super) only_last: Option<LeftOutReason>,
}

impl Limits {
    pub(in crate::memory) fn of(
        options: &ContextOptions,
        rules: &PolicyRules,
        policy: &Policy,
        hot: Option<usize>,
    ) -> Self {
        let dialog = policy.reads(Scope::Dialog);
        let wants = |kind: Kind| options.order.contains(&kind);
        let docs = options.limit.into_iter().chain(rules.max_docs).min().unwrap_or(LIMIT);
        Self {
            window: options.window.or(hot),
            turns: rules.max_dialog_turns,
            docs,
            recalls: docs > 0 && policy.reads(Scope::Semantic) && (wants(Kind::Memory) || wants(Kind::Document)),
            dialog,
            only_last: if dialog {
                (!wants(Kind::Turn)).then_some(LeftOutReason::NotIncluded)
            } else {
                Some(LeftOutReason::Policy)
            },
        }
    }

    pub(super) fn reach(&self, tokens: u32) -> Reach {
        // The message to answer is read in any case.
        let turns = if self.only_last.is_some() { Some(1) } else { self.turns.map(|turns| turns.max(1)) };
        Reach { tokens, messages: self.window, turns }
    }
}

/// The prompt candidates of a conversation, and the excluded items.
#[derive(Default)]
pub(super) struct Chosen<'a> {
    pub(in crate::memory) turns: Vec<Said<'a>>,
    pub(in crate::memory) texts: Vec<Text>,
    /// Excluded texts that replace messages.
    pub(super) barred: Vec<Text>,
    /// Excluded messages.
    pub(super) gaps: Vec<Gap>,
}

impl Chosen<'_> {
    /// The user's last message.
    pub(super) fn asked(&self) -> Option<&Message> {
        let asks = |message: &&Message| message.role == Role::User && message.answers().next().is_none();
        self.turns.iter().rev().map(|said| &*said.message).find(asks)
    }
}

/// Chooses within the limits. `low_from` is the place of the session's first message of low trust.
pub(in crate::memory) fn chosen<'a>(recent: &'a Recent, limits: &Limits, low_from: Option<u64>) -> Chosen<'a> {
    let view = &recent.view;
    let by_window = limits.window.map_or(0, |size| window::last_messages(view, size));
    let by_turns = limits.turns.map_or(0, |turns| window::last_turns(view, turns));
    let shown = window::shown(view, by_window.max(by_turns));
    let asks =
        |item: &Item| item.role == Role::User && item.answers.is_empty() && matches!(item.kind, ItemKind::Message(_));
    // A policy may exclude all messages, but not the one to answer.
    let asked = view.iter().rposition(asks).filter(|at| *at >= by_window);
    let mut chosen = Chosen::default();
    for (at, item) in view.iter().enumerate() {
        if let ItemKind::Summary(text) | ItemKind::History(_, text) = &item.kind {
            let text = Text::standing_for(item, text.clone(), 0.9, low_from);
            if limits.dialog {
                chosen.texts.push(text);
            } else {
                chosen.barred.push(Text { barred: Some(LeftOutReason::Policy), ..text });
            }
            continue;
        }
        let why = match limits.only_last {
            _ if Some(at) == asked => None,
            Some(why) => Some(why),
            None if shown[at] => None,
            None if at < by_window => Some(LeftOutReason::Window),
            None => Some(LeftOutReason::Policy),
        };
        if let Some(why) = why {
            chosen.gaps.extend(item.spans.iter().map(|(from, to)| Gap { from: *from, to: *to, why }));
            continue;
        }
        if item.kind == ItemKind::Merge {
            let told: Vec<String> = recent.of(item).map(line).collect();
            chosen.texts.push(Text::standing_for(item, told.join("\n"), 0.5, low_from));
            continue;
        }
        for message in recent.of(item) {
            let preview = if let ItemKind::Offload(_, preview) = &item.kind { Some(preview) } else { None };
            let message = match preview {
                Some(preview) => Cow::Owned(shortened(message, preview.chars().count())),
                None => Cow::Borrowed(message),
            };
            let (place, tokens) = (item.first(), item.tokens);
            chosen.turns.push(Said { place, message, tokens, shortened: preview.is_some() });
        }
    }
    chosen
}
