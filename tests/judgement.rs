//! Judgement on labelled sentences in fourteen languages: what is kept, replaced, hidden and recalled. The sets `dev-a` to
//! `dev-e` and `held-out` to `held-out-5` were used to choose rules and cues, or were seen while rules were mended.
//! `held-out-6` was written apart, and no rule or cue was chosen by it. `--nocapture` prints the table of each.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeMap;

use keepsake::Env;
use keepsake::judgement::{
    Attribute, Fact, Judge, Judged, Lang, Pack, Packs, Reason, Relation, Sought, Subject, built_in, compare, recall,
};
use keepsake::memory::scripted::Scripted;
use serde_json::Value;

fn nfkd(text: &str) -> String {
    Scripted::new(0, 0).decompose(text)
}

fn packs() -> Packs {
    let mut packs = Packs::new();
    for lang in Lang::ALL {
        packs.add(Pack::parse(built_in(lang), &nfkd).unwrap());
    }
    packs
}

/// A memory of facts, as small as one can be.
struct Memory<'a> {
    judge: Judge<'a>,
    facts: Vec<(Fact, bool)>,
    lang: Option<Lang>,
    last: Option<Subject>,
}

impl<'a> Memory<'a> {
    fn new(packs: &'a Packs) -> Self {
        Self { judge: Judge::new(packs, &nfkd), facts: Vec::new(), lang: None, last: None }
    }

    /// Takes a message. `told` is one that an app adds: it is kept whatever it says.
    fn tell(&mut self, text: &str, told: bool) {
        let judged = self.judge.judge(text, self.lang);
        self.lang = judged.lang.or(self.lang);
        for request in &judged.forget {
            self.facts.retain(|(fact, _)| !request.stems.iter().any(|stem| fact.stems.contains(stem)));
        }
        let kept = judged.facts.into_iter().chain(judged.instructions);
        let new =
            if told && judged.secrets.is_empty() { vec![self.judge.describe(text, self.lang)] } else { kept.collect() };
        for fact in new {
            let mut same = false;
            for (old, gone) in self.facts.iter_mut().filter(|(_, gone)| !gone) {
                match compare(&fact, old) {
                    Relation::Same => same = true,
                    Relation::Adds => {}
                    Relation::Supersedes | Relation::Retracts => *gone = true,
                }
            }
            if fact.subject != Subject::Speaker {
                self.last = Some(fact.subject);
            }
            if !same {
                self.facts.push((fact, false));
            }
        }
    }

    fn live(&self) -> Vec<&Fact> {
        self.facts.iter().filter(|(_, gone)| !gone).map(|(fact, _)| fact).collect()
    }

    fn recall(&self, question: &str, limit: usize) -> Vec<String> {
        let sought = Sought::read(question, self.lang, self.last, &self.judge);
        let mut live = self.live();
        let is_past = |(at, old): (usize, &&Fact)| live.iter().skip(at + 1).any(|new| sought.is_outdated(old, new));
        let past: Vec<bool> = live.iter().enumerate().map(is_past).collect();
        let mut past = past.iter();
        live.retain(|_| past.next() == Some(&false));
        recall(&sought, &live).iter().take(limit).map(|(at, _)| live[*at].text.clone()).collect()
    }

    fn has(&self, mark: &str) -> bool {
        self.facts.iter().any(|(fact, _)| has(&fact.text, mark))
    }
}

fn has(text: &str, mark: &str) -> bool {
    let fold = |text: &str| -> String {
        nfkd(text)
            .chars()
            .filter(|c| !matches!(c, '\u{64b}'..='\u{652}' | '\u{640}'))
            .flat_map(char::to_lowercase)
            .collect()
    };
    fold(text).contains(&fold(mark))
}

#[derive(Default)]
struct Table {
    rows: BTreeMap<String, BTreeMap<String, (u32, u32)>>,
    failed: Vec<String>,
}

impl Table {
    fn add(&mut self, lang: &str, measure: &str, is_right: bool, info: &str) {
        for row in [lang, "~all"] {
            let cell = self.rows.entry(row.to_owned()).or_default().entry(measure.to_owned()).or_default();
            cell.0 += u32::from(is_right);
            cell.1 += 1;
        }
        if !is_right && !info.is_empty() {
            self.failed.push(format!("{lang} {measure} {info}"));
        }
    }

    fn share(&self, measure: &str) -> f64 {
        let (right, all) = self.rows["~all"][measure];
        f64::from(right) / f64::from(all)
    }

