//! The engine behind a [`FileStore`](super::FileStore): its tables, how they are opened, read, written and rewritten.

use super::error::{FileError, Panicked, damaged, failed};
use crate::store::{Key, KeyRange, Op, Page, Revision, Space, StoreError, WriteBatch};
use redb::{Builder, Database, ReadableDatabase, ReadableTable, TableDefinition, TableError, TableHandle};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

type Table = TableDefinition<'static, &'static [u8], &'static [u8]>;

type OpenTable<'t> = redb::Table<'t, &'static [u8], &'static [u8]>;

/// One table for each space, in the order of `Space::ALL`.
const TABLES: [Table; Space::ALL.len()] = [
    TableDefinition::new(Space::Meta.name()),
    TableDefinition::new(Space::Records.name()),
    TableDefinition::new(Space::Bodies.name()),
    TableDefinition::new(Space::Log.name()),
    TableDefinition::new(Space::Index.name()),
];

/// Says that the file is ours, and how its tables are laid out.
const ABOUT: TableDefinition<'static, &'static str, u32> = TableDefinition::new("keepsake");
const SCHEMA_KEY: &str = "schema";
const SCHEMA: u32 = 1;

/// The engine's page cache. Its default of a gigabyte is meant for a server of databases.
const CACHE_BYTES: usize = 64 << 20;

/// A file that the engine was creating when its process ended is not larger than this, and holds zeros after the header.
const UNFINISHED_BYTES: u64 = 16 << 20;
/// The engine writes its magic number last, once the rest of a new file is on the disk.
const MAGIC_BYTES: usize = 9;
const HEADER_BYTES: usize = 4096;

/// An open file. Writes are the writer's alone; reads may come from any thread.
#[derive(Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    /// `None` while it could not be opened again after a failure.
    database: RwLock<Option<Database>>,
}

impl DatabaseFile {
    pub(super) fn open(path: &Path) -> Result<Self, FileError> {
        let database = opened(path)?;
        // The working directory may change before the file is opened again.
        let path = fs::canonicalize(path).map_err(|error| FileError::io(path, error))?;
        Ok(Self { path, database: RwLock::new(Some(database)) })
    }

    fn read(&self) -> RwLockReadGuard<'_, Option<Database>> {
        // What it guards is replaced by one assignment, so a panic leaves nothing half done.
        self.database.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<Database>> {
        self.database.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, work: impl FnOnce(&Database) -> Result<T, StoreError>) -> Result<T, StoreError> {
        if self.read().is_none() {
            self.open_again()?;
        }
        let (result, has_failed) = match &*self.read() {
            Some(database) => {
                let result = guarded(|| work(database)).unwrap_or_else(|Panicked| Err(damaged()));
                // After an error of the disk the engine refuses everything until its file is opened again.
                let has_failed = !matches!(result, Ok(_) | Err(StoreError::Conflict { .. }))
                    && guarded(|| database.begin_write().is_err()).unwrap_or(true);
                (result, has_failed)
            }
            None => return Err(StoreError::Unavailable("the file could not be opened again after a failure".into())),
        };
        if has_failed {
            // The error of the work says more than one of this, which the next call will get.
            let _ = self.open_again();
        }
        result
    }

    fn open_again(&self) -> Result<(), FileError> {
        let mut database = self.write();
        // Its lock has to go first.
        let old = database.take();
        let _ = guarded(|| drop(old));
        *database = Some(opened(&self.path)?);
        Ok(())
    }

    /// Writes everything into a new file, which then takes the place of the old one.
    pub(super) fn compact(&self) -> Result<(), FileError> {
        let mut path = self.path.clone().into_os_string();
        path.push(".new");
        let path = PathBuf::from(path);
        let compacted = self.copied(&path).and_then(|database| {
            fs::rename(&path, &self.path).map_err(|error| FileError::io(&self.path, error))?;
            *self.write() = Some(database);
            Ok(())
        });
        if compacted.is_err() {
            let _ = fs::remove_file(&path);
        }
        compacted?;
        flush_folder(&self.path).map_err(|error| FileError::io(&self.path, error))
    }

