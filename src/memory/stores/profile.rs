//! The profile of the user (B20): read as a whole, changed field by field.

use crate::codec::json;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Json, Profile, ProfileSource};
use crate::store::{Durability, Store};

impl<S: Store, E: Env> Memory<S, E> {
    /// The profile of the user.
    pub async fn profile(&self) -> Result<Profile, Error> {
        self.check_open()?;
        let found = self.kept(self.inner.keys.profile()).await?;
        Ok(found.as_ref().and_then(json::read_profile).unwrap_or_default())
    }

    /// Applies changes: objects merge, `null` deletes, arrays replace. Planned on the stored profile, so that
    /// concurrent changes of different fields all succeed.
    pub async fn update_profile(&self, changes: &Json, source: &ProfileSource) -> Result<Profile, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let mut profile = self.profile().await?;
            profile.merge(changes.clone(), source, plan.now)?;
            self.plan_kept(plan, self.inner.keys.profile(), &json::profile(&profile))?;
            Ok(profile)
        })
        .await
    }
}
