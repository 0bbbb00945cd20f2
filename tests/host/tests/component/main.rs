//! The component in wasmtime. One program for all of it, so that the component is compiled once.

mod collections;
mod compression;
mod contract;
mod dialog;
mod dialog_refused;
mod door;
mod embeddings;
mod files;
mod files_verbs;
mod fuel;
mod fuzz;
mod growth;
mod hooks;
mod hour;
mod interface;
mod isolation;
mod long_term;
mod scenarios;
mod storage_errors;
mod stores;
mod stores_verbs;
mod tools;
mod twin;
mod verbs;
mod writers;

use keepsake::memory::scripted::Scripted;
use keepsake_host::wit::{Changes, Draft, EntryWithContent, ListOptions, Query};
use keepsake_host::wit_dialog::{Block, BlockKind, ContextOptions, Message, Role};
use keepsake_host::{Instance, ResourceAny, Storage};

const NOW: i64 = 1_735_812_000_000;

const ALL: ListOptions = ListOptions { namespace: None, limit: None, after: None, as_of: None, include_past: false };

const NO_CHANGES: Changes = Changes {
    content: None,
    summary: None,
    namespace: None,
    tags: None,
    importance: None,
    source: None,
    metadata: None,
    ttl: None,
    valid_from: None,
    valid_until: None,
    trust: None,
    secrets: None,
    embedding: None,
};

/// A prompt of which everything but its size is left open.
const OPTIONS: ContextOptions = ContextOptions {
    query: None,
    budget: 2000,
    order: None,
    window: None,
    limit: None,
    system: None,
    embedding: None,
    task_type: None,
    agent: None,
    flow: None,
    min_trust: None,
};

fn scripted() -> Scripted {
    Scripted::new(NOW, 7)
}

fn draft(id: &str, content: &str) -> Draft {
    Draft {
        content: content.to_owned(),
        summary: None,
        id: Some(id.to_owned()),
        namespace: None,
        tags: Vec::new(),
        importance: None,
        source: None,
        metadata: None,
        key: None,
        ttl: None,
        session: None,
        agent: None,
        speaker: None,
        at: None,
        valid_from: None,
        valid_until: None,
        replaces: None,
        created_at: None,
        trust: None,
        duplicates: None,
        secrets: None,
        embedding: None,
    }
}

/// A search for `words` that leaves everything else open.
fn query(words: &str) -> Query {
    Query {
        query: words.to_owned(),
        ranking: None,
        limit: None,
        min_score: None,
        namespace: None,
        any_tag: Vec::new(),
        all_tags: Vec::new(),
        no_tag: Vec::new(),
        from: None,
        until: None,
        as_of: None,
        include_past: false,
        session: None,
        agent: None,
        source: None,
        metadata: Vec::new(),
        min_trust: None,
        include_content: None,
        explain: false,
        embedding: None,
    }
}

/// A message that says `text`.
fn said(role: Role, text: &str) -> Message {
    blocks(role, vec![BlockKind::Text(text.to_owned())])
}

/// A message of these blocks.
fn blocks(role: Role, kinds: Vec<BlockKind>) -> Message {
    let content = kinds.into_iter().map(|kind| Block { kind, extra: None }).collect();
    Message { id: None, role, name: None, content, at: None, pinned: false, metadata: None }
}

/// What a message says, if it is a text and nothing else.
fn text(message: &Message) -> &str {
    match message.content.as_slice() {
        [Block { kind: BlockKind::Text(text), .. }] => text,
        _ => "",
    }
}

/// A memory, and a session of it with so many messages of so many words each.
fn talk(storage: &Storage, messages: usize, words: usize) -> (Instance, ResourceAny, ResourceAny) {
    let (mut instance, memory) = opened(storage);
    let session = instance.session(memory, "s").unwrap().unwrap();
    for n in 0..messages {
        let role = if n % 2 == 0 { Role::User } else { Role::Assistant };
        let message = said(role, &format!("message {n} {}", "and some words ".repeat(words)));
        instance.append(session, &[message]).unwrap().unwrap();
    }
    (instance, memory, session)
}

/// An instance on `storage`, and the memory of the one user that most tests need.
fn opened(storage: &Storage) -> (Instance, ResourceAny) {
    let mut instance = Instance::new(storage, &scripted());
    let memory = instance.open("u-1").unwrap().unwrap();
    (instance, memory)
}

/// A storage with two entries to be seen: one whose summary says it all and that has an embedding, and one that has a
/// body and was changed; and with one that has expired.
fn prepared() -> Storage {
    let storage = Storage::default();
    let world = scripted();
    world.set_now(NOW - 1000);
    let mut instance = Instance::new(&storage, &world);
    let memory = instance.open("u-1").unwrap().unwrap();
    instance.add(memory, &Draft { ttl: Some(1000), ..draft("gone", "Back in a second") }).unwrap().unwrap();
    let about = |key: &str| Some(key.to_owned());
    let embedding = Some(vec![3.0, 4.0]);
    let short = Draft { key: about("keys"), embedding, ..draft("short", "Deploy keys rotate on Mondays") };
    instance.add(memory, &short).unwrap().unwrap();
    let minutes = "All the minutes of the meeting. ".repeat(100);
    instance.add(memory, &Draft { key: about("meeting"), ..draft("long", &minutes) }).unwrap().unwrap();
    let changes = Changes { content: Some(format!("{minutes}And what came after.")), ..NO_CHANGES };
    instance.update(memory, "long", &changes).unwrap().unwrap();
    storage
}

/// Every entry with its content, newest first, as an instance that has just begun sees it. Panics if there is anything
/// that it cannot read, be it of the past.
fn everything(storage: &Storage) -> Vec<EntryWithContent> {
    let (mut instance, memory) = opened(storage);
    let entries = instance.list(memory, &ALL).unwrap().unwrap();
    for entry in &entries {
        let history = instance.history(memory, &entry.id).unwrap().unwrap();
        let versions: Vec<u32> = history.iter().map(|found| found.entry.version).collect();
        assert_eq!(versions, (1..entry.version).collect::<Vec<_>>(), "the whole history of {}", entry.id);
    }
    let mut whole = |id: &str| instance.get(memory, id).unwrap().unwrap().expect("a listed entry can be read");
    let all: Vec<_> = entries.iter().map(|entry| whole(&entry.id)).collect();
    let heads: Vec<_> = all.iter().map(|found| found.entry.clone()).collect();
    assert_eq!(heads, entries, "the list and the entries agree");
    all
}
