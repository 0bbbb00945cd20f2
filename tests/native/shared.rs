//! The handle for async servers: overlapping calls from many tasks, dropped calls, panics, closing.

use super::folder::Folder;
use keepsake::{CallError, Error, ErrorCode, FileStore, MemStore, Memory, MemoryThread, Role, SharedMemory};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

type Shared = SharedMemory<FileStore>;

async fn open(thread: &MemoryThread, store: &FileStore, user: &str) -> Shared {
    let (store, user) = (store.connect().unwrap(), user.to_owned());
    thread.open(|| Memory::open(store, user)).await.unwrap()
}

async fn contents(memory: &Shared) -> Vec<String> {
    let entries = memory.try_run(|memory| memory.list()).await.unwrap();
    entries.into_iter().map(|entry| entry.summary).collect()
}

#[test]
fn handles_may_go_to_any_thread() {
    fn any_thread<T: Clone + Send + Sync + 'static>() {}
    any_thread::<MemoryThread>();
    any_thread::<Shared>();
    // Whatever the memory itself is made of.
    any_thread::<SharedMemory<std::rc::Rc<MemStore>, std::rc::Rc<()>>>();
    fn sent<T: Send>(future: T) -> T {
        future
    }
    _ = |memory: Shared| sent(async move { memory.close().await });
    _ = |memory: Shared| sent(async move { memory.run(|memory| async move { memory.revision() }).await });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn f17_f25_overlapping_calls_of_many_tasks_lose_nothing() {
    let folder = Folder::new();
    let store = FileStore::open(folder.file("memory")).unwrap();
    let thread = MemoryThread::start().unwrap();
    let users = [open(&thread, &store, "u-1").await, open(&thread, &store, "u-2").await];
    let start = Arc::new(Barrier::new(80));
    let mut tasks = JoinSet::new();
    for task in 0..80 {
        let (memory, start) = (users[task % 2].clone(), Arc::clone(&start));
        tasks.spawn(async move {
            start.wait().await;
            for at in 0..5 {
                memory.try_run(move |memory| memory.add(format!("task {task} adds {at}"))).await.unwrap();
                let text = format!("task {task} says {at}");
                memory.try_run(|memory| memory.session("s").append(Role::User, text)).await.unwrap();
                let query = format!("task {task} adds {at}");
                let hits = memory.try_run(|memory| memory.search(query)).await.unwrap();
                assert!(!hits.is_empty(), "task {task} does not find what it has added");
            }
        });
    }
    tasks.join_all().await;
    for (at, memory) in users.iter().enumerate() {
        let mut seen = contents(memory).await;
        seen.sort();
        let mut wanted: Vec<String> = (0..80)
            .filter(|task| task % 2 == at)
            .flat_map(|task| (0..5).map(move |at| format!("task {task} adds {at}")))
            .collect();
        wanted.sort();
        assert_eq!(seen, wanted);
        let said = memory.try_run(|memory| memory.session("s").messages().limit(1_000)).await.unwrap();
        assert_eq!(said.total, 200);
        let verified = memory.try_run(|memory| memory.verify()).await.unwrap();
        assert_eq!(verified.problems, []);
        memory.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_has_no_effect_or_all_of_it() {
    let folder = Folder::new();
    let store = FileStore::open(folder.file("memory")).unwrap();
    let memory = open(&MemoryThread::start().unwrap(), &store, "u-1").await;
    let two = |name: &'static str| {
        memory.try_run(move |memory| async move {
            memory.add(format!("{name}, first")).await?;
            // A call is dropped here if it is dropped anywhere in the middle.
            tokio::task::yield_now().await;
            memory.add(format!("{name}, second")).await
        })
    };
    drop(two("never polled"));
    for round in 0..50 {
        let name: &'static str = format!("round {round}").leak();
        let _ = tokio::time::timeout(Duration::from_micros(round * 100), two(name)).await;
    }
    two("the last").await.unwrap();
    // Those that had begun are at their end when the memory is closed.
    memory.close().await.unwrap();
    let memory = open(&MemoryThread::start().unwrap(), &store, "u-1").await;
    let seen = contents(&memory).await;
    assert!(!seen.iter().any(|summary| summary.starts_with("never")), "{seen:?}");
    assert_eq!(seen.iter().filter(|summary| summary.starts_with("the last")).count(), 2);
    for round in 0..50 {
        let count = seen.iter().filter(|summary| summary.starts_with(&format!("round {round},"))).count();
        assert!(count == 0 || count == 2, "round {round} has {count} of its entries");
    }
}

#[tokio::test]
async fn a_call_that_was_dropped_before_it_began_never_begins() {
    let thread = MemoryThread::start().unwrap();
    let memory = thread.open(|| Memory::open(MemStore::new(), "u")).await.unwrap();
    // The thread is kept busy, so that nothing else begins.
    let (entered, wait) = std::sync::mpsc::channel();
    let (go, leave) = std::sync::mpsc::channel::<()>();
    let busy = tokio::spawn({
        let memory = memory.clone();
        async move {
            memory.run(move |_| async move { (entered.send(()).unwrap(), leave.recv().unwrap()) }).await.map(|_| ())
        }
    });
    tokio::task::spawn_blocking(move || wait.recv().unwrap()).await.unwrap();
    let began = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&began);
    let call = memory.run(move |_| async move { flag.store(true, Ordering::SeqCst) });
    assert!(tokio::time::timeout(Duration::from_millis(5), call).await.is_err());
    go.send(()).unwrap();
    busy.await.unwrap().unwrap();
    assert_eq!(memory.run(|memory| async move { memory.revision() }).await, Ok(0));
    assert!(!began.load(Ordering::SeqCst));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_panic_reaches_its_caller_and_nobody_else() {
    let folder = Folder::new();
    let store = FileStore::open(folder.file("memory")).unwrap();
    let thread = MemoryThread::start().unwrap();
    let memory = open(&thread, &store, "u-1").await;
    let mut tasks = JoinSet::new();
    for task in 0..20 {
        let memory = memory.clone();
        tasks.spawn(async move {
            let call = memory.try_run(move |memory| async move {
                let entry = memory.add(format!("task {task}")).await?;
                assert!(task % 4 != 0, "task {task} panics on purpose");
                Ok(entry)
            });
            (task, call.await)
        });
    }
    for (task, result) in tasks.join_all().await {
        match result {
            Err(error) => assert_eq!((task % 4, error), (0, CallError::Panicked)),
            Ok(_) => assert_ne!(task % 4, 0),
        }
    }
    // Before its first await, and while it opens.
    let panicked = memory.run(|_| -> std::future::Ready<()> { panic!("at once, on purpose") }).await;
    assert_eq!(panicked, Err(CallError::Panicked));
    let opened = thread.open(|| async { panic!("while it opens, on purpose") });
    let opened: Result<Shared, _> = opened.await;
    assert_eq!(opened.unwrap_err(), CallError::Panicked);
    assert_eq!(contents(&memory).await.len(), 20);
    memory.close().await.unwrap();
}

#[tokio::test]
async fn closing_waits_for_what_has_begun_and_refuses_what_comes_later() {
    let folder = Folder::new();
    let store = FileStore::open(folder.file("memory")).unwrap();
    let memory = open(&MemoryThread::start().unwrap(), &store, "u-1").await;
    let added = Arc::new(AtomicU32::new(0));
    let adds: Vec<_> = (0..10)
        .map(|at| {
            let (memory, added) = (memory.clone(), Arc::clone(&added));
            tokio::spawn(async move {
                let add = memory.try_run(move |memory| async move {
                    for part in 0..5 {
                        memory.add(format!("{at}: {part}")).await?;
                    }
                    Ok(())
                });
                match add.await {
                    Ok(()) => drop(added.fetch_add(5, Ordering::SeqCst)),
                    Err(error) => assert_eq!(error, CallError::Closed),
                }
            })
        })
        .collect();
    tokio::task::yield_now().await;
    let other = memory.clone();
    let (first, second) = tokio::join!(memory.close(), other.close());
    assert_eq!((first, second), (Ok(()), Ok(())));
    assert_eq!(memory.close().await, Ok(()));
    assert_eq!(memory.run(|memory| async move { memory.revision() }).await, Err(CallError::Closed));
    for add in adds {
        add.await.unwrap();
    }
    let memory = open(&MemoryThread::start().unwrap(), &store, "u-1").await;
    assert_eq!(contents(&memory).await.len(), added.load(Ordering::SeqCst) as usize);
}

#[tokio::test]
async fn the_file_is_free_when_every_handle_is_gone() {
    let folder = Folder::new();
    let path = folder.file("memory");
    for _ in 0..3 {
        let store = FileStore::open(&path).unwrap();
        let memory = open(&MemoryThread::start().unwrap(), &store, "u-1").await;
        drop(store);
        memory.try_run(|memory| memory.add("a note")).await.unwrap();
        memory.close().await.unwrap();
    }
    let store = FileStore::open(&path).unwrap();
    let memory = open(&MemoryThread::start().unwrap(), &store, "u-1").await;
    assert_eq!(contents(&memory).await.len(), 3);
}

#[tokio::test]
async fn errors_of_the_memory_come_through_with_their_code() {
    let thread = MemoryThread::start().unwrap();
    let memory = thread.open(|| Memory::open(MemStore::new(), "u")).await.unwrap();
    let refused = memory.try_run(|memory| memory.add("")).await.unwrap_err();
    let CallError::Memory(error) = &refused else { panic!("{refused:?}") };
    assert_eq!(error.code(), ErrorCode::InvalidInput);
    assert!(std::error::Error::source(&refused).unwrap().is::<Error>());
}
