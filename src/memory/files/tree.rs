//! Markdown files in the store: a tree of texts with versions, changed together or not at all.

use crate::codec::{Beside, CodecError, Kind as Kept, hex};
use crate::files::{Answer, Change, Command, Merged, Tree, TreePath, below, check_writable, merge, run, to_memories};
use crate::log::hash;
use crate::memory::engine::keys::VERSIONS;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::{Invalid, Json, Timestamp};
use crate::store::{Durability, Key, Op, Space, Store};

/// The most bytes of a file: some backends refuse larger values.
pub(super) const MAX_FILE: usize = 900_000;

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct File {
    /// Its path.
    pub path: TreePath,
    /// Its text.
    pub text: String,
    /// The hash of the text, for optimistic changes.
    pub hash: String,
    /// The number of times it was written.
    pub version: u64,
    /// The time of the last write.
    pub updated_at: Timestamp,
}

/// The precondition of a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expect<'a> {
    /// Any state, including no file.
    #[default]
    Any,
    /// The file must not exist.
    None,
    /// The file must exist with this hash.
    Hash(&'a str),
}

impl Expect<'_> {
    fn check(self, found: Option<&File>) -> Result<(), Error> {
        let holds = match self {
            Self::Any => true,
            Self::None => found.is_none(),
            Self::Hash(hash) => found.is_some_and(|file| file.hash == hash),
        };
        if holds { Ok(()) } else { Err(Error::Stale { field: "expect".to_owned() }) }
    }
}

impl<S: Store, E: Env> Memory<S, E> {
    /// The file at a path, if it exists.
    pub async fn file(&self, path: &TreePath) -> Result<Option<File>, Error> {
        self.check_open()?;
        Ok(self.kept(self.inner.keys.file(path.as_str())).await?.as_ref().and_then(read))
    }

    /// The files under several keys, in one read.
    pub(super) async fn files_at(&self, keys: &[Key]) -> Result<Vec<Option<File>>, Error> {
        self.check_open()?;
        let found = self.fetch(Space::Records, keys).await?;
        self.check_found(keys.is_empty() || found.iter().any(Option::is_some)).await?;
        let file = |bytes: &Vec<u8>| Ok(read(&Beside::decode(Kept::Kept, bytes)?));
        Ok(found.iter().map(|bytes| bytes.as_ref().map_or(Ok(None), file)).collect::<Result<_, CodecError>>()?)
    }

    /// All files below a folder, in the order of their paths; of the whole tree if `None`.
    pub async fn files(&self, folder: Option<&TreePath>) -> Result<Vec<File>, Error> {
        self.check_open()?;
        let all = self.kept_in(self.inner.keys.files()).await?;
        let mut files: Vec<File> = all.iter().filter_map(read).collect();
        if let Some(folder) = folder {
            let below = |path: &str| path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
            files.retain(|file| below(file.path.as_str()));
        }
        // Keys have the length before each path, so their order is not the order of paths.
        let order =
            crate::model::sorted(files.len(), &|one, other| files[one].path.as_str().cmp(files[other].path.as_str()));
        Ok(order.into_iter().map(|at| files[at].clone()).collect())
    }

