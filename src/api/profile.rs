//! The profile of the user.

use super::{call, handle};
use crate::memory::{Env, Error};
use crate::model::{Json, Metadata, Profile, ProfileSource};
use crate::store::Store;

handle! {
    /// What is known about the user: one JSON object, with the source of each field.
    ProfileMemory
}

call! {
    /// Updates the profile; see [`ProfileMemory::update`].
    UpdateProfile((Json, ProfileSource)) -> Profile, |memory, given| {
        let (changes, source) = given;
        memory.update_profile(&changes, &source).await
    }
}

impl<S, E> UpdateProfile<S, E> {
    /// The source of the change: a person or a program.
    pub fn source(self, source: impl Into<String>) -> Self {
        self.edit(|(_, given)| given.source = Some(source.into()))
    }

    /// The app's own data about the change, stored with each field that it sets.
    pub fn metadata(self, metadata: impl Into<Json>) -> Self {
        let metadata = Metadata::new("metadata", metadata.into());
        self.set(metadata, |(_, source), metadata| source.metadata = metadata)
    }
}

impl<S: Store, E: Env> ProfileMemory<S, E> {
    /// The profile: its `value`, and the source of each of its fields.
    pub async fn get(&self) -> Result<Profile, Error> {
        self.memory.profile().await
    }

    /// Merges changes into the profile: objects merge, `null` deletes, everything else replaces.
    ///
    /// ```
    /// # use keepsake::{Json, MemStore, Memory};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let profile = memory.profile();
    /// let changes: Json = r#"{ "name": "Minh", "likes": { "tea": true } }"#.parse().unwrap();
    /// profile.update(changes).source("settings").await?;
    /// assert_eq!(profile.get().await?.value.get("name").as_str(), Some("Minh"));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn update(&self, changes: impl Into<Json>) -> UpdateProfile<S, E> {
        UpdateProfile::new(&self.memory, (changes.into(), ProfileSource::default()))
    }
}