    fn copied(&self, path: &Path) -> Result<Database, FileError> {
        let io = |error| FileError::io(path, error);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path).map_err(io)?;
        let permissions = fs::metadata(&self.path).map_err(io)?.permissions();
        file.set_permissions(permissions).map_err(io)?;
        let copy = builder().create_file(file).map_err(|error| FileError::engine(path, error))?;
        match &*self.read() {
            Some(database) => match guarded(|| copy_tables(database, &copy)) {
                Ok(copied) => copied.map_err(|error| FileError::engine(&self.path, error))?,
                Err(panicked) => return Err(FileError::Damaged { path: self.path.clone(), source: panicked.into() }),
            },
            None => return Err(FileError::Closed),
        }
        Ok(copy)
    }

    pub(super) fn get(&self, space: Space, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        self.with(|database| {
            let table = database.begin_read().map_err(failed)?.open_table(TABLES[space as usize]).map_err(failed)?;
            let value = |key: &Key| table.get(key.as_bytes()).map(|found| found.map(|value| value.value().to_vec()));
            keys.iter().map(|key| value(key).map_err(failed)).collect()
        })
    }

    pub(super) fn scan(&self, space: Space, range: &KeyRange, limit: usize) -> Result<Page, StoreError> {
        if range.is_empty() {
            return Ok(Page::default());
        }
        self.with(|database| {
            let table = database.begin_read().map_err(failed)?.open_table(TABLES[space as usize]).map_err(failed)?;
            let mut page = Page::default();
            for item in table.range::<&[u8]>(bounds(range)).map_err(failed)? {
                let (key, value) = item.map_err(failed)?;
                let key = Key::from_bytes(key.value().to_vec());
                if page.items.len() == limit {
                    page.next = Some(key);
                    break;
                }
                page.items.push((key, value.value().to_vec()));
            }
            Ok(page)
        })
    }

    /// Commits these batches together, and answers each: one that conflicts changes nothing and does not harm the others.
    /// If the transaction as a whole fails, none of them was written.
    pub(super) fn commit(&self, batches: &[WriteBatch]) -> Result<Vec<Result<Revision, StoreError>>, StoreError> {
        self.with(|database| {
            let mut transaction = database.begin_write().map_err(failed)?;
            // Both durabilities of the seam are this one. A commit without it is lost if the process is killed, and the
            // seam's weaker one promises to survive that.
            transaction.set_durability(redb::Durability::Immediate).map_err(failed)?;
            let tables = TABLES.iter().map(|table| transaction.open_table(*table));
            let mut tables = tables.collect::<Result<Vec<OpenTable<'_>>, _>>().map_err(failed)?;
            let revisions = batches
                .iter()
                .map(|batch| match apply(&mut tables, batch) {
                    Err(conflict @ StoreError::Conflict { .. }) => Ok(Err(conflict)),
                    Err(error) => Err(error),
                    Ok(revision) => Ok(Ok(revision)),
                })
                .collect::<Result<Vec<_>, _>>()?;
            drop(tables);
            transaction.commit().map_err(failed)?;
            Ok(revisions)
        })
    }
}

/// Applies a batch, unless it conflicts with what is in the tables.
fn apply(tables: &mut [OpenTable<'_>], batch: &WriteBatch) -> Result<Revision, StoreError> {
    let guard = batch.guard.as_bytes();
    let current = tables[Space::Meta as usize].get(guard).map_err(failed)?.map(|value| value.value().to_vec());
    let current = Revision::from_bytes(current.as_deref())?;
    if current != batch.base {
        return Err(StoreError::Conflict { current });
    }
    for op in &batch.ops {
        let table = &mut tables[op.space() as usize];
        match op {
            Op::Put(_, key, value) | Op::Add(_, key, value) => {
                table.insert(key.as_bytes(), value.as_slice()).map(drop).map_err(failed)?;
            }
            Op::Delete(_, key) => table.remove(key.as_bytes()).map(drop).map_err(failed)?,
            Op::DeleteRange(_, range) if range.is_empty() => {}
            Op::DeleteRange(_, range) => {
                table.retain_in::<&[u8], _>(bounds(range), |_, _| false).map_err(failed)?;
            }
        }
    }
    let next = batch.base.next();
    tables[Space::Meta as usize].insert(guard, next.to_bytes().as_slice()).map_err(failed)?;
    Ok(next)
}

fn bounds(range: &KeyRange) -> (Bound<&[u8]>, Bound<&[u8]>) {
    let end = range.end.as_ref().map_or(Bound::Unbounded, |end| Bound::Excluded(end.as_bytes()));
    (Bound::Included(range.start.as_bytes()), end)
}

/// The engine checks a page when it opens a file after a crash, not whenever it reads one: a page that the disk has damaged
/// can make it panic.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    // After a panic the engine's file is opened again, so nothing that it left half done is used.
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Panicked)
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

