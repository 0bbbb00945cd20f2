//! Markdown files that people read and edit.

use super::{call, handle};
use crate::files::{Merged, TreePath, Warning};
use crate::memory::{Activated, Env, Error, Expect, File, FoundEntry, FoundPassage, SessionEnd, SourceChanges};
use crate::model::{Invalid, SessionId};
use crate::store::Store;

handle! {
    /// Markdown files in the memory: a tree of texts with versions.
    MemoryFiles
}

/// A change of a file.
#[derive(Debug)]
pub(super) struct Changed {
    path: Result<TreePath, Invalid>,
    change: Change,
    expect: Expected,
}

#[derive(Debug)]
enum Change {
    Write(String),
    Append(String),
    Section(String, String),
}

/// The precondition of a change.
#[derive(Debug, Default)]
enum Expected {
    #[default]
    Any,
    None,
    Hash(String),
}

impl Expected {
    fn as_expect(&self) -> Expect<'_> {
        match self {
            Self::Any => Expect::Any,
            Self::None => Expect::None,
            Self::Hash(hash) => Expect::Hash(hash),
        }
    }
}

call! {
    /// Changes a file; see [`MemoryFiles::write`].
    ChangeFile(Changed) -> File, |memory, given| {
        let (path, expect) = (given.path?, given.expect.as_expect());
        match &given.change {
            Change::Write(text) => memory.write_file(&path, text, expect).await,
            Change::Append(text) => memory.append_file(&path, text, expect).await,
            Change::Section(section, text) => memory.update_section(&path, section, text, expect).await,
        }
    }
}

impl<S, E> ChangeFile<S, E> {
    /// Changes it only if the file has this hash; otherwise the call fails with [`Error::Stale`].
    pub fn expect(self, hash: impl Into<String>) -> Self {
        self.edit(|given| given.expect = Expected::Hash(hash.into()))
    }

    /// Changes it only if there is no such file.
    pub fn expect_none(self) -> Self {
        self.edit(|given| given.expect = Expected::None)
    }
}

call! {
    /// Deletes a file; see [`MemoryFiles::delete`]. Answers whether it existed.
    DeleteFile((Result<TreePath, Invalid>, Option<String>)) -> bool, |memory, given| {
        let expect = given.1.as_deref().map_or(Expect::Any, Expect::Hash);
        memory.delete_file(&given.0?, expect).await
    }
}

impl<S, E> DeleteFile<S, E> {
    /// Deletes it only if the file has this hash.
    pub fn expect(self, hash: impl Into<String>) -> Self {
        self.edit(|given| given.1 = Some(hash.into()))
    }
}

call! {
    /// Moves a file; see [`MemoryFiles::rename`].
    MoveFile((Result<(TreePath, TreePath), Invalid>, Option<String>)) -> File, |memory, given| {
        let (from, to) = given.0?;
        memory.move_file(&from, &to, given.1.as_deref().map_or(Expect::Any, Expect::Hash)).await
    }
}

impl<S, E> MoveFile<S, E> {
    /// Moves it only if the file has this hash.
    pub fn expect(self, hash: impl Into<String>) -> Self {
        self.edit(|given| given.1 = Some(hash.into()))
    }
}

impl<S: Store, E: Env> MemoryFiles<S, E> {
    /// The file at this path.
    pub async fn read(&self, path: impl Into<String>) -> Result<Option<File>, Error> {
        let path = TreePath::new("path", path)?;
        self.memory.file(&path).await
    }

    /// The files of a folder and below it, or all files.
    pub async fn list(&self, folder: Option<&str>) -> Result<Vec<File>, Error> {
        let folder = folder.map(|folder| TreePath::new("folder", folder)).transpose()?;
        self.memory.files(folder.as_ref()).await
    }

