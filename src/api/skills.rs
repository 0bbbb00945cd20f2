//! Skills: procedures and warnings.

use super::{call, handle};
use crate::memory::{Env, Error, SkillQuery};
use crate::model::{Skill, SkillDraft, SkillKind};
use crate::store::Store;

handle! {
    /// Skills: procedures that worked, and warnings, written by hand or learned.
    ProceduralMemory
}

call! {
    /// Searches skills; see [`ProceduralMemory::search_skills`]. Each comes with its score.
    SearchSkills(SkillQuery) -> Vec<(Skill, f64)>, |memory, asked| memory.search_skills(&asked).await
}

impl<S, E> SearchSkills<S, E> {
    /// The most skills. Default: 3.
    pub fn top_k(self, most: usize) -> Self {
        self.edit(|asked| asked.top_k = most)
    }

    /// Only skills for this task type.
    pub fn task_type(self, task_type: impl Into<String>) -> Self {
        self.edit(|asked| asked.task_type = Some(task_type.into()))
    }

    /// Only skills of this kind.
    pub fn kind(self, kind: SkillKind) -> Self {
        self.edit(|asked| asked.kind = Some(kind))
    }

    /// Also demoted skills, which fail too often.
    pub fn include_demoted(self) -> Self {
        self.edit(|asked| asked.include_demoted = true)
    }
}

impl<S: Store, E: Env> ProceduralMemory<S, E> {
    /// Adds a skill. If its id exists, this is a new version, and the use counts continue.
    ///
    /// ```
    /// # use keepsake::{MemStore, Memory, types::SkillDraft};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let skills = memory.procedural();
    /// let draft = SkillDraft::new("a customer asks for a refund").task_type("support").step("orders", Some("look up"));
    /// let skill = skills.add_skill(draft).await?;
    /// skills.record_use(&skill.id, true).await?;
    ///
    /// let found = skills.search_skills("refund").task_type("support").await?;
    /// assert_eq!(found[0].0.successes, 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub async fn add_skill(&self, skill: SkillDraft) -> Result<Skill, Error> {
        self.memory.add_skill(&skill).await
    }

    /// Searches skills.
    pub fn search_skills(&self, query: impl Into<String>) -> SearchSkills<S, E> {
        SearchSkills::new(&self.memory, SkillQuery { query: query.into(), top_k: 3, ..SkillQuery::default() })
    }

    /// The skill with this id.
    pub async fn get(&self, id: &str) -> Result<Option<Skill>, Error> {
        self.memory.skill(id, None).await
    }

    /// This version of a skill.
    pub async fn get_version(&self, id: &str, version: u32) -> Result<Option<Skill>, Error> {
        self.memory.skill(id, Some(version)).await
    }

    /// All skills.
    pub async fn list(&self) -> Result<Vec<Skill>, Error> {
        self.memory.skills().await
    }

    /// All versions of a skill, oldest first.
    pub async fn versions(&self, id: &str) -> Result<Vec<Skill>, Error> {
        self.memory.skill_versions(id).await
    }

    /// Deletes a skill. Returns whether it existed.
    pub async fn delete(&self, id: &str) -> Result<bool, Error> {
        self.memory.delete_skill(id).await
    }

    /// Records the outcome of following a skill. One that fails too often is demoted.
    pub async fn record_use(&self, id: &str, success: bool) -> Result<Skill, Error> {
        self.memory.record_skill_use(id, success).await
    }
}
