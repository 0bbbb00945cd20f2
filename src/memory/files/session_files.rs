//! Conversations, histories and documents as files of the tree, on request: `contexts/agent/*.jsonl` (C7),
//! `knowledge/library/history-001.md` (C13), and `sources/` (C17).

use super::tree::{Expect, File, MAX_FILE};
use crate::codec::json::parse;
use crate::codec::{Record, hex};
use crate::context::lines;
use crate::files::{TreePath, below};
use crate::log::hash;
use crate::memory::engine::plan::Plan;
use crate::memory::engine::talk::History;
use crate::memory::engine::{Env, Error, Memory};
use crate::memory::entries::sources::{IngestOptions, PIECE_CHARS, SOURCE_TAG};
use crate::model::{EntryId, Invalid, Json, Metadata, SessionId};
use crate::store::{Durability, Key, Space, Store};

/// The folders of documents that searches find.
const SOURCES: [&str; 2] = [".airsspec/sources", "sources"];

/// The metadata field with the hash of the file that a passage is from.
const FILE_HASH: &str = "fileHash";

/// Changes to the documents in `sources/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceChanges {
    /// New or changed, and loaded.
    pub added: Vec<String>,
    /// Deleted files, whose passages were deleted too.
    pub removed: Vec<String>,
}

impl<S: Store, E: Env> Memory<S, E> {
    /// Writes a conversation and its histories into files below `folder`, or below the root of the tree. Existing lines
    /// stay, and new ones are appended.
    pub async fn write_session(&self, session: &SessionId, folder: Option<&TreePath>) -> Result<Vec<File>, Error> {
        self.write(Durability::Relaxed, async |plan: &mut Plan| {
            let record = self.session_record(session).await?.ok_or(Error::NO_SESSION)?;
            let mut texts = vec![String::new()];
            for stored in self.read_messages(session, 0, record.count).await? {
                for line in lines::write(&stored.message, false) {
                    put_line(&mut texts, &line.to_string());
                }
            }
            let mut files = Vec::new();
            let name = file_name(session.as_str());
            let part = |number: usize| match number {
                1 => join(folder, &format!("contexts/agent/{name}.jsonl")),
                _ => join(folder, &format!("contexts/agent/{name}.{number:03}.jsonl")),
            };
            for (number, text) in (1..).zip(&texts) {
                files.push(self.plan_edit(plan, &part(number)?, Expect::Any, &|_| Ok(text.clone())).await?);
            }
            let library = join(folder, "knowledge/library")?;
            let mut known: Vec<Numbered> = self.files(Some(&library)).await?.iter().filter_map(numbered).collect();
            for history in self.histories(session).await? {
                let own = Some((session.as_str().to_owned(), u64::from(history.number)));
                let next = known.iter().map(|(number, _)| *number).max().unwrap_or(0) + 1;
                let number = known.iter().find(|(_, of)| *of == own).map_or(next, |(number, _)| *number);
                known.push((number, own));
                let path = library.join("folder", &format!("history-{number:03}.md"))?;
                let text = history_text(number, session, &history);
                files.push(self.plan_edit(plan, &path, Expect::Any, &|_| Ok(text.clone())).await?);
            }
            Ok(files)
        })
        .await
    }

    /// Syncs the index with the documents below `sources/`: new and changed ones are ingested, deleted ones are
    /// removed. Documents that the app ingested itself stay.
    pub async fn ingest_sources(&self) -> Result<SourceChanges, Error> {
        let mut files = Vec::new();
        for folder in SOURCES {
            files.extend(self.files(Some(&TreePath::new("folder", folder)?)).await?);
        }
        files.retain(|file| !file.text.trim().is_empty());
        let taken = self.ingested_files().await?;
        let (mut changes, mut sources) = (SourceChanges::default(), Vec::new());
        for file in &files {
            let source = file.path.as_str();
            if taken.iter().any(|(known, hash)| known == source && *hash == file.hash) {
                continue;
            }
            let options = IngestOptions {
                target_chars: PIECE_CHARS,
                metadata: Metadata::new("metadata", Json::object(vec![(FILE_HASH, file.hash.as_str().into())]))?,
                ..IngestOptions::default()
            };
            sources.push((source.to_owned(), self.pieces(source, &file.text, &options).await?));
            changes.added.push(source.to_owned());
        }
        for (source, _) in &taken {
            if files.iter().all(|file| file.path.as_str() != source) && !changes.removed.contains(source) {
                sources.push((source.clone(), Vec::new()));
                changes.removed.push(source.clone());
            }
        }
        if !sources.is_empty() {
            self.replace_sources(&sources).await?;
        }
        Ok(changes)
    }

