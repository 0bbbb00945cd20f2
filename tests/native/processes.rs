//! Two processes and one file, and a process that has no room left.

use super::child;
use super::file::{draft, open};
use super::folder::Folder;
use futures::executor::block_on;
use keepsake::ErrorCode;
use keepsake::memory::ListOptions;
use keepsake::native::{FileError, FileStore};
use std::path::Path;

#[test]
fn a_second_process_is_refused_until_the_first_has_ended() {
    if let Some((_, file)) = child::part() {
        let memory = block_on(open(FileStore::open(file).unwrap(), "u-1"));
        block_on(memory.add(draft("the first process was here"))).unwrap();
        child::say("open");
        // Until it is killed.
        std::io::stdin().read_line(&mut String::new()).unwrap();
        return;
    }
    let folder = Folder::new();
    let path = folder.file("memory");
    let mut first =
        child::start(&[], "processes::a_second_process_is_refused_until_the_first_has_ended", "first", &path);
    assert_eq!(child::said(&mut first).next().unwrap(), "open");
    for _ in 0..3 {
        let refused = FileStore::open(&path).unwrap_err();
        assert!(matches!(&refused, FileError::InUse { path: named } if *named == path), "{refused:?}");
        assert!(refused.to_string().contains("one process at a time can use a file. Close it there"), "{refused}");
    }
    first.kill().unwrap();
    first.wait().unwrap();
    block_on(async {
        let memory = open(FileStore::open(&path).unwrap(), "u-1").await;
        let entries = memory.list(&ListOptions::default()).await.unwrap();
        assert_eq!(entries[0].summary, "the first process was here");
    });
}

/// F8: the limit for files of a process stands for a full disk; `sh` sets it for the child.
#[cfg(unix)]
#[test]
fn f8_a_full_disk_is_an_error_and_what_was_acknowledged_stays() {
    if let Some((_, file)) = child::part() {
        return block_on(fill(&file));
    }
    let folder = Folder::new();
    let path = folder.file("memory");
    // Without the trap, the process would be ended by a signal in the place of the error.
    let limited = ["sh", "-c", "trap '' XFSZ; ulimit -f 12000; exec \"$0\" \"$@\""];
    let test = "processes::f8_a_full_disk_is_an_error_and_what_was_acknowledged_stays";
    let mut child = child::start(&limited, test, "full", &path);
    let said: Vec<String> = child::said(&mut child).collect();
    assert!(child.wait().unwrap().success(), "{said:?}");
    let [acknowledged, rest] = &said[..] else { panic!("{said:?}") };
    println!("{acknowledged}, {rest}");
    let rest: usize = rest.parse().unwrap();
    block_on(async {
        // Without the limit it goes on.
        let memory = open(FileStore::open(&path).unwrap(), "u-1").await;
        memory.add(draft("there is room again")).await.unwrap();
        let entries = memory.list(&ListOptions { limit: Some(100_000), ..ListOptions::default() }).await.unwrap();
        assert_eq!(entries.len(), rest + 1);
        for entry in entries {
            memory.get(&entry.id).await.unwrap().unwrap();
        }
        assert_eq!(memory.verify(false).await.unwrap().problems, []);
    });
}

/// The child: writes until there is no room, and says how many entries it has, then and after it has deleted some.
#[cfg(unix)]
async fn fill(file: &Path) {
    let memory = open(FileStore::open(file).unwrap(), "u-1").await;
    let long = |at: usize| draft(&format!("{at} {}", "room ".repeat(20_000)));
    let mut ids = Vec::new();
    let refused = loop {
        match memory.add(long(ids.len())).await {
            Ok(entry) => ids.push(entry.id),
            Err(error) => break error,
        }
    };
    assert_eq!(refused.code(), ErrorCode::QuotaExceeded, "{refused}");
    // It says so again, reads go on, and so do deletes.
    assert_eq!(memory.add(long(0)).await.unwrap_err().code(), ErrorCode::QuotaExceeded);
    for (at, id) in ids.iter().enumerate() {
        assert!(memory.get(id).await.unwrap().unwrap().1.starts_with(&format!("{at} ")));
    }
    child::say(&ids.len().to_string());
    for id in ids.drain(..ids.len() / 2) {
        memory.delete(&id).await.unwrap();
    }
    let entry = memory.add(long(7)).await.unwrap();
    assert!(memory.get(&entry.id).await.unwrap().is_some());
    child::say(&(ids.len() + 1).to_string());
}