    /// Writes a file. The text before it stays as a version.
    ///
    /// ```
    /// # use keepsake::{Error, MemStore, Memory};
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// # let memory = Memory::open(MemStore::new(), "u-42").await?;
    /// let files = memory.files();
    /// let plan = files.write("plan.md", "# Plan\n").await?;
    /// files.append("plan.md", "- tea at four\n").expect(&plan.hash).await?;
    ///
    /// // Somebody has changed the file since it was read.
    /// let error = files.write("plan.md", "# New plan\n").expect(&plan.hash).await.unwrap_err();
    /// assert!(matches!(error, Error::Stale { .. }));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn write(&self, path: impl Into<String>, text: impl Into<String>) -> ChangeFile<S, E> {
        self.change(path.into(), Change::Write(text.into()))
    }

    /// Appends a text to a file, which is created if it is missing.
    pub fn append(&self, path: impl Into<String>, text: impl Into<String>) -> ChangeFile<S, E> {
        self.change(path.into(), Change::Append(text.into()))
    }

    /// Replaces the text below a heading.
    pub fn update_section(
        &self,
        path: impl Into<String>,
        section: impl Into<String>,
        text: impl Into<String>,
    ) -> ChangeFile<S, E> {
        self.change(path.into(), Change::Section(section.into(), text.into()))
    }

    fn change(&self, path: String, change: Change) -> ChangeFile<S, E> {
        let given = Changed { path: TreePath::new("path", path), change, expect: Expected::Any };
        ChangeFile::new(&self.memory, given)
    }

    /// Merges another version of a file, made from `base`, with the stored one, section by section.
    pub async fn merge(&self, path: impl Into<String>, base: &str, theirs: &str) -> Result<(File, Merged), Error> {
        let path = TreePath::new("path", path)?;
        self.memory.merge_file(&path, base, theirs).await
    }

    /// Moves a file, with its versions.
    pub fn rename(&self, from: impl Into<String>, to: impl Into<String>) -> MoveFile<S, E> {
        let paths = TreePath::new("from", from).and_then(|from| Ok((from, TreePath::new("to", to)?)));
        MoveFile::new(&self.memory, (paths, None))
    }

    /// Deletes a file.
    pub fn delete(&self, path: impl Into<String>) -> DeleteFile<S, E> {
        DeleteFile::new(&self.memory, (TreePath::new("path", path), None))
    }

    /// The past versions of a file, oldest first.
    pub async fn history(&self, path: impl Into<String>) -> Result<Vec<File>, Error> {
        let path = TreePath::new("path", path)?;
        self.memory.file_history(&path).await
    }

    /// What a reader should know about a file: an outdated context, a decision without a reason.
    pub async fn lint(&self, path: impl Into<String>) -> Result<Vec<Warning>, Error> {
        let path = TreePath::new("path", path)?;
        self.memory.lint_file(&path, None).await
    }

    /// Loads an agent's memory: its definition, its context and its newest decisions.
    pub async fn activate(&self, agent: &str) -> Result<Activated, Error> {
        self.memory.activate(agent).await
    }

    /// The same with the shared memory of its team.
    pub async fn activate_member(&self, agent: &str) -> Result<Activated, Error> {
        self.memory.activate_member(agent).await
    }

    /// Writes what an agent's session has brought, in one commit.
    pub async fn end_session(&self, agent: &str, end: &SessionEnd) -> Result<Vec<File>, Error> {
        self.memory.end_session(agent, end).await
    }

    /// Searches an agent's learnings.
    pub async fn search_learnings(&self, agent: &str, query: &str, limit: usize) -> Result<Vec<FoundEntry>, Error> {
        self.memory.search_learnings(agent, query, limit).await
    }

    /// Searches an agent's knowledge files.
    pub async fn search_knowledge(&self, agent: &str, query: &str, limit: usize) -> Result<Vec<FoundPassage>, Error> {
        self.memory.search_knowledge(agent, query, limit).await
    }

    /// Writes a conversation and its summaries into files, below a folder or in the root.
    pub async fn write_session(&self, session: impl Into<String>, folder: Option<&str>) -> Result<Vec<File>, Error> {
        let session = SessionId::new("session", session)?;
        let folder = folder.map(|folder| TreePath::new("folder", folder)).transpose()?;
        self.memory.write_session(&session, folder.as_ref()).await
    }

    /// Ingests the documents in `sources/` that are new or have changed.
    pub async fn ingest_sources(&self) -> Result<SourceChanges, Error> {
        self.memory.ingest_sources().await
    }
}