    /// The ingested files, each with the hash of its ingested version.
    async fn ingested_files(&self) -> Result<Vec<(String, String)>, Error> {
        self.refresh().await?;
        self.load_shelf().await?;
        let ids: Vec<EntryId> = self.with_shelf(|shelf| {
            let of_a_file = |source: &str| SOURCES.iter().any(|folder| below(source, folder).is_some());
            let found = shelf.index.all().filter(|found| found.tags.contains(&SOURCE_TAG));
            found
                .filter(|found| found.source.is_some_and(of_a_file))
                .filter_map(|f| EntryId::new("id", f.id).ok())
                .collect()
        });
        let keys: Vec<Key> = ids.iter().map(|id| self.inner.keys.entry(id)).collect();
        let mut taken: Vec<(String, String)> = Vec::new();
        for bytes in self.fetch(Space::Records, &keys).await?.into_iter().flatten() {
            let entry = Record::decode(&bytes)?.entry;
            let version = entry.metadata.to_json().get(FILE_HASH).as_str().map(str::to_owned);
            if let (Some(source), Some(version)) = (entry.source, version) {
                let known = (source, version);
                if !taken.contains(&known) {
                    taken.push(known);
                }
            }
        }
        Ok(taken)
    }
}

/// Appends a line, to a new text if the file would become too large.
fn put_line(texts: &mut Vec<String>, line: &str) {
    if texts.last().is_some_and(|text| !text.is_empty() && text.len() + line.len() + 1 > MAX_FILE) {
        texts.push(String::new());
    }
    if let Some(text) = texts.last_mut() {
        text.push_str(line);
        text.push('\n');
    }
}

fn join(folder: Option<&TreePath>, path: &str) -> Result<TreePath, Invalid> {
    match folder {
        Some(folder) => folder.join("folder", path),
        None => TreePath::new("folder", path),
    }
}

/// A session's id as a file name. If it is not a valid one, a cleaned form and a hash are used.
fn file_name(id: &str) -> String {
    let kept = |c: char| if c.is_control() || matches!(c, '/' | '\\' | ':' | '%') { '_' } else { c };
    let name: String = id.chars().map(kept).take(100).collect();
    let is_name = name == id && TreePath::new("session", format!("{name}.jsonl")).is_ok();
    let hash = hex::encode(&hash(id.as_bytes()));
    if is_name { name } else { format!("{}-{}", name.trim_matches([' ', '.']), hash.get(..8).unwrap_or("")) }
}

/// A history as a file: metadata for programs, its number in the library, and its text.
fn history_text(number: usize, session: &SessionId, history: &History) -> String {
    let about = Json::object(vec![
        ("session", session.as_str().into()),
        ("history", u64::from(history.number).into()),
        ("messages", history.messages().into()),
        ("at", history.created_at.to_string().into()),
    ]);
    // `>` is escaped, so that nothing in it ends the comment.
    let about = about.to_string().replace('>', "\\u003e");
    format!("<!-- {about} -->\n\n# history-{number:03}\n\n{}\n", history.text.trim())
}

/// The number of a file in the library, and its history if it was written here.
type Numbered = (usize, Option<(String, u64)>);

fn numbered(file: &File) -> Option<Numbered> {
    let number = file.path.name().strip_prefix("history-")?.strip_suffix(".md")?.parse().ok()?;
    let about = || {
        let about = parse(file.text.lines().next()?.strip_prefix("<!-- ")?.strip_suffix(" -->")?).ok()?;
        let history = u64::try_from(about.get("history").as_i64()?).ok()?;
        Some((about.get("session").as_str()?.to_owned(), history))
    };
    Some((number, about()))
}