/// Opens or creates a file, and sees that it is one of ours.
fn opened(path: &Path) -> Result<Database, FileError> {
    let io = |error| FileError::io(path, error);
    let engine = |error: redb::Error| FileError::engine(path, error);
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
    begin_again_if_unfinished(&mut file, path)?;
    let known = guarded(|| {
        let database = builder().create_file(file).map_err(|error| engine(error.into()))?;
        match found_schema(&database).map_err(engine)? {
            Found::Schema(SCHEMA) => Ok(database),
            Found::Schema(found) => Err(FileError::Newer { path: path.to_owned(), found, known: SCHEMA }),
            Found::Foreign => Err(FileError::Foreign { path: path.to_owned() }),
            Found::Nothing => {
                create_tables(&database).map_err(engine)?;
                Ok(database)
            }
        }
    });
    known.unwrap_or_else(|panicked| Err(FileError::Damaged { path: path.to_owned(), source: panicked.into() }))
}

enum Found {
    Schema(u32),
    /// A new file, or one whose creation was cut off before its tables.
    Nothing,
    /// A file of the engine, but with the tables of another program.
    Foreign,
}

fn found_schema(database: &Database) -> Result<Found, redb::Error> {
    let transaction = database.begin_read()?;
    let mut names = transaction.list_tables()?;
    if !names.any(|table| table.name() == ABOUT.name()) {
        let is_empty =
            transaction.list_tables()?.next().is_none() && transaction.list_multimap_tables()?.next().is_none();
        return Ok(if is_empty { Found::Nothing } else { Found::Foreign });
    }
    match transaction.open_table(ABOUT) {
        Ok(about) => Ok(about.get(SCHEMA_KEY)?.map_or(Found::Foreign, |schema| Found::Schema(schema.value()))),
        Err(TableError::TableTypeMismatch { .. } | TableError::TableIsMultimap(_)) => Ok(Found::Foreign),
        Err(error) => Err(error.into()),
    }
}

fn copy_tables(from: &Database, to: &Database) -> Result<(), redb::Error> {
    create_tables(to)?;
    let old = from.begin_read()?;
    let new = to.begin_write()?;
    for table in TABLES {
        let mut written = new.open_table(table)?;
        for item in old.open_table(table)?.iter()? {
            let (key, value) = item?;
            written.insert(key.value(), value.value())?;
        }
    }
    Ok(new.commit()?)
}

/// Makes a rename durable. Windows has no such operation, and needs none.
fn flush_folder(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

fn create_tables(database: &Database) -> Result<(), redb::Error> {
    let transaction = database.begin_write()?;
    for table in TABLES {
        transaction.open_table(table)?;
    }
    transaction.open_table(ABOUT)?.insert(SCHEMA_KEY, SCHEMA)?;
    Ok(transaction.commit()?)
}

/// A process that was killed while it created the file leaves zeros without the engine's magic number, which the engine
/// refuses. Nothing was stored in such a file, so it is emptied.
fn begin_again_if_unfinished(file: &mut File, path: &Path) -> Result<(), FileError> {
    let io = |error| FileError::io(path, error);
    let length = file.metadata().map_err(io)?.len();
    if !(HEADER_BYTES as u64..=UNFINISHED_BYTES).contains(&length) {
        return Ok(());
    }
    let mut magic = [0; MAGIC_BYTES];
    file.read_exact(&mut magic).map_err(io)?;
    if magic != [0; MAGIC_BYTES] {
        return Ok(());
    }
    // Under a lock, because another process may be creating the file at this moment.
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(FileError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => return Err(io(error)),
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes)).map_err(io)?;
    let is_unfinished = bytes[..MAGIC_BYTES] == magic && bytes[HEADER_BYTES..].iter().all(|byte| *byte == 0);
    if is_unfinished {
        file.set_len(0).map_err(io)?;
    }
    file.unlock().map_err(io)
}