    /// Writes a file.
    pub async fn write_file(&self, path: &TreePath, text: &str, expect: Expect<'_>) -> Result<File, Error> {
        check_text(text)?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let old = self.file(path).await?;
            expect.check(old.as_ref())?;
            self.plan_file(plan, path, old.as_ref(), text)
        })
        .await
    }

    /// Appends a text to a file, on a new line.
    pub async fn append_file(&self, path: &TreePath, text: &str, expect: Expect<'_>) -> Result<File, Error> {
        let edit = |before: &str| {
            let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
            Ok([before, gap, text].concat())
        };
        self.edit_file(path, expect, &edit).await
    }

    /// Changes a file with `edit`, whose argument is the current text, or an empty one if there is no file. On a
    /// conflict `edit` runs again.
    pub async fn edit_file(
        &self,
        path: &TreePath,
        expect: Expect<'_>,
        edit: &dyn Fn(&str) -> Result<String, Invalid>,
    ) -> Result<File, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| self.plan_edit(plan, path, expect, edit).await).await
    }

    /// `edit_file` as part of another write.
    pub(super) async fn plan_edit(
        &self,
        plan: &mut Plan,
        path: &TreePath,
        expect: Expect<'_>,
        edit: &dyn Fn(&str) -> Result<String, Invalid>,
    ) -> Result<File, Error> {
        let old = self.file(path).await?;
        expect.check(old.as_ref())?;
        let text = edit(old.as_ref().map_or("", |file| &file.text))?;
        check_text(&text)?;
        match old {
            Some(old) if old.text == text => Ok(old),
            old => self.plan_file(plan, path, old.as_ref(), &text),
        }
    }

    /// Merges a version of the file that was edited elsewhere, starting from `base`. Conflicts stay in the file between
    /// markers, and are returned.
    pub async fn merge_file(&self, path: &TreePath, base: &str, theirs: &str) -> Result<(File, Merged), Error> {
        check_text(theirs)?;
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let old = self.file(path).await?;
            let merged = merge(base, old.as_ref().map_or("", |file| &file.text), theirs);
            check_text(&merged.text)?;
            let file = match old {
                Some(old) if old.text == merged.text => old,
                old => self.plan_file(plan, path, old.as_ref(), &merged.text)?,
            };
            Ok((file, merged))
        })
        .await
    }

    /// Moves a file to a free path, with its history.
    pub async fn move_file(&self, from: &TreePath, to: &TreePath, expect: Expect<'_>) -> Result<File, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let old = self.file(from).await?.ok_or(Error::NO_FILE)?;
            expect.check(Some(&old))?;
            self.plan_move(plan, &old, to).await
        })
        .await
    }

    async fn plan_move(&self, plan: &mut Plan, old: &File, to: &TreePath) -> Result<File, Error> {
        if self.file(to).await?.is_some() {
            return Err(Error::AlreadyExists { field: "to".to_owned() });
        }
        for before in self.file_history(&old.path).await? {
            let moved = File { path: to.clone(), ..before };
            self.plan_kept(plan, self.inner.keys.file_version(to.as_str(), moved.version), &moved.to_json())?;
        }
        self.plan_gone(plan, &old.path);
        let file = File { path: to.clone(), ..old.clone() };
        self.plan_kept(plan, self.inner.keys.file(to.as_str()), &file.to_json())?;
        Ok(file)
    }

    /// Deletes a file and its history. Returns whether it existed.
    pub async fn delete_file(&self, path: &TreePath, expect: Expect<'_>) -> Result<bool, Error> {
        let found = self.file(path).await?;
        if found.is_none() {
            return expect.check(None).map(|()| false);
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let old = self.file(path).await?;
            expect.check(old.as_ref())?;
            self.plan_gone(plan, path);
            Ok(old.is_some())
        })
        .await
    }

    /// The past versions of a file, oldest first.
    pub async fn file_history(&self, path: &TreePath) -> Result<Vec<File>, Error> {
        self.check_open()?;
        Ok(self.kept_in(self.inner.keys.file_versions(path.as_str())).await?.iter().filter_map(read).collect())
    }

    /// Runs a command of the memory tool on the files below `root`, which the model sees as `/memories`. It may change
    /// documents, and anything below the `writable` paths. Mistakes of the model are answers to it, not errors.
    pub async fn memory_tool(
        &self,
        root: &str,
        writable: &[String],
        command: &Command,
    ) -> Result<Result<String, String>, Error> {
        check_writable(writable)?;
        if matches!(command, Command::View { .. }) {
            let tree = Files(self.files(None).await?);
            return Ok(run(&tree, root, command).map(|answer| answer.text));
        }
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let tree = Files(self.files(None).await?);
            let Answer { text, changes } = match run(&tree, root, command) {
                Ok(answer) => answer,
                Err(problem) => return Ok(Err(problem)),
            };
            // The app chose the root; only the names below it are the model's.
            let refusal = |path: &TreePath| {
                let reason = self.refused_to_tools(path, below(path.as_str(), root).unwrap_or(""), writable)?;
                Some(format!("The path {} {reason}.", to_memories(root, path.as_str()).unwrap_or_default()))
            };
            for change in &changes {
                let refused = match change {
                    Change::Write(path, _) | Change::Delete(path) => refusal(path),
                    Change::Rename(from, to) => refusal(from).or_else(|| refusal(to)),
                };
                if let Some(problem) = refused {
                    return Ok(Err(problem));
                }
            }
            for change in &changes {
                match change {
                    Change::Write(path, text) => {
                        check_text(text)?;
                        self.plan_file(plan, path, tree.find(path.as_str()), text)?;
                    }
                    Change::Delete(path) => self.plan_gone(plan, path),
                    Change::Rename(from, to) => {
                        let old = tree.find(from.as_str()).ok_or(Error::NO_FILE)?;
                        self.plan_move(plan, old, to).await?;
                    }
                }
            }
            Ok(Ok(text))
        })
        .await
    }

    pub(super) fn plan_file(
        &self,
        plan: &mut Plan,
        path: &TreePath,
        old: Option<&File>,
        text: &str,
    ) -> Result<File, Error> {
        let keys = &self.inner.keys;
        if let Some(old) = old {
            self.plan_kept(plan, keys.file_version(path.as_str(), old.version), &old.to_json())?;
            if let Some(oldest) = old.version.checked_sub(VERSIONS) {
                plan.ops.push(Op::Delete(Space::Records, keys.file_version(path.as_str(), oldest)));
            }
        }
        let file = File {
            path: path.clone(),
            text: text.to_owned(),
            hash: hex::encode(&hash(text.as_bytes())),
            version: old.map_or(1, |old| old.version + 1),
            updated_at: plan.now,
        };
        self.plan_kept(plan, keys.file(path.as_str()), &file.to_json())?;
        Ok(file)
    }

    fn plan_gone(&self, plan: &mut Plan, path: &TreePath) {
        let keys = &self.inner.keys;
        plan.take_beside(keys.file(path.as_str()));
        plan.ops.push(Op::DeleteRange(Space::Records, keys.file_versions(path.as_str())));
    }
}

