//! A store in one file on the redb engine: it outlives the process, and a crash of it.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a door has the files and the threads of the operating system"
)]

mod database;
mod error;
mod writer;

pub use error::FileError;

use super::answer::promise;
use crate::store::{Key, KeyRange, Page, Revision, Space, Store, StoreError, WriteBatch};
use database::DatabaseFile;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use writer::Request;

/// The engine's limit for one value.
const MAX_VALUE: usize = 3 << 30;

/// A store in one file, for one process at a time and any number of users.
///
/// A commit that was acknowledged has been flushed to the disk, whether or not the caller asked for it: it outlives the
/// process, `SIGKILL` and a power loss. Commits that wait at the same time share one flush. They are written by a thread of
/// their own, so no executor is blocked; reads block for as long as the file system does.
///
/// Every memory gets a handle of its own by [`connect`](Self::connect).
///
/// ```
/// use keepsake::{FileStore, Memory};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("keepsake-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("agents.memory");
/// # futures::executor::block_on(async {
/// let store = FileStore::open(&path)?;
/// let hue = Memory::open(store.connect()?, "hue").await?;
/// let minh = Memory::open(store.connect()?, "minh").await?;
/// hue.add("Deploy keys rotate on Mondays").await?;
/// assert_eq!((hue.count().await?, minh.count().await?), (1, 0));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok(()) })
/// # }
/// ```
#[derive(Debug)]
pub struct FileStore {
    /// `None` once it is closed.
    shared: Mutex<Option<Arc<Shared>>>,
}

/// What all handles to an open file share.
#[derive(Debug)]
struct Shared {
    file: Arc<DatabaseFile>,
    /// `None` only while it is dropped.
    requests: Option<Sender<Request>>,
    writer: Option<JoinHandle<()>>,
}

impl FileStore {
    /// Opens the store in the file at `path`, or creates it. Its folder must exist.
    ///
    /// Blocks while it reads: for milliseconds, or after a crash for as long as it takes to read the file once.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let file = Arc::new(DatabaseFile::open(path)?);
        let (requests, waiting) = channel();
        let writer = thread::Builder::new().name("keepsake-file".into()).spawn({
            let file = Arc::clone(&file);
            move || writer::write(&file, &waiting)
        });
        let writer = writer.map_err(|error| FileError::io(path, error))?;
        let shared = Shared { file, requests: Some(requests), writer: Some(writer) };
        Ok(Self { shared: Mutex::new(Some(Arc::new(shared))) })
    }

    /// Another handle to the same file, open whether or not this one is closed later. The file is closed with the last one.
    pub fn connect(&self) -> Result<Self, FileError> {
        let shared = self.shared().map_err(|_| FileError::Closed)?;
        Ok(Self { shared: Mutex::new(Some(shared)) })
    }

    /// Writes the file anew without the room that deleted values have left, and without their bytes: a deleted text stays
    /// in the file until its place is used again, or until this.
    ///
    /// Writes wait meanwhile, and the folder needs room for a second file. If it fails, the file is as before.
    pub async fn compact(&self) -> Result<(), FileError> {
        let shared = self.shared().map_err(|_| FileError::Closed)?;
        let (promise, answer) = promise();
        shared.send(Request::Compact(promise));
        drop(shared);
        answer.await.unwrap_or(Err(FileError::Closed))
    }

    fn shared(&self) -> Result<Arc<Shared>, StoreError> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).clone().ok_or(StoreError::Closed)
    }
}

impl Shared {
    fn send(&self, request: Request) {
        // If the thread has died, the request is dropped with its promise, which answers it.
        if let Some(requests) = &self.requests {
            let _ = requests.send(request);
        }
    }
}

impl Drop for Shared {
    /// Waits for the writer, so that the file can be opened again as soon as the last handle is gone.
    fn drop(&mut self) {
        self.requests = None;
        if let Some(writer) = self.writer.take()
            && writer.thread().id() != thread::current().id()
        {
            let _ = writer.join();
        }
    }
}

impl Store for FileStore {
    async fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.shared()?.file.get(space, keys)
    }

    async fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        self.shared()?.file.scan(space, range, limit)
    }

    async fn commit(&self, batch: WriteBatch) -> Result<Revision, StoreError> {
        let (promise, answer) = promise();
        self.shared()?.send(Request::Commit(batch, promise));
        answer.await.unwrap_or_else(|| Err(StoreError::Failed("the thread that writes the file has ended".into())))
    }

    async fn close(&self) -> Result<(), StoreError> {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(shared);
        Ok(())
    }
}
