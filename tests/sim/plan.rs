//! The plan of a run: its programs, the calls of their clients, and which faults strike when.

use super::chance::Chance;
use super::world::Trouble;
use keepsake::codec::json::parse;
use keepsake::model::Json;
use keepsake::store::StoreError;
use std::fmt;

/// A thing that calls write and read, by its name: `entry e1`.
pub(crate) type Thing = String;

/// One call. What it writes is marked by its token, which no other call has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) token: u64,
    pub(crate) what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Add {
        id: &'static str,
        expires: bool,
    },
    Update(&'static str),
    Delete(&'static str),
    Get(&'static str),
    List,
    Search,
    ClearShortTerm,
    Cleanup,
    Append {
        session: &'static str,
        count: usize,
    },
    Messages(&'static str),
    Compress(&'static str),
    SetPair(&'static str),
    DeletePair(&'static str),
    ListValues,
    WriteFile(&'static str),
    DeleteFile(&'static str),
    ReadFile(&'static str),
    SaveState,
    GetState,
    UpdateProfile,
    GetProfile,
    LogVerify,
    DeleteSession(&'static str),
    AppendToFile,
    ReadLog,
    /// A verb with its arguments, in which `#` stands for the call's mark. It must not fail, and whatever it does, everybody
    /// has to see the same in the end.
    Other(&'static str, &'static str),
}

/// The file that grows.
pub(crate) const LOG: &str = "notes/log.md";

const OTHERS: [(&str, &str); 20] = [
    ("addDocuments", r##"{"documents":[{"id":"guide","content":"# laptops"},{"id":"#","text":"# tablets"}]}"##),
    ("deleteDocument", r#"{"id":"guide"}"#),
    ("semanticSearch", r#"{"query":"laptops"}"#),
    ("addSkill", r##"{"id":"mail","useWhen":"# write a polite mail","toolSops":[]}"##),
    ("deleteSkill", r#"{"id":"mail"}"#),
    ("recordSkillUse", r#"{"id":"mail","success":true}"#),
    ("skills", "{}"),
    ("graphAdd", r##"{"entities":[{"name":"Pixel","type":"dog","observations":["#"]}]}"##),
    ("graphDelete", r#"{"entities":["Pixel"]}"#),
    ("graphRead", "{}"),
    ("logStep", r##"{"taskType":"bake","toolName":"#"}"##),
    ("experienceStats", "{}"),
    ("logTaskStep", r##"{"taskId":"a","step":"#","status":"done"}"##),
    ("updateSummary", r##"{"session":"s0","summary":"#"}"##),
    ("setTitle", r##"{"session":"s0","title":"#"}"##),
    ("history", r#"{"id":"e1"}"#),
    ("fileHistory", r#"{"path":"notes/one.md"}"#),
    ("queryMemory", r#"{"query":"something"}"#),
    ("stats", "{}"),
    ("flush", "{}"),
];

/// The final reading of the other verbs, the same for every program.
pub(crate) const READS: [(&str, &str); 11] = [
    ("stats", "{}"),
    ("sessions", "{}"),
    ("skills", "{}"),
    ("graphRead", "{}"),
    ("experienceStats", "{}"),
    ("taskSteps", r#"{"taskId":"a"}"#),
    ("fileHistory", r#"{"path":"notes/one.md"}"#),
    ("view", r#"{"session":"s0"}"#),
    ("semanticSearch", r#"{"query":"laptops"}"#),
    ("stateVersions", r#"{"flow":"f","session":"s0"}"#),
    ("history", r#"{"id":"e1"}"#),
];

/// Entries of the first list are in long-term memory, those of the second in short-term memory.
pub(crate) const LONG: [&str; 4] = ["e0", "e1", "e2", "e3"];
pub(crate) const SHORT: [&str; 3] = ["t0", "t1", "t2"];
pub(crate) const SESSIONS: [&str; 2] = ["s0", "s1"];
pub(crate) const PAIRS: [&str; 2] = ["a", "b"];
pub(crate) const FILES: [&str; 2] = ["notes/one.md", "notes/two.md"];

/// The namespace of an entry.
pub(crate) fn namespace(id: &str) -> &'static str {
    if id.starts_with('t') { "short-term" } else { "long-term" }
}

impl Call {
    /// The text that a write stores. All have one word in common, so that a search finds them.
    pub(crate) fn text(&self) -> String {
        let filler = if self.token.is_multiple_of(7) { " and so on".repeat(300) } else { String::new() };
        format!("w{} said something{filler}", self.token)
    }

    pub(crate) fn verb(&self) -> &'static str {
        match self.what {
            What::Add { .. } => "add",
            What::Update(_) => "update",
            What::Delete(_) => "delete",
            What::Get(_) => "get",
            What::List => "list",
            What::Search => "search",
            What::ClearShortTerm => "clear",
            What::Cleanup => "cleanup",
            What::Append { .. } => "append",
            What::Messages(_) => "messages",
            What::Compress(_) => "compress",
            What::SetPair(_) | What::DeletePair(_) => "editValues",
            What::ListValues => "listValues",
            What::WriteFile(_) => "writeFile",
            What::DeleteFile(_) => "deleteFile",
            What::ReadFile(_) => "file",
            What::SaveState => "saveState",
            What::GetState => "getState",
            What::UpdateProfile => "updateProfile",
            What::GetProfile => "getProfile",
            What::LogVerify => "logVerify",
            What::DeleteSession(_) => "deleteSession",
            What::AppendToFile => "appendFile",
            What::ReadLog => "file",
            What::Other(verb, _) => verb,
        }
    }

    pub(crate) fn args(&self) -> Json {
        let text = self.text();
        let json = match &self.what {
            What::Add { id, expires } => {
                let ttl = if *expires { r#","ttl":60000"# } else { "" };
                format!(r#"{{"id":"{id}","content":"{text}","namespace":"{}"{ttl}}}"#, namespace(id))
            }
            What::Update(id) => format!(r#"{{"id":"{id}","content":"{text}"}}"#),
            What::Delete(id) | What::Get(id) => format!(r#"{{"id":"{id}"}}"#),
            What::List | What::Cleanup | What::GetProfile | What::LogVerify => "{}".to_owned(),
            What::Search => r#"{"query":"something","limit":50}"#.to_owned(),
            What::ClearShortTerm => r#"{"namespace":"short-term"}"#.to_owned(),
            What::Append { session, count } => {
                let one = |n: usize| format!(r#"{{"role":"user","content":"w{}.{n} hello"}}"#, self.token);
                let messages: Vec<String> = (0..*count).map(one).collect();
                format!(r#"{{"session":"{session}","messages":[{}]}}"#, messages.join(","))
            }
            What::Messages(session) => format!(r#"{{"session":"{session}","limit":1000}}"#),
            What::Compress(session) | What::DeleteSession(session) => format!(r#"{{"session":"{session}"}}"#),
            What::SetPair(key) => {
                let one = |side: &str| format!(r#"{{"key":"{key}.{side}","value":"w{}"}}"#, self.token);
                format!(r#"{{"collection":"c","changes":[{},{}]}}"#, one("left"), one("right"))
            }
            What::DeletePair(key) => {
                let one = |side: &str| format!(r#"{{"key":"{key}.{side}","delete":true}}"#);
                format!(r#"{{"collection":"c","changes":[{},{}]}}"#, one("left"), one("right"))
            }
            What::ListValues => r#"{"collection":"c"}"#.to_owned(),
            What::WriteFile(path) => format!(r#"{{"path":"{path}","text":"{text}"}}"#),
            What::DeleteFile(path) | What::ReadFile(path) => format!(r#"{{"path":"{path}"}}"#),
            What::SaveState => format!(r#"{{"flow":"f","session":"s0","state":{{"mark":"w{}"}}}}"#, self.token),
            What::GetState => r#"{"flow":"f","session":"s0"}"#.to_owned(),
            What::AppendToFile => format!(r#"{{"path":"{LOG}","text":"w{}.0\n"}}"#, self.token),
            What::ReadLog => format!(r#"{{"path":"{LOG}"}}"#),
            What::Other(_, args) => args.replace('#', &format!("w{}", self.token)),
            What::UpdateProfile => format!(r#"{{"changes":{{"name":"w{}"}}}}"#, self.token),
        };
        parse(&json).expect("the simulation writes JSON")
    }

    fn random(token: u64, chance: &mut Chance) -> Self {
        let what = match chance.below(50) {
            0..=4 => What::Add { id: chance.of(&LONG), expires: false },
            5..=6 => What::Add { id: chance.of(&SHORT), expires: chance.once_in(2) },
            7..=8 => What::Update(chance.of(&LONG)),
            9..=10 => What::Delete(chance.of(&LONG)),
            11..=12 => What::Get(chance.of(&LONG)),
            13 => What::Get(chance.of(&SHORT)),
            14 => What::List,
            15..=16 => What::Search,
            17 => What::ClearShortTerm,
            18 => What::Cleanup,
            19..=21 => What::Append { session: chance.of(&SESSIONS), count: 1 + chance.below(3) },
            22 => What::Messages(chance.of(&SESSIONS)),
            23 => What::Compress(chance.of(&SESSIONS)),
            24..=25 => What::SetPair(chance.of(&PAIRS)),
            26 => What::DeletePair(chance.of(&PAIRS)),
            27 => What::ListValues,
            28 => What::WriteFile(chance.of(&FILES)),
            29 => What::DeleteFile(chance.of(&FILES)),
            30 => What::ReadFile(chance.of(&FILES)),
            31 => chance.of(&[What::SaveState, What::GetState]),
            32 => chance.of(&[What::UpdateProfile, What::GetProfile]),
            33 => What::LogVerify,
            34 => What::DeleteSession(chance.of(&SESSIONS)),
            35..=36 => What::AppendToFile,
            37 => What::ReadLog,
            _ => {
                let (verb, args) = chance.of(&OTHERS);
                What::Other(verb, args)
            }
        };
        Self { token, what }
    }
}

/// A fault, and the number of scheduler steps before it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mishap {
    pub(crate) at: usize,
    pub(crate) what: Wrong,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wrong {
    /// A program ends; requests that are on their way may arrive or not. It is started again.
    Crash { program: usize },
    /// A program does not go on for so many steps. What it has asked for happens.
    Freeze { program: usize, steps: usize },
    /// Time passes, for all.
    Wait { millis: i64 },
    /// The clock of a program is set.
    Skew { program: usize, millis: i64 },
    /// The next request that arrives has trouble.
    Request(Trouble),
    /// The index, which is derived from the records, is dropped.
    DropIndex,
    /// All programs are told that others may have written.
    Hint,
}

/// A whole run but for the order in which things happen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    /// By program and client, its calls.
    pub(crate) calls: Vec<Vec<Vec<Call>>>,
    pub(crate) mishaps: Vec<Mishap>,
    /// Whether short-term memory holds two entries and no more.
    pub(crate) capped: bool,
}

impl Plan {
    pub(crate) fn random(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let mut token = 0;
        let programs = 1 + chance.below(3);
        let calls = (0..programs)
            .map(|_| {
                let clients = 1 + chance.below(3);
                let mut client = || {
                    let count = 2 + chance.below(9);
                    let mut call = || {
                        token += 1;
                        Call::random(token, &mut chance)
                    };
                    (0..count).map(|_| call()).collect()
                };
                (0..clients).map(|_| client()).collect()
            })
            .collect();
        let wrong = |chance: &mut Chance| match chance.below(14) {
            0..=2 => Wrong::Crash { program: chance.below(programs) },
            3..=4 => Wrong::Freeze { program: chance.below(programs), steps: 20 + chance.below(200) },
            5 => Wrong::Wait { millis: 1 + chance.below(200_000) as i64 },
            6 => Wrong::Skew { program: chance.below(programs), millis: chance.below(400_000) as i64 - 200_000 },
            7..=8 => Wrong::Request(Trouble::LosesAnswer),
            9 => Wrong::Request(Trouble::Fails(StoreError::QuotaExceeded)),
            10 => Wrong::Request(Trouble::Fails(StoreError::Failed("broken".into()))),
            11 => Wrong::Request(Trouble::Fails(StoreError::Unavailable("gone".into()))),
            12 => Wrong::DropIndex,
            _ => Wrong::Hint,
        };
        let count = chance.of(&[0, 1, 2, 4, 8]);
        let mut mishaps: Vec<Mishap> =
            (0..count).map(|_| Mishap { at: chance.below(400), what: wrong(&mut chance) }).collect();
        mishaps.sort_by_key(|mishap| mishap.at);
        Self { calls, mishaps, capped: chance.once_in(3) }
    }

    pub(crate) fn config(&self) -> Json {
        let most = if self.capped { 2 } else { 100 };
        parse(&format!(r#"{{"namespaces":{{"short-term":{{"maxEntries":{most}}}}}}}"#)).expect("it is JSON")
    }

    /// Whether somebody is told of what others write: from then on a search need not see what it was not told of.
    pub(crate) fn hints(&self) -> bool {
        self.mishaps.iter().any(|mishap| mishap.what == Wrong::Hint)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (program, clients) in self.calls.iter().enumerate() {
            for (client, calls) in clients.iter().enumerate() {
                for call in calls {
                    writeln!(f, "  program {program}, client {client}: w{} {:?}", call.token, call.what)?;
                }
            }
        }
        for Mishap { at, what } in &self.mishaps {
            writeln!(f, "  after {at} steps: {what:?}")?;
        }
        writeln!(f, "  short-term memory holds {}", if self.capped { "2 entries" } else { "all" })
    }
}
