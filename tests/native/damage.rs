//! Files that are foreign, cut off, flipped, or of another version: an error each, or the right answers; never a panic.

use super::file::{draft, open};
use super::folder::Folder;
use futures::executor::block_on;
use keepsake::memory::{ListOptions, Memory};
use keepsake::model::UserId;
use keepsake::native::{FileError, FileStore, SystemEnv};
use keepsake::{Config, Error, ErrorCode};
use redb::{Database, TableDefinition};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

const ABOUT: TableDefinition<'_, &str, u32> = TableDefinition::new("keepsake");

#[test]
fn a_foreign_file_is_refused_and_left_as_it_is() {
    let folder = Folder::new();
    let path = folder.file("notes");
    for bytes in
        [b"a shopping list".to_vec(), vec![b'x'; 100_000], vec![0; 100], [vec![0; 9], vec![7; 100_000]].concat()]
    {
        fs::write(&path, &bytes).unwrap();
        let error = FileStore::open(&path).unwrap_err();
        assert!(matches!(error, FileError::Foreign { .. }), "{error:?}");
        assert!(fs::read(&path).unwrap() == bytes, "it was changed");
    }
}

#[test]
fn a_database_of_another_program_is_refused() {
    let folder = Folder::new();
    let path = folder.file("other");
    let database = Database::create(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    transaction.open_table(TableDefinition::<&str, &str>::new("records")).unwrap().insert("a", "b").unwrap();
    transaction.commit().unwrap();
    drop(database);
    assert!(matches!(FileStore::open(&path).unwrap_err(), FileError::Foreign { .. }));
}

#[test]
fn f41_a_newer_schema_is_refused_with_that_reason() {
    let folder = Folder::new();
    let path = folder.file("memory");
    drop(FileStore::open(&path).unwrap());
    let database = Database::create(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    transaction.open_table(ABOUT).unwrap().insert("schema", 7).unwrap();
    transaction.commit().unwrap();
    drop(database);
    let error = FileStore::open(&path).unwrap_err();
    assert!(matches!(error, FileError::Newer { found: 7, known: 1, .. }), "{error:?}");
    assert_eq!(Error::from(error).code(), ErrorCode::NewerVersion);
}

/// A process that was killed while it created the file left any beginning of what the engine writes first.
#[test]
fn f20_a_file_whose_creation_was_cut_off_is_begun_again() {
    let folder = Folder::new();
    let path = folder.file("memory");
    let database = Database::create(&path).unwrap();
    drop(database);
    let created = fs::read(&path).unwrap();
    for (header, length) in [(0, created.len()), (320, created.len()), (0, 4096), (0, 0)] {
        let mut bytes = vec![0; length];
        bytes[..header].copy_from_slice(&created[..header]);
        // The magic number comes last.
        bytes.iter_mut().take(9).for_each(|byte| *byte = 0);
        fs::write(&path, bytes).unwrap();
        let memory = block_on(open(FileStore::open(&path).unwrap(), "u-1"));
        block_on(memory.add(draft("the first one"))).unwrap();
    }
    // The engine had finished, and our tables were not there yet.
    fs::write(&path, &created).unwrap();
    block_on(async {
        let memory = open(FileStore::open(&path).unwrap(), "u-1").await;
        memory.add(draft("the first one")).await.unwrap();
    });
}

/// Whatever was flipped or cut: the file is refused, a call fails, `verify` names the problem, or everything is there.
#[test]
fn f40_a_damaged_file_is_an_error_or_right_and_never_a_panic() {
    let folder = Folder::new();
    let path = folder.file("memory");
    let texts: Vec<String> = (0..40).map(|at| format!("sentence {at} {}", "and on ".repeat(at * 20))).collect();
    block_on(async {
        let memory = open(FileStore::open(&path).unwrap(), "u-1").await;
        for text in &texts {
            memory.add(draft(text)).await.unwrap();
        }
    });
    let whole = fs::read(&path).unwrap();
    // The engine sets most of a new file aside; damage there would be no damage.
    let used: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] != 0).collect();
    let mut outcomes = [0; 3];
    let mut try_one = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).unwrap();
        let outcome = catch_unwind(AssertUnwindSafe(|| block_on(read(&path, &texts))));
        let outcome = outcome.unwrap_or_else(|_| panic!("{what}: it panicked"));
        outcomes[outcome.unwrap_or_else(|wrong| panic!("{what}: {wrong}"))] += 1;
    };
    for flip in 0..80 {
        let at = used[flip * used.len() / 80];
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (flip % 8);
        try_one(&bytes, &format!("bit {} of byte {at}", flip % 8));
    }
    for cut in 0..16 {
        let length = whole.len() * cut / 16;
        try_one(&whole[..length], &format!("cut to {length} bytes"));
    }
    println!("refused {}, reported {}, whole {}", outcomes[0], outcomes[1], outcomes[2]);
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
}

/// 0 if the file is refused, 1 if the damage is reported, 2 if everything is there.
async fn read(path: &std::path::Path, texts: &[String]) -> Result<usize, String> {
    let Ok(store) = FileStore::open(path) else { return Ok(0) };
    let user = UserId::new("user", "u-1").unwrap();
    let Ok(memory) = Memory::open(store, SystemEnv, user, Config::default()).await else { return Ok(1) };
    let Ok(entries) = memory.list(&ListOptions::default()).await else { return Ok(1) };
    // A file that was cut to nothing is a new one.
    if entries.is_empty() && memory.revision() == 0 {
        return Ok(0);
    }
    for entry in &entries {
        match memory.get(&entry.id).await {
            Ok(Some((_, content))) if texts.contains(&content) => {}
            Ok(_) => return Err("a wrong content".into()),
            Err(_) => return Ok(1),
        }
    }
    // The engine does not find a key of which a bit was flipped; the log does.
    match memory.verify(false).await {
        Ok(found) if found.problems.is_empty() && entries.len() != texts.len() => {
            Err(format!("{} entries, and no problem", entries.len()))
        }
        Ok(found) if found.problems.is_empty() && memory.add(draft("one more")).await.is_ok() => Ok(2),
        _ => Ok(1),
    }
}
