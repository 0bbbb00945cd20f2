//! The context of the next prompt: the window of a session, and relevant memories.

use super::answers::Beside;
use super::candidates::{Limits, Said, Text, chosen, worth_by_rank};
use super::digest::{Digest, DigestOptions, USUAL};
use super::recall::{RecallOptions, without_recorded};
use super::recent::{Gap, MessageRange, Recent, joined};
use crate::context::Item;
use crate::context::prompt::{self, Kind, LeftOutReason, Request, Turn, cost};
use crate::index::{DocKind, Ranking};
use crate::memory::engine::derived::{self, Fitted};
use crate::memory::engine::keys::place_of;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::Hit;
use crate::model::{Embedding, Invalid, Json, Message, Policy, Scope, SessionId, Trust, sorted};
use crate::store::Store;
use crate::text;
use std::borrow::Cow;
use std::cell::Cell;

/// The number of extra hits: the newest messages are mostly among the hits, and are already in the prompt.
const SPARE: usize = 46;

/// The approximate tokens of the blocks around instructions, profile and summaries; and the fewest for a summary.
const BLOCKS: u32 = 100;
const LEAST: u32 = 24;

/// The options of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextOptions {
    /// The subject of the prompt; the user's last message if `None`.
    pub query: Option<String>,
    /// The most tokens of the prompt.
    pub budget: u32,
    /// Which kinds to include, in this order.
    pub order: Vec<Kind>,
    /// The most messages; if `None` the settings' `hot_window_size`, and without that as many as the budget allows.
    pub window: Option<usize>,
    /// The most memories and documents, within the policy's `max_docs`; if `None` that, or 5.
    pub limit: Option<usize>,
    /// Instructions of the app, which come first.
    pub system: Option<String>,
    /// The embedding of the query, by the same embedder as the entries.
    pub embedding: Option<Embedding>,
    /// The task type, which selects skills.
    pub task_type: Option<String>,
    /// The calling agent: its policies apply, and entries of other agents are left out.
    pub agent: Option<String>,
    /// The flow.
    pub flow: Option<String>,
    /// The ids of hits in the app's own order, best first. They come before all other hits.
    pub ranked: Vec<String>,
    /// The least trust of memories, documents and summaries; any if `None`.
    pub min_trust: Option<Trust>,
}

/// A prompt.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Context {
    /// The text before the messages.
    pub prompt: String,
    /// The messages.
    pub messages: Vec<Message>,
    /// The tokens of both.
    pub tokens: u32,
    /// The items in it, by reference.
    pub used: Vec<InPrompt>,
    /// The items left out, and why. Every message of the session is in `messages`, or in a summary in `used`, or here.
    pub left: Vec<LeftOut>,
}

/// An item in a prompt.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct InPrompt {
    /// The id of the message or of the entry, or the name of the history.
    pub reference: String,
    /// The kind.
    pub kind: Kind,
    /// The number of its tokens.
    pub tokens: u32,
    /// Whether only a part of it is included.
    pub shortened: bool,
}

/// An item that was left out of a prompt.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The id of the message, of the first of several, or of the entry; or the name of the history.
    pub reference: String,
    /// The kind.
    pub kind: Kind,
    /// The reason.
    pub why: LeftOutReason,
    /// The messages that it is or replaces, if there are several.
    pub range: Option<MessageRange>,
}