    fn print(&self, name: &str) {
        let measures: Vec<_> = self.rows["~all"].keys().collect();
        print!("{name:6}");
        measures.iter().for_each(|measure| print!("{measure:>10}"));
        println!();
        for (lang, cells) in &self.rows {
            print!("{lang:6}");
            for measure in &measures {
                match cells.get(*measure) {
                    Some((right, all)) => print!("{:>10.0}", 100.0 * f64::from(*right) / f64::from(*all)),
                    None => print!("{:>10}", "-"),
                }
            }
            println!();
        }
        self.failed.iter().for_each(|line| println!("{line}"));
    }
}

fn reasons(judged: &Judged) -> String {
    let kinds =
        [("fact", judged.facts.len()), ("instruction", judged.instructions.len()), ("forget", judged.forget.len())];
    let kinds: Vec<_> = kinds.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name).collect();
    let reasons: Vec<_> = judged.dropped.iter().map(|(_, reason)| reason).collect();
    let attributes: Vec<_> =
        judged.facts.iter().flat_map(|fact| fact.attributes.iter()).map(|one| one.name()).collect();
    format!(":: {:?} {kinds:?} {attributes:?} {reasons:?} {:?}", judged.lang, judged.secrets)
}

/// The texts of one field, for all cases of a kind.
fn cases<'v>(set: &'v Value, kind: &str) -> &'v [Value] {
    set[kind].as_array().map_or(&[], Vec::as_slice)
}

