//! Values stored as JSON under a name: the profile, states, skills, steps, the graph. How they are written, read and
//! indexed.

use super::fetch::Coming;
use super::keys::Named;
use super::plan::Plan;
use super::state::Leaf;
use super::talk::Talk;
use super::{Env, Error, Memory};
use crate::codec::{Beside, CodecError, Kind};
use crate::index::DocKind;
use crate::log::Change;
use crate::model::{Json, Timestamp};
use crate::store::{Key, KeyRange, Space, Store, StoreError};
use crate::text::Voice;

/// Reserved namespaces of skills, steps and entities in the index. No namespace of entries can have such a name.
pub(super) const SKILLS: &str = "\u{0}skills";
pub(super) const GRAPH: &str = "\u{0}graph";
const STEPS: &str = "\u{0}step:";

/// The reserved namespace of the steps of a task type.
pub(in crate::memory) fn steps_of(task_type: &str) -> String {
    format!("{STEPS}{task_type}")
}

/// The task type of a reserved namespace of steps.
pub(in crate::memory) fn task_of(namespace: &str) -> Option<&str> {
    namespace.strip_prefix(STEPS)
}

/// The reserved namespace of a collection's values in the index. No namespace of entries can have such a name.
pub(in crate::memory) fn namespace_of(collection: &str) -> String {
    format!("\u{0}collection:{collection}")
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The value of a key.
    pub(in crate::memory) async fn kept(&self, key: Key) -> Result<Option<Json>, Error> {
        let found = self.fetch_one(Space::Records, key).await?;
        self.check_found(found.is_some()).await?;
        Ok(found.map(|bytes| Beside::decode(Kind::Kept, &bytes)).transpose()?)
    }

    /// The values of several keys; missing ones are skipped.
    pub(in crate::memory) async fn kept_of(&self, keys: &[Key]) -> Result<Vec<Json>, Error> {
        let found = self.fetch(Space::Records, keys).await?;
        self.check_found(keys.is_empty() || found.iter().any(Option::is_some)).await?;
        Ok(found.iter().flatten().map(|bytes| Beside::decode(Kind::Kept, bytes)).collect::<Result<_, CodecError>>()?)
    }

    /// All values in a range.
    pub(in crate::memory) async fn kept_in(&self, range: KeyRange) -> Result<Vec<Json>, Error> {
        let found = self.all(Space::Records, range).await?;
        self.check_found(!found.is_empty()).await?;
        Ok(found.iter().map(|(_, bytes)| Beside::decode(Kind::Kept, bytes)).collect::<Result<_, CodecError>>()?)
    }

    /// Checks the revision when a read found nothing, since the storage may have been emptied: then the call fails
    /// (F9). A plan needs no check: its commit compares revisions.
    #[inline(never)]
    pub(in crate::memory) fn check_found(&self, found: bool) -> Coming<'_, ()> {
        Box::pin(async move {
            let known = self.inner.state.borrow().revision;
            if found || self.inner.planning.get() {
                return Ok(());
            }
            if self.current_revision().await? < known { Err(StoreError::Lost.into()) } else { Ok(()) }
        })
    }

    /// Adds a value to a plan. It is not indexed.
    pub(in crate::memory) fn plan_kept(&self, plan: &mut Plan, key: Key, value: &Json) -> Result<(), Error> {
        let bytes = Beside::encode(Kind::Kept, value, self.entropy()?);
        plan.put_beside(key, bytes);
        Ok(())
    }

    /// Adds an indexed value to a plan. `before` is the old value, if there is one: the new value keeps its place.
    pub(in crate::memory) fn plan_known(
        &self,
        plan: &mut Plan,
        named: &Named,
        mut value: Json,
        before: Option<&Json>,
    ) -> Result<(), Error> {
        let known = before.and_then(|before| before.get("seq").as_i64()).and_then(|seq| u64::try_from(seq).ok());
        let seq = known.unwrap_or_else(|| plan.last_seq() + 1);
        if let Some(seq) = known {
            plan.touch(seq);
        }
        if let Json::Object(fields) = &mut value {
            fields.retain(|(name, _)| name != "seq");
            fields.push(("seq".to_owned(), seq.into()));
        }
        let bytes = Beside::encode(Kind::Kept, &value, self.entropy()?);
        let change = if known.is_some() { Change::Update } else { Change::Add };
        plan.put_named(change, named, bytes, self.leaf_of_kept(named, &value));
        Ok(())
    }

    /// Deletes an indexed value, if it exists.
    pub(in crate::memory) fn plan_forget(&self, plan: &mut Plan, named: &Named, value: &Json) {
        plan.forget(named, value.get("seq").as_i64().and_then(|seq| u64::try_from(seq).ok()));
    }

    /// Calls `see` with a stored value as it is indexed, if it is.
    pub(super) fn kept_talk(
        &self,
        named: &Named,
        bytes: &[u8],
        see: &mut dyn FnMut(&Talk<'_>),
    ) -> Result<(), CodecError> {
        talk_of_kept(named, &Beside::decode(Kind::Kept, bytes)?, see);
        Ok(())
    }

    fn leaf_of_kept(&self, named: &Named, value: &Json) -> Option<Leaf> {
        let mut leaf = None;
        talk_of_kept(named, value, &mut |talk| leaf = self.talk_leaf(talk));
        leaf
    }
}