impl ContextOptions {
    /// The recall options for this prompt.
    pub(in crate::memory) fn recall(&self) -> RecallOptions {
        RecallOptions {
            ranking: Ranking::Best,
            embedding: self.embedding.clone(),
            agent: self.agent.clone(),
            ranked: self.ranked.clone(),
            min_trust: self.min_trust,
            only_answers: true,
            ..RecallOptions::default()
        }
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Builds the prompt for the next reply in a session (B24), within the policies of flow and agent (B31).
    pub async fn context(&self, session: &SessionId, options: &ContextOptions) -> Result<Context, Error> {
        let (policy, limits) = self.limits(options);
        let wants = |kind: Kind| options.order.contains(&kind);
        let record = self.session_record(session).await?;
        let recent = self.recent_talk(session, record.as_ref(), &limits.reach(options.budget)).await?;
        // Only what replaces messages has a trust by their places, so a young session needs no index for it.
        let is_replaced = |item: &Item| !item.is_message() && !item.is_hidden();
        let low_from = match recent.given.is_some() || recent.view.iter().any(is_replaced) {
            true => self.low_from(session).await?,
            false => None,
        };
        let mut chosen = chosen(&recent, &limits, low_from);
        let query = options.query.clone().or_else(|| chosen.asked().map(Message::text)).unwrap_or_default();

        let mut texts: Vec<Text> = Vec::new();
        texts.extend(options.system.as_ref().map(|text| Text::new(Kind::System, "system", text.clone(), 1.0)));
        if wants(Kind::Instruction) && policy.reads(Scope::Profile) {
            texts.extend(self.standing(options.agent.as_deref(), options.budget).await?);
        }
        if wants(Kind::Profile) && policy.reads(Scope::Profile) {
            let told = told(&self.profile().await?.value);
            texts.extend((!told.is_empty()).then(|| Text::new(Kind::Profile, "profile", told, 1.0)));
        }
        if let Some(given) = recent.given.as_ref().filter(|given| limits.dialog && !given.trim().is_empty()) {
            let trust = if low_from.is_some() { Trust::Low } else { Trust::Normal };
            texts.push(Text::new(Kind::Summary, "summary", given.clone(), 0.95).trusted(trust));
        }
        texts.append(&mut chosen.texts);
        self.fit_summaries(&mut texts, options.budget);
        if wants(Kind::Skill) && policy.reads(Scope::Procedural) {
            for (skill, score) in self.skills_for(options.task_type.as_deref(), &query, policy.max_skills).await? {
                texts.push(Text::new(Kind::Skill, &skill.id, skill.told(), 0.7 + 0.3 * score));
            }
        }
        if limits.recalls {
            let here = |place: u64| chosen.turns.binary_search_by_key(&place, |turn| turn.place).is_ok();
            texts.extend(self.remembered(session, &query, options, &limits, &here).await?);
        }
        if limits.dialog && limits.docs > 0 && wants(Kind::Memory) {
            let most = DigestOptions { max_tokens: (options.budget / 4).clamp(1, USUAL), ..DigestOptions::default() };
            let digest = self.digest_for(&query, &most).await?.filter(|digest| !digest.sessions.is_empty());
            // The question asks for an overview, so the digest comes before any hit.
            let text = |digest: Digest| Text::new(Kind::Memory, "digest", digest.told(), 2.0).trusted(digest.trust());
            texts.extend(digest.map(text));
        }
        if let Some(least) = options.min_trust {
            for text in texts.extract_if(.., |text| text.trust < least) {
                chosen.barred.push(Text { barred: Some(LeftOutReason::NotIncluded), ..text });
            }
        }
        let (mut context, mut gaps) = self.compile(&chosen.turns, &texts, options)?;
        gaps.append(&mut chosen.gaps);
        gaps.extend(recent.unread.iter().map(|gap| Gap { why: limits.only_last.unwrap_or(gap.why), ..*gap }));
        texts.append(&mut chosen.barred);
        context.left = self.left(session, &recent, &context.left, &texts, joined(gaps)).await?;
        Ok(context)
    }

    /// The policy, and the limits by policy and options.
    pub(in crate::memory) fn limits(&self, options: &ContextOptions) -> (Policy, Limits) {
        let rules = self.inner.config.policies.rules(options.flow.as_deref(), options.agent.as_deref());
        let policy = Policy::of(&rules);
        let limits = Limits::of(options, &rules, &policy, self.inner.config.memory.hot_window_size);
        (policy, limits)
    }

    /// Memories beside the conversation: entries, documents, and messages of other sessions or from long ago.
    async fn remembered(
        &self,
        session: &SessionId,
        query: &str,
        options: &ContextOptions,
        limits: &Limits,
        here: &dyn Fn(u64) -> bool,
    ) -> Result<Vec<Text>, Error> {
        if query.trim().is_empty() {
            return Ok(Vec::new());
        }
        let mut spare = SPARE;
        loop {
            let skipped = Cell::new(0);
            let is_here = |kind: DocKind, hit: &Hit| {
                let is_here = |(of, place)| of == *session && (kind == DocKind::History || here(place));
                kind != DocKind::Entry && (!limits.dialog || place_of(hit.id.as_str()).is_some_and(is_here))
            };
            let has = |kind: DocKind, hit: &Hit| {
                let is_here = is_here(kind, hit);
                skipped.set(skipped.get() + usize::from(is_here));
                is_here
            };
            let pool = limits.docs + spare;
            let asked = RecallOptions { limit: limits.docs, ..options.recall() };
            let found = self.recall_beside(query, &asked, &Beside { pool, has: &has }).await?;
            if found.len() == limits.docs || found.len() + skipped.get() < pool {
                // Answers are in the order in which they answer, which is not that of their scores.
                let mut texts: Vec<Text> = without_recorded(found).into_iter().map(Text::of).collect();
                worth_by_rank(&mut texts);
                return Ok(texts);
            }
            spare *= 4;
        }
    }

    /// Shortens summaries to their most important sentences where they are too long: half of the budget is for the
    /// stable parts.
    fn fit_summaries(&self, texts: &mut [Text], budget: u32) {
        let count = |text: &str| self.count_tokens(text);
        let others = texts.iter().filter(|text| text.kind != Kind::Summary);
        let taken: u32 = others.map(|text| cost(text.kind, &text.text, &count)).sum();
        let mut room = (budget / 2).saturating_sub(taken).saturating_sub(BLOCKS);
        let order = sorted(texts.len(), &|one, other| texts[other].value.total_cmp(&texts[one].value));
        for at in order {
            let text = &mut texts[at];
            if text.kind != Kind::Summary {
                continue;
            }
            let fitted = self.fitted(&text.text, room);
            if let Some(short) = &fitted.short {
                (text.text, text.shortened) = (short.to_string(), true);
            }
            room = room.saturating_sub(fitted.tokens);
        }
    }

    /// A summary in this room. The next prompt has mostly the same summary and the same room.
    fn fitted(&self, summary: &str, room: u32) -> Fitted {
        let key = derived::key(summary, room);
        let known = self.inner.derived.borrow().fitted(key);
        known.unwrap_or_else(|| {
            let count = |text: &str| self.count_tokens(text);
            let cost = |text: &str| cost(Kind::Summary, text, &count);
            let whole = cost(summary);
            let mut short = String::new();
            if whole > room && room >= LEAST {
                let lines: Vec<&str> = summary.lines().collect();
                short = text::extract(&lines, room - room / 8, &count);
            }
            let fitted = match short.is_empty() {
                true => Fitted { short: None, tokens: whole },
                false => Fitted { tokens: cost(&short), short: Some(short.into()) },
            };
            self.inner.derived.borrow_mut().keep_fitted(key, &fitted);
            fitted
        })
    }

    /// Compiles the prompt from the remaining texts and messages.
    fn compile(
        &self,
        turns: &[Said<'_>],
        texts: &[Text],
        options: &ContextOptions,
    ) -> Result<(Context, Vec<Gap>), Error> {
        let items: Vec<prompt::Item<'_>> = texts.iter().map(Text::item).collect();
        // Newer turns are worth more: the last as much as the best memory, and turns beyond half of the budget less
        // than any memory. So neither displaces the other.
        let half = f64::from(options.budget.max(2)) / 2.0;
        let mut newer = 0.0;
        let mut candidates: Vec<Turn<'_>> = Vec::with_capacity(turns.len());
        for said in turns.iter().rev() {
            candidates.push(Turn { message: &said.message, value: 1.0 - newer / half });
            newer += f64::from(said.tokens.min(options.budget / prompt::LARGE).max(1));
        }
        candidates.reverse();
        let count = |text: &str| self.count_tokens(text);
        let request =
            Request { items: &items, turns: &candidates, budget: options.budget, order: &options.order, count: &count };
        let compiled =
            prompt::compile(&request).map_err(|small| Invalid::value("budget", format!("is too small: {small}")))?;
        let offloaded: Vec<&str> =
            turns.iter().filter(|said| said.shortened).map(|said| said.message.id.as_str()).collect();
        let is_short = |kind: Kind, reference: &str| match kind {
            Kind::Turn => offloaded.contains(&reference),
            _ => texts.iter().any(|text| text.shortened && text.kind == kind && text.reference == reference),
        };
        let used = compiled.used.iter().map(|used| InPrompt {
            reference: used.reference.to_owned(),
            kind: used.kind,
            tokens: used.tokens,
            shortened: used.shortened || is_short(used.kind, used.reference),
        });
        let (mut left, mut gaps) = (Vec::new(), Vec::new());
        // Left-out items come in the order of the candidates.
        let mut rest = turns.iter();
        for prompt::Left { reference, kind, why } in compiled.left {
            if kind == Kind::Turn {
                let said = rest.find(|said| said.message.id.as_str() == reference);
                gaps.extend(said.map(|said| Gap { from: said.place, to: said.place, why }));
            } else {
                left.push(LeftOut { reference: reference.to_owned(), kind, why, range: None });
            }
        }
        let messages = compiled.messages.into_iter().map(Cow::into_owned).collect();
        let (prompt, tokens, used) = (compiled.prompt, compiled.tokens, used.collect());
        Ok((Context { prompt, messages, tokens, used, left }, gaps))
    }

    /// The items left out of a prompt: texts with the messages that they replace, and ranges of messages.
    async fn left(
        &self,
        session: &SessionId,
        recent: &Recent,
        left: &[LeftOut],
        texts: &[Text],
        gaps: Vec<Gap>,
    ) -> Result<Vec<LeftOut>, Error> {
        let barred = texts.iter().filter_map(|text| {
            let why = text.barred?;
            Some(LeftOut { reference: text.reference.clone(), kind: text.kind, why, range: None })
        });
        let mut all: Vec<LeftOut> = left.iter().cloned().chain(barred).collect();
        let places = |left: &LeftOut| {
            let text = texts.iter().find(|text| text.kind == left.kind && text.reference == left.reference)?;
            text.places.map(|(from, to)| Gap { from, to, why: left.why })
        };
        let told: Vec<Option<Gap>> = all.iter().map(places).collect();
        let asked: Vec<Gap> = told.iter().flatten().chain(&gaps).copied().collect();
        let mut ranges = self.ranges(session, recent, &asked).await?.into_iter();
        for (left, told) in all.iter_mut().zip(told) {
            left.range = told.and_then(|_| ranges.next().flatten());
        }
        let rows = gaps.iter().zip(ranges).filter_map(|(gap, range)| {
            let range = range?;
            let reference = range.first.to_string();
            Some(LeftOut { reference, kind: Kind::Turn, why: gap.why, range: (range.count > 1).then_some(range) })
        });
        all.extend(rows);
        Ok(all)
    }
}

/// A profile as lines, one per value.
fn told(value: &Json) -> String {
    fn tell(value: &Json, path: &mut Vec<String>, lines: &mut Vec<String>) {
        match value {
            Json::Object(fields) => {
                for (name, value) in fields {
                    path.push(name.clone());
                    tell(value, path, lines);
                    path.pop();
                }
            }
            Json::String(text) => lines.push(format!("{}: {text}", path.join("."))),
            other => lines.push(format!("{}: {other}", path.join("."))),
        }
    }
    let mut lines = Vec::new();
    tell(value, &mut Vec::new(), &mut lines);
    lines.join("\n")
}
