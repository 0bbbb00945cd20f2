//! Skills (B19): stored in versions, searched by purpose, and rated by their outcomes.

use super::flow::check_name;
use crate::codec::json;
use crate::index::{DocKind, Found, Ranking};
use crate::learn::{Standing, standing};
use crate::memory::engine::keys::Named;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::search::SearchOptions;
use crate::model::{Json, Metadata, Skill, SkillDraft, SkillKind, Trust, sorted};
use crate::store::{Durability, Key, Op, Space, Store};
use crate::text;

/// The number of outcomes kept.
const OUTCOMES: usize = 20;

/// The most skills that one query considers.
const MOST: usize = 10_000;

/// The options of a skill search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkillQuery {
    /// The task type.
    pub task_type: Option<String>,
    /// The query.
    pub query: String,
    /// The most skills.
    pub top_k: usize,
    /// Only skills of this kind.
    pub kind: Option<SkillKind>,
    /// Whether to include demoted skills, which fail too often.
    pub include_demoted: bool,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Adds a skill. If the id exists, this is a new version, and the use counts continue.
    pub async fn add_skill(&self, draft: &SkillDraft) -> Result<Skill, Error> {
        let draft = draft.clone().checked()?;
        for (field, name) in [("id", &draft.id), ("taskType", &draft.task_type)] {
            name.as_ref().map_or(Ok(()), |name| check_name(field, name))?;
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| self.plan_skill(plan, &draft).await).await
    }

    pub(super) async fn plan_skill(&self, plan: &mut Plan, draft: &SkillDraft) -> Result<Skill, Error> {
        let (skill, before) = self.skill_to_be(plan, draft).await?;
        self.plan_known(plan, &Named::Skill(skill.id.clone()), json::stored_skill(&skill), before.as_ref())?;
        Ok(skill)
    }

    /// The skill for this draft, and the old one, whose version is archived.
    pub(super) async fn skill_to_be(
        &self,
        plan: &mut Plan,
        draft: &SkillDraft,
    ) -> Result<(Skill, Option<Json>), Error> {
        let id = match &draft.id {
            Some(id) => id.clone(),
            None => crate::model::EntryId::from_entropy(self.entropy()?).to_string(),
        };
        let before = self.kept(self.inner.keys.named(&Named::Skill(id.clone()))).await?;
        let old = before.as_ref().and_then(json::read_skill);
        let draft = SkillDraft { id: Some(id.clone()), ..draft.clone() };
        let skill = match old {
            Some(old) if says_the_same(&old.draft, &draft) => {
                // The same words written again are not more trusted.
                let trust = old.draft.trust.min(draft.trust);
                Skill { draft: SkillDraft { trust, ..draft }, updated_at: plan.now, ..old }
            }
            Some(old) => {
                let key = self.inner.keys.skill_version(&id, old.version);
                self.plan_kept(plan, key, &json::stored_skill(&old))?;
                // A different procedure starts with fresh counts.
                Skill {
                    version: old.version + 1,
                    draft,
                    outcomes: Vec::new(),
                    uses: 0,
                    successes: 0,
                    demoted: false,
                    updated_at: plan.now,
                    ..old
                }
            }
            None => Skill {
                id,
                version: 1,
                draft,
                outcomes: Vec::new(),
                uses: 0,
                successes: 0,
                demoted: false,
                created_at: plan.now,
                updated_at: plan.now,
            },
        };
        Ok((skill, before))
    }

    /// The current skill, or a past version.
    pub async fn skill(&self, id: &str, version: Option<u32>) -> Result<Option<Skill>, Error> {
        self.check_open()?;
        check_name("id", id)?;
        let found = self.kept(self.inner.keys.named(&Named::Skill(id.to_owned()))).await?;
        let skill = found.as_ref().and_then(json::read_skill);
        match (skill, version) {
            (Some(skill), Some(version)) if skill.version != version => {
                let before = self.kept(self.inner.keys.skill_version(id, version)).await?;
                Ok(before.as_ref().and_then(json::read_skill))
            }
            (skill, _) => Ok(skill),
        }
    }

    /// All versions of a skill, oldest first.
    pub async fn skill_versions(&self, id: &str) -> Result<Vec<Skill>, Error> {
        let last = self.skill(id, None).await?;
        let before = self.kept_in(self.inner.keys.skill_versions(id)).await?;
        Ok(before.iter().filter_map(json::read_skill).chain(last).collect())
    }

    /// All skills, in the order of their ids.
    pub async fn skills(&self) -> Result<Vec<Skill>, Error> {
        self.check_open()?;
        Ok(self.kept_in(self.inner.keys.skills()).await?.iter().filter_map(json::read_skill).collect())
    }

    /// Deletes a skill and its versions. Returns whether it existed.
    pub async fn delete_skill(&self, id: &str) -> Result<bool, Error> {
        if self.skill(id, None).await?.is_none() {
            return Ok(false);
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let named = Named::Skill(id.to_owned());
            let Some(value) = self.kept(self.inner.keys.named(&named)).await? else { return Ok(false) };
            self.plan_forget(plan, &named, &value);
            plan.ops.push(Op::DeleteRange(Space::Records, self.inner.keys.skill_versions(id)));
            Ok(true)
        })
        .await
    }

    /// Records the outcome of a use. A skill that fails too often is demoted until it does better.
    pub async fn record_skill_use(&self, id: &str, success: bool) -> Result<Skill, Error> {
        check_name("id", id)?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            self.plan_skill_use(plan, id, success).await?.ok_or(Error::NO_SKILL)
        })
        .await
    }

    /// `record_skill_use` as part of another write; does nothing if the skill does not exist.
    pub(super) async fn plan_skill_use(
        &self,
        plan: &mut Plan,
        id: &str,
        success: bool,
    ) -> Result<Option<Skill>, Error> {
        check_name("skillId", id)?;
        let named = Named::Skill(id.to_owned());
        let before = self.kept(self.inner.keys.named(&named)).await?;
        let Some(mut skill) = before.as_ref().and_then(json::read_skill) else { return Ok(None) };
        skill.uses += 1;
        skill.successes += u32::from(success);
        skill.outcomes.push(success);
        skill.outcomes.drain(..skill.outcomes.len().saturating_sub(OUTCOMES));
        skill.demoted = standing(&skill.outcomes) == Standing::Demoted;
        self.plan_known(plan, &named, json::stored_skill(&skill), before.as_ref())?;
        Ok(Some(skill))
    }

    /// The procedures and the guards for a task, up to `most` of each.
    pub(in crate::memory) async fn skills_for(
        &self,
        task_type: Option<&str>,
        query: &str,
        most: usize,
    ) -> Result<Vec<(Skill, f64)>, Error> {
        if most == 0 || (query.trim().is_empty() && task_type.is_none()) {
            return Ok(Vec::new());
        }
        let mut asked = SkillQuery {
            task_type: task_type.map(str::to_owned),
            query: query.to_owned(),
            top_k: usize::MAX,
            ..SkillQuery::default()
        };
        // A longer query adds no information about the skill.
        asked.query.truncate(text::cut(&asked.query, 2000).len());
        let mut found = self.search_skills(&asked).await?;
        // A procedure is followed, so none from outside is shown.
        found.retain(|(skill, _)| skill.draft.trust > Trust::Low);
        let mut left = [most; 2];
        found.retain(|(skill, _)| {
            let room = &mut left[usize::from(skill.draft.kind == SkillKind::Guard)];
            let fits = *room > 0;
            *room -= usize::from(fits);
            fits
        });
        Ok(found)
    }

    /// The skills for a task, best first, each with its text score. Skills of the task type come before skills for any
    /// type.
    pub async fn search_skills(&self, asked: &SkillQuery) -> Result<Vec<(Skill, f64)>, Error> {
        if let Some(task_type) = &asked.task_type {
            check_name("taskType", task_type)?;
        }
        let options = SearchOptions {
            query: asked.query.clone(),
            ranking: Ranking::Best,
            limit: Some(MOST),
            ..SearchOptions::default()
        };
        let hits = self.find(&options, &[DocKind::Skill]).await?;
        let score = |id: &str| hits.iter().find(|(_, hit)| hit.id.as_str() == id).map_or(0.0, |(_, hit)| hit.score);
        let any = asked.query.trim().is_empty() && asked.task_type.is_none();
        // The tag of a skill is its task type: other skills are not read.
        let bears = |found: &Found<'_>| match (&asked.task_type, found.tags.first()) {
            (Some(wanted), Some(task_type)) => wanted == task_type,
            // A skill for any task must match the words.
            _ => any || score(found.id) > 0.0,
        };
        let now = self.now()?;
        let keys: Vec<Key> = self.with_shelf(|shelf| {
            let all = shelf.index.newest_of(DocKind::Skill, now, None, None).filter(bears);
            all.map(|found| self.inner.keys.named(&Named::Skill(found.id.to_owned()))).collect()
        });
        let mut found: Vec<(Skill, f64)> = Vec::new();
        for skill in self.kept_of(&keys).await?.iter().filter_map(json::read_skill) {
            let of_kind = asked.kind.is_none_or(|kind| kind == skill.draft.kind);
            if of_kind && (asked.include_demoted || !skill.demoted) {
                let score = score(&skill.id);
                found.push((skill, score));
            }
        }
        let rank = |(skill, score): &(Skill, f64)| [*score, worth(skill)];
        let order = sorted(found.len(), &|one, other| {
            let ([score, worth], [other_score, other_worth]) = (rank(&found[one]), rank(&found[other]));
            let by_id = || found[one].0.id.cmp(&found[other].0.id);
            other_score.total_cmp(&score).then(other_worth.total_cmp(&worth)).then_with(by_id)
        });
        Ok(order.into_iter().take(asked.top_k).map(|at| found[at].clone()).collect())
    }
}

/// The reliability of a skill, to break ties: its outcomes, or the confidence it was learned with.
fn worth(skill: &Skill) -> f64 {
    let learned = skill.draft.evidence.as_ref().map_or(0.5, |evidence| evidence.confidence);
    // A prior worth two uses.
    (f64::from(skill.successes) + 2.0 * learned) / (f64::from(skill.uses) + 2.0)
}

/// Whether two drafts differ only in their evidence, trust and metadata.
fn says_the_same(one: &SkillDraft, other: &SkillDraft) -> bool {
    let said = |draft: &SkillDraft| SkillDraft {
        evidence: None,
        metadata: Metadata::default(),
        trust: Trust::Normal,
        ..draft.clone()
    };
    said(one) == said(other)
}
