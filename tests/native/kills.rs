//! A program that is killed with SIGKILL while it writes. After each kill everything acknowledged is there, and nothing by
//! halves. `KEEPSAKE_KILLS=100 cargo test --test native kills -- --nocapture` does it so often, and prints figures.

use super::child;
use super::file::open;
use super::folder::Folder;
use futures::executor::block_on;
use futures::future::join_all;
use keepsake::memory::ListOptions;
use keepsake::model::{Block, Draft, EntryId, MessageDraft, Role, SessionId};
use keepsake::native::FileStore;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const TEST: &str = "kills::f20_everything_acknowledged_outlives_sigkill";
const USERS: usize = 2;
/// Writes under way at the same time, of each user.
const LANES: usize = 3;
/// A file is killed so often, then a new one is begun.
const KILLS_OF_A_FILE: usize = 10;

#[test]
fn f20_everything_acknowledged_outlives_sigkill() {
    if let Some((round, file)) = child::part() {
        return block_on(write(round.parse().unwrap(), &file));
    }
    let kills = std::env::var("KEEPSAKE_KILLS").map_or(10, |kills| kills.parse().unwrap());
    let begun = Instant::now();
    let mut dice = 7u64;
    let mut figures = Figures::default();
    let mut done = 0;
    while done < kills {
        let folder = Folder::new();
        let mut acknowledged = BTreeSet::new();
        for round in 0..KILLS_OF_A_FILE.min(kills - done) {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            kill_in_the_middle(round, dice >> 33, &folder.file("memory"), &mut acknowledged);
            figures.add(block_on(check(&folder.file("memory"), &acknowledged)));
            done += 1;
        }
        figures.acknowledged += acknowledged.len();
    }
    println!("{done} kills in {} s: {figures:?}", begun.elapsed().as_secs());
    assert!(figures.acknowledged > 10 * kills, "{figures:?}");
}

#[derive(Debug, Default)]
struct Figures {
    /// Writes that were acknowledged before their process was killed. Each is one entry, or messages appended together.
    acknowledged: usize,
    /// How often one was read back, after this kill and those that followed.
    read_again: usize,
    /// Writes that are there although the acknowledgement did not come.
    without_an_answer: usize,
}

impl Figures {
    fn add(&mut self, (there, without_an_answer): (usize, usize)) {
        self.read_again += there;
        self.without_an_answer += without_an_answer;
    }
}

/// One write: its number in its lane tells all about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Write {
    user: usize,
    lane: usize,
    round: usize,
    number: usize,
}

impl Write {
    fn parse(line: &str) -> Self {
        let parts: Vec<usize> = line.split(' ').map(|part| part.parse().unwrap()).collect();
        let [user, lane, round, number] = parts[..] else { panic!("{line}") };
        Self { user, lane, round, number }
    }

    fn line(self) -> String {
        format!("{} {} {} {}", self.user, self.lane, self.round, self.number)
    }

    fn name(self) -> String {
        format!("lane-{}-round-{}-write-{}", self.lane, self.round, self.number)
    }

    /// Every other write is an entry, the others append one message to three.
    fn messages(self) -> usize {
        if self.number.is_multiple_of(2) { 0 } else { 1 + self.number / 2 % 3 }
    }

    /// Some are longer than their record's summary, so that there is a body beside it.
    fn content(self) -> String {
        format!("{} {}", self.name(), "and so on ".repeat(if self.number.is_multiple_of(3) { 400 } else { 3 }))
    }
}

fn session(write: Write) -> SessionId {
    SessionId::new("session", format!("lane-{}", write.lane)).unwrap()
}