/// The files as the memory tool sees them.
struct Files(Vec<File>);

impl Files {
    fn find(&self, path: &str) -> Option<&File> {
        self.0.iter().find(|file| file.path.as_str() == path)
    }
}

impl Tree for Files {
    fn read(&self, path: &str) -> Option<String> {
        self.find(path).map(|file| file.text.clone())
    }

    fn list(&self, folder: &str) -> Vec<(String, usize)> {
        let below =
            |path: &str| folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let files = self.0.iter().filter(|file| below(file.path.as_str()));
        files.map(|file| (file.path.as_str().to_owned(), file.text.len())).collect()
    }
}

impl File {
    fn to_json(&self) -> Json {
        Json::object(vec![
            ("path", self.path.as_str().into()),
            ("text", self.text.as_str().into()),
            ("version", self.version.into()),
            ("at", self.updated_at.to_string().into()),
        ])
    }
}

fn read(value: &Json) -> Option<File> {
    let text = value.get("text").as_str()?.to_owned();
    Some(File {
        path: TreePath::new("path", value.get("path").as_str()?).ok()?,
        hash: hex::encode(&hash(text.as_bytes())),
        text,
        version: u64::try_from(value.get("version").as_i64()?).ok()?,
        updated_at: Timestamp::parse("at", value.get("at").as_str()?).ok()?,
    })
}

fn check_text(text: &str) -> Result<(), Invalid> {
    if text.len() > MAX_FILE { Err(Invalid::too_large("text", MAX_FILE, text.len())) } else { Ok(()) }
}
