//! The calls of a run, and their arguments. What a call writes is marked by its token.

use super::chains::CHAINS;
use super::chance::Chance;
use super::run::Opened;
use super::verbs::{CHANGES, READS};
use keepsake::Error;
use keepsake::codec::json::parse;
use keepsake::model::Json;

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
    Verify,
    DeleteSession(&'static str),
    AppendToFile,
    ReadLog,
    ClearAll,
    Flush,
    /// A verb of the tables, with its arguments.
    Other(&'static str, &'static str),
    /// Two verbs, by their place among the chains.
    Chain(usize),
}

/// The file that grows.
pub(crate) const LOG: &str = "notes/log.md";

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

fn other((verb, args): (&'static str, &'static str)) -> What {
    What::Other(verb, args)
}

impl Call {
    /// The text that a write stores. All have one word in common, so that a search finds them.
    pub(crate) fn text(&self) -> String {
        let filler = if self.token.is_multiple_of(7) { " and so on".repeat(300) } else { String::new() };
        format!("w{} said something{filler}", self.token)
    }

    /// The word that tells this call's writes from all others.
    fn mark(&self) -> String {
        format!("w{}", self.token)
    }

    /// Makes the call, and the one that follows from its answer.
    pub(crate) async fn run(&self, memory: &Opened) -> Result<Json, Error> {
        let answer = memory.call(self.verb(), self.args()).await?;
        let What::Chain(at) = self.what else { return Ok(answer) };
        match CHAINS[at].args(&answer, &self.mark()) {
            Some(args) => memory.call(CHAINS[at].then, parse(&args).expect("the simulation writes JSON")).await,
            None => Ok(answer),
        }
    }

    /// The verbs that it calls.
    pub(crate) fn verbs(&self) -> Vec<&'static str> {
        let then = if let What::Chain(at) = self.what { Some(CHAINS[at].then) } else { None };
        [self.verb()].into_iter().chain(then).collect()
    }

    pub(crate) fn verb(&self) -> &'static str {
        match self.what {
            What::Add { .. } => "add",
            What::Update(_) => "update",
            What::Delete(_) => "delete",
            What::Get(_) => "get",
            What::List => "list",
            What::Search => "search",
            What::ClearShortTerm if self.token.is_multiple_of(2) => "memoryClearShortTerm",
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
            What::Verify => "verify",
            What::DeleteSession(_) => "deleteSession",
            What::AppendToFile => "appendFile",
            What::ReadLog => "file",
            What::ClearAll => "memoryClearAll",
            What::Flush => "flush",
            What::Other(verb, _) => verb,
            What::Chain(at) => CHAINS[at].first.0,
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
            What::List | What::Cleanup | What::GetProfile => "{}".to_owned(),
            What::LogVerify | What::Verify | What::ClearAll | What::Flush => "{}".to_owned(),
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
            What::Other(_, args) => args.replace('#', &self.mark()),
            What::Chain(at) => CHAINS[*at].first.1.replace('#', &self.mark()),
            What::UpdateProfile => format!(r#"{{"changes":{{"name":"w{}"}}}}"#, self.token),
        };
        parse(&json).expect("the simulation writes JSON")
    }

    pub(crate) fn random(token: u64, chance: &mut Chance) -> Self {
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
            38 => {
                if chance.once_in(3) {
                    What::ClearAll
                } else {
                    What::Flush
                }
            }
            39 => What::Chain(chance.below(CHAINS.len())),
            40..=41 => other(chance.of(READS)),
            _ => other(chance.of(CHANGES)),
        };
        Self { token, what }
    }
}