/// The child: writes until it is killed, and says what was acknowledged.
async fn write(round: usize, file: &Path) {
    child::say("started");
    let store = FileStore::open(file).unwrap();
    let lanes = (0..USERS * LANES).map(|at| {
        let (user, lane) = (at % USERS, at / USERS);
        let store = store.connect().unwrap();
        async move {
            let memory = open(store, &format!("u-{user}")).await;
            for number in 0.. {
                let write = Write { user, lane, round, number };
                match write.messages() {
                    0 => {
                        let id = Some(EntryId::new("id", write.name()).unwrap());
                        let namespace = Some("long-term".to_owned());
                        let draft = Draft { id, namespace, content: write.content(), ..Draft::default() };
                        memory.add(draft).await.unwrap();
                    }
                    count => {
                        let message =
                            |part| MessageDraft::new(Role::User, vec![Block::text(format!("{} {part}", write.name()))]);
                        let messages: Vec<_> = (0..count).map(message).collect();
                        memory.append(&session(write), None, &messages).await.unwrap();
                    }
                }
                child::say(&write.line());
            }
        }
    });
    join_all(lanes).await;
}

/// Starts the child, and kills it after a random number of acknowledgements, or before the first.
fn kill_in_the_middle(round: usize, dice: u64, file: &Path, acknowledged: &mut BTreeSet<Write>) {
    let mut writer = child::start(&[], TEST, &round.to_string(), file);
    let (sender, lines) = channel();
    let said = child::said(&mut writer);
    let reader = std::thread::spawn(move || said.for_each(|line| drop(sender.send(line))));
    let patience = || lines.recv_timeout(Duration::from_secs(60)).expect("the writer neither wrote nor ended");
    assert_eq!(patience(), "started");
    let target = acknowledged.len() + (dice % 120) as usize;
    // Every fourth is killed while it creates the file, or opens what the last kill has left.
    if !dice.is_multiple_of(4) {
        while acknowledged.len() < target {
            acknowledged.insert(Write::parse(&patience()));
        }
    }
    std::thread::sleep(Duration::from_micros(dice / 200 % 10_000));
    writer.kill().unwrap();
    assert!(!writer.wait().unwrap().success(), "it ended before it was killed");
    reader.join().unwrap();
    acknowledged.extend(lines.try_iter().map(|line| Write::parse(&line)));
}

/// Holds what is stored against what was acknowledged: how many of these are there, and how many others.
async fn check(file: &Path, acknowledged: &BTreeSet<Write>) -> (usize, usize) {
    let store = FileStore::open(file).unwrap();
    let mut found = BTreeSet::new();
    for user in 0..USERS {
        let memory = open(store.connect().unwrap(), &format!("u-{user}")).await;
        let parse = |name: &str| {
            let numbers: Vec<usize> = name.split('-').filter_map(|part| part.parse().ok()).collect();
            Write { user, lane: numbers[0], round: numbers[1], number: numbers[2] }
        };
        for entry in memory.list(&ListOptions { limit: Some(1_000_000), ..ListOptions::default() }).await.unwrap() {
            let write = parse(entry.id.as_str());
            let (_, content) = memory.get(&entry.id).await.unwrap().expect("what is listed is there");
            assert_eq!(content, write.content());
            found.insert(write);
        }
        for lane in 0..LANES {
            let place = session(Write { user, lane, round: 0, number: 0 });
            let said = match memory.messages(&place, 1_000_000, None).await {
                Ok(window) => window.messages,
                Err(error) => {
                    assert_eq!(error.code(), keepsake::ErrorCode::NotFound);
                    continue;
                }
            };
            let texts: Vec<String> = said.iter().map(|message| message.text()).collect();
            let mut rest = texts.as_slice();
            while let [first, ..] = rest {
                let write = parse(first.split(' ').next().unwrap());
                let count = write.messages().min(rest.len());
                let wanted: Vec<String> =
                    (0..write.messages()).map(|part| format!("{} {part}", write.name())).collect();
                assert_eq!(rest[..count], wanted, "messages that were appended together");
                assert!(found.insert(write), "{write:?} is there twice");
                rest = &rest[count..];
            }
        }
        let verified = memory.verify(false).await.unwrap();
        assert_eq!(verified.problems, []);
    }
    let lost: Vec<_> = acknowledged.difference(&found).collect();
    assert!(lost.is_empty(), "lost: {lost:?}");
    let others: Vec<_> = found.difference(acknowledged).collect();
    // At most the write that each lane had under way, of each process.
    assert!(others.len() <= USERS * LANES * KILLS_OF_A_FILE, "{others:?}");
    (acknowledged.len(), others.len())
}