fn measure(set: &str, packs: &Packs) -> Table {
    let text = std::fs::read_to_string(format!("{}/tests/judgement/{set}.json", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let set: Value = serde_json::from_str(&text).unwrap();
    let mut table = Table::default();
    for (lang, set) in set.as_object().unwrap() {
        let field = |case: &Value, name: &str| case[name].as_str().unwrap_or("").to_owned();
        let judge = Judge::new(packs, &nfkd);
        for (kind, case) in ["keep", "rule", "drop", "hard"]
            .iter()
            .flat_map(|kind| cases(set, kind).iter().map(move |case| (*kind, case)))
        {
            let text = field(case, "text");
            let judged = judge.judge(&text, None);
            let info = format!("{text} {}", reasons(&judged));
            table.add(lang, "language", judged.lang.is_some_and(|found| found.code() == lang), &info);
            let mut memory = Memory::new(packs);
            memory.tell(&text, false);
            match kind {
                "keep" | "rule" => {
                    table.add(lang, kind, memory.has(&field(case, "mark")), &info);
                    let right = judged.instructions.is_empty() != (kind == "rule");
                    table.add(lang, "own-kind", right, &info);
                }
                _ => table.add(lang, kind, memory.facts.is_empty(), &info),
            }
        }
        for told in [false, true] {
            let mark = if told { "*" } else { "" };
            for case in cases(set, "upd") {
                let mut memory = Memory::new(packs);
                memory.tell(&field(case, "old"), told);
                memory.tell(&field(case, "new"), told);
                let found = memory.recall(&field(case, "question"), 5);
                let (old, new) = (field(case, "oldMark"), field(case, "newMark"));
                let stale = found.iter().any(|text| has(text, &old) && !has(text, &new));
                let info = format!(
                    "{case} {:?} => {found:?}",
                    memory
                        .facts
                        .iter()
                        .map(|(fact, gone)| (
                            fact.subject,
                            fact.attributes.iter().map(|one| one.name()).collect::<Vec<_>>(),
                            fact.negated,
                            fact.changed,
                            *gone
                        ))
                        .collect::<Vec<_>>()
                );
                table.add(lang, &format!("first{mark}"), found.first().is_some_and(|text| has(text, &new)), &info);
                table.add(lang, &format!("right{mark}"), !stale && found.iter().any(|text| has(text, &new)), "");
            }
            for case in cases(set, "dist") {
                let mut memory = Memory::new(packs);
                memory.tell(&field(case, "a"), told);
                memory.tell(&field(case, "b"), told);
                let live = memory.live();
                let both =
                    ["markA", "markB"].iter().all(|name| live.iter().any(|fact| has(&fact.text, &field(case, name))));
                table.add(lang, &format!("dist{mark}"), both, &format!("{case}"));
            }
            for case in cases(set, "near") {
                let mut memory = Memory::new(packs);
                memory.tell(&field(case, "a"), told);
                memory.tell(&field(case, "b"), told);
                let both = case["kind"] == "both";
                let live: Vec<_> =
                    memory.facts.iter().filter(|(_, gone)| !both || !gone).map(|(fact, _)| fact).collect();
                let there = |name: &str| live.iter().any(|fact| has(&fact.text, &field(case, name)));
                table.add(
                    lang,
                    &format!("near{mark}"),
                    there("markB") && (!both || there("markA")),
                    &format!("{case}"),
                );
            }
            let background: Vec<String> = cases(set, "keep")
                .iter()
                .map(|case| field(case, "text"))
                .chain(cases(set, "dist").iter().flat_map(|case| [field(case, "a"), field(case, "b")]))
                .collect();
            for case in cases(set, "silence") {
                let mut memory = Memory::new(packs);
                background.iter().for_each(|text| memory.tell(text, told));
                let found = memory.recall(&field(case, "text"), 5);
                table.add(lang, &format!("silence{mark}"), found.is_empty(), &format!("{case} => {found:?}"));
            }
            for (at, case) in cases(set, "recall").iter().enumerate() {
                let mut all = background.clone();
                all.insert((2 + 4 * at).min(all.len()), field(case, "statement"));
                let mut memory = Memory::new(packs);
                all.iter().for_each(|text| memory.tell(text, told));
                for kind in ["word", "noWord"] {
                    let found = memory.recall(&field(case, kind), 3);
                    let right = found.iter().any(|text| has(text, &field(case, "mark")));
                    table.add(lang, &format!("{kind}{mark}"), right, &format!("{case} => {found:?}"));
                }
            }
        }
        for case in cases(set, "secret") {
            let mut memory = Memory::new(packs);
            memory.tell(&field(case, "text"), false);
            memory.tell(&field(case, "text"), true);
            let info = format!("{case} {:?}", judge.secrets(&field(case, "text")));
            table.add(
                lang,
                "secret",
                !memory.facts.iter().any(|(fact, _)| fact.text.contains(&field(case, "secret"))),
                &info,
            );
        }
        for case in cases(set, "forget") {
            let mut memory = Memory::new(packs);
            memory.tell(&field(case, "stored"), true);
            memory.tell(&field(case, "request"), false);
            table.add(lang, "forget", !memory.has(&field(case, "mark")), &format!("{case}"));
        }
    }
    table
}

/// The least share of cases that are right in each set, by measure.
const FLOORS: [(&str, &[(&str, f64)]); 3] = [
    (
        "dev-a",
        &[
            ("keep", 0.99),
            ("rule", 1.0),
            ("drop", 1.0),
            ("hard", 1.0),
            ("first", 0.97),
            ("right", 0.97),
            ("dist", 1.0),
            ("near", 1.0),
            ("secret", 1.0),
            ("silence", 1.0),
            ("forget", 1.0),
            ("word", 1.0),
            ("language", 0.99),
            ("own-kind", 0.98),
        ],
    ),
    (
        "dev-b",
        &[
            ("keep", 0.97),
            ("hard", 0.97),
            ("first", 0.96),
            ("right", 0.96),
            ("dist", 1.0),
            ("secret", 1.0),
            ("silence", 1.0),
            ("word", 0.92),
            ("language", 0.98),
        ],
    ),
    ("dev-c", &[("keep", 1.0), ("hard", 0.97), ("first", 0.82), ("right", 0.82), ("language", 1.0)]),
];

#[test]
fn most_is_judged_right() {
    let packs = packs();
    let mut low = Vec::new();
    for (set, floors) in FLOORS {
        let table = measure(set, &packs);
        table.print(set);
        for (measure, floor) in floors {
            let share = table.share(measure);
            if share < *floor {
                low.push(format!("{set} {measure}: {share:.3} is below {floor}"));
            }
        }
    }
    assert!(low.is_empty(), "{}", low.join("\n"));
}

#[test]
fn the_language_is_known_before_any_pack_is_loaded() {
    let (none, all) = (Packs::new(), packs());
    let (mut right, mut count) = (0, 0);
    for set in ["dev-a", "dev-b", "dev-c"] {
        let text =
            std::fs::read_to_string(format!("{}/tests/judgement/{set}.json", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let set: Value = serde_json::from_str(&text).unwrap();
        for (lang, set) in set.as_object().unwrap() {
            for case in cases(set, "keep") {
                let text = nfkd(case["text"].as_str().unwrap());
                let found = none.language(&text, None);
                count += 1;
                right += u32::from(found.is_some_and(|found| found.code() == lang));
                if found != all.language(&text, None) {
                    println!("{lang} {found:?} {text}");
                }
            }
        }
    }
    println!("language without packs: {right} of {count}");
    assert!(right * 100 >= count * 97, "{right} of {count}");
    let judged = Judge::new(&none, &nfkd).judge("ich wohne in Köln und arbeite bei Bosch", None);
    assert_eq!((judged.lang, judged.missing), (Some(Lang::De), Some(Lang::De)));
    assert_eq!(none.language("Μένω στην Αθήνα", None), None);
}

#[test]
fn every_pack_is_small_and_has_every_attribute() {
    for lang in Lang::ALL {
        let text = built_in(lang);
        Pack::parse(text, &nfkd).unwrap();
        let attributes = Attribute::ALL.iter().map(|attribute| attribute.name());
        for key in attributes.chain("I Q R X C L fg se H N S O A G W F".split(' ')) {
            assert!(text.lines().any(|line| line.split(' ').next() == Some(key)), "{}: {key}", lang.code());
        }
        assert!(text.len() < 13_500, "{}: {}", lang.code(), text.len());
    }
}

/// Tells sentences one after another, asks, and looks for a word in the answer; an empty word is silence.
#[track_caller]
fn dialogue(told: &[&str], question: &str, expected: &str, not: &str) {
    let packs = packs();
    let mut memory = Memory::new(&packs);
    told.iter().for_each(|text| memory.tell(text, false));
    let found = memory.recall(question, 5);
    let right = if expected.is_empty() { found.is_empty() } else { found.iter().any(|text| has(text, expected)) };
    let stale = !not.is_empty() && found.iter().any(|text| has(text, not));
    assert!(right && !stale, "{told:?} {question} => {found:?}");
}

#[test]
fn a_statement_without_an_owner_is_kept_if_the_message_only_states() {
    let packs = packs();
    let kept = |text: &str| {
        let judged = Judge::new(&packs, &nfkd).judge(text, None);
        !judged.facts.is_empty()
    };
    for text in [
        "The lease on the van runs until June 2028.",
        "o notebook do trabalho é um Dell",
        "На даче стоит роутер Keenetic.",
        "客厅的空调是格力的。",
        "여권은 안방 서랍장 맨 아래 칸에 넣어뒀어.",
        "قسط الجمعية ٧٥٠ جنيه في الشهر",
    ] {
        assert!(kept(text), "{text}");
    }
    for text in [
        "The build on Node 22 is slow. Can you speed it up?",
        "The capital of Australia is Canberra.",
        "The build fails on Node 22.",
        "Your second example has 3 bugs in it",
        "水在100度沸腾",
        "La Tour Eiffel mesure 330 mètres",
    ] {
        assert!(!kept(text), "{text}");
    }
    let painted = "The hallway is painted Oyster White. ";
    assert!(kept(painted) && !kept(&painted.repeat(6)));
}

#[test]
fn dialogues() {
    dialogue(&["I live in Hanoi", "I moved to Da Nang"], "where do I live?", "Da Nang", "Hanoi");
    dialogue(&["Mình sống ở Hà Nội", "Mình chuyển vào Đà Nẵng rồi"], "mình sống ở đâu?", "Đà Nẵng", "Hà Nội");
    dialogue(&["大阪に住んでいます", "福岡に引っ越しました"], "私はどこに住んでいますか？", "福岡", "大阪");
    dialogue(&["My wife's name is Anna", "Sorry, my wife's name is Hanna"], "what's my wife's name?", "Hanna", " Anna");
    dialogue(&["I'm vegetarian", "I'm no longer vegetarian"], "am I vegetarian?", "no longer", "I'm vegetarian");
    dialogue(&["My number is 0113 496 0021", "my new number is 0113 496 0099"], "what's my number?", "0099", "0021");
    let children = ["My son Tom is allergic to peanuts", "My daughter Eva is allergic to milk"];
    dialogue(&children, "what is my son allergic to?", "peanuts", "milk");
    dialogue(&children, "what can she not eat?", "milk", "peanuts");
    dialogue(&["main Noida mein rehta hu", "ab main Pune mein rehta hu"], "main kahan rehta hu?", "Pune", "Noida");
    dialogue(&["मैं नोएडा में रहता हूँ", "अब मैं पुणे में रहता हूँ"], "main kahan rehta hoon?", "पुणे", "नोएडा");
    let machines = ["The washing machine is under warranty until 2026", "The dishwasher is under warranty until 2028"];
    dialogue(&machines, "how long is the warranty of the washing machine?", "2026", "");
    dialogue(&["I live in Hanoi", "I love jazz"], "what is the capital of France?", "", "");
    dialogue(&["my PIN is 4471", "forget my PIN"], "what's my PIN?", "", "4471");
    dialogue(&["my netflix password is Tr0mbone!77"], "what's my netflix password?", "[secret: password]", "Tr0mbone");
}

#[test]
fn a_latin_word_has_one_stem_in_texts_of_all_languages() {
    let packs = packs();
    let judge = Judge::new(&packs, &nfkd);
    let [word] = judge.stems("holiday", Some(Lang::En))[..] else { panic!("one word") };
    for text in ["Летом holiday в Казани", "गर्मी की holiday गोवा में थी", "휴가 holiday 부산에서", "عطلة holiday في دبي"]
    {
        assert!(judge.stems(text, None).contains(&word), "{text}");
    }
}

#[test]
fn standing_instructions_are_told_from_habits() {
    let packs = packs();
    let judge = Judge::new(&packs, &nfkd);
    for text in ["Always answer in French", "never use em dashes", "From now on call me Sam", "please don't use emojis"]
    {
        let judged = judge.judge(text, None);
        assert_eq!((judged.instructions.len(), judged.facts.len()), (1, 0), "{text} {judged:?}");
    }
    for text in ["I always wake up at six", "I never eat fish", "my sister never drinks coffee"] {
        let judged = judge.judge(text, None);
        assert_eq!((judged.instructions.len(), judged.facts.len()), (0, 1), "{text} {judged:?}");
    }
    let judged = judge.judge("I'm vegetarian, what can I cook tonight?", None);
    assert_eq!(judged.facts[0].text, "I'm vegetarian");
    assert_eq!(judged.dropped[0].1, Reason::Question);
    assert!(judge.judge("Translate this: I live in Rome and love cats.", None).facts.is_empty());
}

#[test]
fn a_large_message_has_a_bounded_number_of_facts() {
    let packs = packs();
    let judge = Judge::new(&packs, &nfkd);
    for text in ["a ", "\"", "私は", "1 ", "[secret: ", "-----BEGIN ", "://", "ก", "'s ", ": "] {
        let long = text.repeat(50_000 / text.len());
        let judged = judge.judge(&long, None);
        assert!(judged.facts.len() <= 200);
    }
}

#[path = "judgement/through_memory.rs"]
mod through_memory;

#[test]
fn a_memory_judges_as_well() {
    let mut low = Vec::new();
    for (name, floors) in through_memory::FLOORS {
        let text =
            std::fs::read_to_string(format!("{}/tests/judgement/{name}.json", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let table = through_memory::measure(&serde_json::from_str(&text).unwrap());
        table.print(name);
        for (measure, floor) in floors {
            let share = table.share(measure);
            if share < *floor {
                low.push(format!("{name} {measure}: {share:.3} is below {floor}"));
            }
        }
    }
    assert!(low.is_empty(), "{}", low.join("\n"));
}

#[test]
fn a_change_leaves_what_else_was_told() {
    through_memory::life(
        &[
            "I live in Leeds with my wife Anna and our two kids.",
            "My daughter Mia is 8 and goes to Hillside Primary.",
            "I work at a bakery on Otley Road, shifts start at 4:30.",
            "Mum lives in York, her number is 01904 555 213.",
            "Mum got a new phone number, 01904 555 999.",
            "Mia changed schools, she's at St Mary's now.",
            "I'm not at the bakery anymore, I drive for DPD these days.",
            "We moved to Harrogate last weekend.",
        ],
        &[
            ("Where do I live?", "Harrogate"),
            ("What's my wife's name?", "Anna"),
            ("How old is Mia?", "8"),
            ("Which school does Mia go to?", "St Mary's"),
            ("Where does mum live?", "York"),
            ("What's mum's number?", "999"),
            ("Where do I work?", "DPD"),
        ],
    );
    through_memory::life(
        &[
            "Mình sống ở Hà Nội với vợ tên Hương",
            "Xe mình là Honda Vision màu trắng",
            "Mẹ mình ở Huế, số điện thoại 0905 111 222",
            "Mình mới thay lốp xe tuần trước",
            "Mẹ đổi số điện thoại rồi, số mới 0905 333 444",
            "Mình chuyển vào Đà Nẵng rồi",
        ],
        &[
            ("mình sống ở đâu?", "Đà Nẵng"),
            ("vợ mình tên gì?", "Hương"),
            ("xe mình màu gì?", "trắng"),
            ("số điện thoại của mẹ là gì?", "333 444"),
        ],
    );
    through_memory::life(
        &[
            "横浜に住んでいます",
            "娘のさくらは小学2年生で、卵アレルギーがあります",
            "母は福岡に住んでいて、電話は092-555-0101です",
            "さくらのピアノは水曜日です",
            "さくらのピアノ、金曜日に変わりました",
            "先月、大阪に引っ越しました",
        ],
        &[
            ("私はどこに住んでる？", "大阪"),
            ("さくらのアレルギーは？", "卵"),
            ("さくらのピアノは何曜日？", "金曜日"),
            ("母はどこに住んでる？", "福岡"),
        ],
    );
}