/// Calls `see` with a stored value as it is indexed, if it is.
fn talk_of_kept(named: &Named, value: &Json, see: &mut dyn FnMut(&Talk<'_>)) -> Option<()> {
    let (kind, id) = named.doc()?;
    let text = |name: &str| value.get(name).as_str().unwrap_or("");
    let listed = |list: &str, name: &str| -> Vec<String> {
        let items = value.get(list).as_array().unwrap_or(&[]);
        items.iter().filter_map(|item| item.get(name).as_str().or(item.as_str())).map(str::to_owned).collect()
    };
    let (namespace, tag, said, source) = match kind {
        DocKind::Skill => {
            let mut said = vec![text("use_when").to_owned(), text("taskType").replace(['_', '-'], " ")];
            said.extend(listed("tool_sops", "action"));
            said.extend(listed("tool_sops", "tool").iter().map(|tool| tool.replace(['_', '-'], " ")));
            said.push(text("preferences").to_owned());
            (SKILLS.to_owned(), text("taskType"), said.join("\n"), None)
        }
        DocKind::Step => {
            let went = if *value.get("success") == Json::Bool(true) { "success" } else { "failure" };
            let input = value.get("input").to_string();
            let said = [text("toolName"), text("error"), crate::text::cut(&input, 400)].join("\n");
            (steps_of(text("taskType")), went, said, value.get("session").as_str())
        }
        DocKind::Entity => {
            let mut said = vec![text("name").to_owned(), text("type").to_owned()];
            said.extend(listed("observations", ""));
            (GRAPH.to_owned(), text("type"), said.join("\n"), None)
        }
        DocKind::Value => {
            let (collection, _) = id.split_once('\u{0}')?;
            (namespace_of(collection), "", text("text").to_owned(), None)
        }
        _ => return None,
    };
    let at = value.get("at").as_str().or(value.get("createdAt").as_str());
    let tags = if tag.is_empty() { Vec::new() } else { vec![tag.to_owned()] };
    see(&Talk {
        kind,
        id: &id,
        seq: u64::try_from(value.get("seq").as_i64()?).ok()?,
        namespace: &namespace,
        tags: &tags,
        session: None,
        agent: value.get("agent").as_str(),
        speaker: None,
        voice: Voice::Other,
        source,
        said: &said,
        at: at.and_then(|at| Timestamp::parse("at", at).ok()).unwrap_or(Timestamp::MAX),
        trust: crate::model::Trust::Normal,
        vector: &[],
    });
    Some(())
}
