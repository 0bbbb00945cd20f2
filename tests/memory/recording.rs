//! Outcomes of recording a text, in ten languages: the same fact, the correction of one, or another one.

use futures::executor::block_on;
use futures::future::join;
use keepsake::codec::json::parse;
use keepsake::memory::Memory;
use keepsake::memory::scripted::Scripted;
use keepsake::memory::{ListOptions, Origin, Outcome, Recorded};
use keepsake::model::{AgentId, Trust, UserId};
use keepsake::{Config, MemStore};

type Scene = Memory<MemStore, Scripted>;

fn open(store: &MemStore, seed: u64) -> Scene {
    let user = UserId::new("user", "u-1").unwrap();
    let world = Scripted::new(1_735_812_000_000, seed);
    block_on(Memory::open(store.connect(), world, user, Config::default())).unwrap()
}

fn of(agent: Option<&str>) -> Origin {
    Origin { agent: agent.map(|name| AgentId::new("agent", name).unwrap()), ..Origin::default() }
}

fn record(memory: &Scene, text: &str, agent: Option<&str>) -> Recorded {
    block_on(memory.record_texts(&[text.to_owned()], &of(agent))).unwrap().remove(0)
}

/// Records both, each pair in a memory of its own, and names the pairs that came out otherwise.
#[track_caller]
fn check(pairs: &[(&str, &str)], expected: Outcome) {
    let mut wrong = Vec::new();
    for (old, new) in pairs {
        let memory = open(&MemStore::new(), 1);
        let first = record(&memory, old, None);
        let second = record(&memory, new, None);
        let texts = if expected == Outcome::New { 2 } else { 1 };
        let same_entry = first.entry.id == second.entry.id;
        let entries = block_on(memory.count(None)).unwrap();
        let past = second.replaced.contains(&first.entry.id);
        let right = (expected, expected == Outcome::Same, expected == Outcome::Corrected, texts);
        if (second.outcome, same_entry, past, entries) != right {
            wrong.push(format!("{old} | {new} -> {:?}", second.outcome));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), pairs.len(), wrong.join("\n"));
}

#[test]
fn e12_the_same_words_are_the_same_fact() {
    check(SAME, Outcome::Same);
}

#[test]
fn e12_what_corrects_a_fact_replaces_it() {
    check(CORRECTED, Outcome::Corrected);
}

#[test]
fn e12_other_facts_are_kept_however_much_they_look_alike() {
    check(DIFFERENT, Outcome::New);
}

#[test]
fn e12_a_correction_has_a_history_and_the_log_vouches_for_all_of_it() {
    let memory = open(&MemStore::new(), 1);
    let first = record(&memory, "Ann lives in Hanoi", None).entry;
    let again = record(&memory, "ann lives in Hanoi!", None).entry;
    assert_eq!((again.version, again.summary.as_str()), (1, "Ann lives in Hanoi"));
    assert!(again.importance.get() > first.importance.get() && again.importance.get() < 1.0);
    for _ in 0..100 {
        assert!(record(&memory, "Ann lives in Hanoi", None).entry.importance.get() <= 1.0);
    }
    assert_eq!(block_on(memory.history(&first.id)).unwrap(), [], "what is told again says what it said");
    let corrected = record(&memory, "Ann lives in Saigon", None).entry;
    assert_eq!((corrected.version, corrected.replaces.as_ref()), (1, Some(&first.id)));
    let history = block_on(memory.history(&corrected.id)).unwrap();
    assert_eq!(history.iter().map(|(_, content)| content.as_str()).collect::<Vec<_>>(), ["Ann lives in Hanoi"]);
    assert_eq!(history[0].0.valid_until, corrected.valid_from, "one ends where the other begins");
    assert_eq!(block_on(memory.verify_log()).unwrap().problem, None);
}

#[test]
fn two_handles_that_record_one_fact_at_once_keep_it_once() {
    let store = MemStore::new();
    let (one, other) = (open(&store, 1), open(&store, 2));
    let (texts, origin) = (["The user plays the oboe".to_owned()], of(None));
    let (first, second) = block_on(join(one.record_texts(&texts, &origin), other.record_texts(&texts, &origin)));
    let mut outcomes = [first.unwrap()[0].outcome, second.unwrap()[0].outcome];
    outcomes.sort_by_key(|outcome| *outcome == Outcome::Same);
    assert_eq!(outcomes, [Outcome::New, Outcome::Same]);
    assert_eq!(block_on(one.count(None)).unwrap(), 1);
}

#[test]
fn e17_a_promise_of_the_model_is_no_instruction_of_the_user() {
    let promises = [
        "I'll remember that.",
        "Das merke ich mir.",
        "Je m'en souviendrai.",
        "Lo recordaré.",
        "覚えておきます。",
        "기억해 둘게요.",
        "Я запомню это.",
        "Tôi sẽ ghi nhớ điều đó.",
        "Vou me lembrar disso.",
        "Zapamiętam to.",
    ];
    let kept = |role: &str, content: &str| {
        let memory = open(&MemStore::new(), 1);
        let messages = format!("{{\"messages\":[{{\"role\":\"{role}\",\"content\":\"{content}\"}}]}}");
        block_on(memory.call("record", parse(&messages).unwrap())).unwrap();
        block_on(memory.count(None)).unwrap() > 0
    };
    let wrong: Vec<&str> = promises.into_iter().filter(|promise| kept("assistant", promise)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(kept("user", "Always answer in French."));
    assert!(kept("assistant", "I booked the table at Luigi's for Friday at 7 pm."));
}

#[test]
fn e17_an_answer_that_repeats_what_it_was_told_is_no_new_fact() {
    let echoes = [
        ("I'm allergic to peanuts.", "You told me that you're allergic to peanuts, so please be careful with snacks."),
        ("I'm allergic to peanuts.", "Thanks for telling me! I'll remember that you are allergic to peanuts."),
        ("My dog is called Rex.", "Give Rex, your dog, a hug from me."),
        ("Ich wohne in Leipzig.", "Da du in Leipzig wohnst, passt der Zoo gut."),
        ("Soy alérgica a los cacahuetes.", "Como eres alérgica a los cacahuetes, evita el satay."),
        ("Mình bị dị ứng với đậu phộng.", "Bạn bị dị ứng với đậu phộng nên hãy tránh món này."),
    ];
    let kept = |told: &str, answered: &str| {
        let memory = open(&MemStore::new(), 1);
        for (role, content) in [("user", told), ("assistant", answered)] {
            let messages = format!("{{\"messages\":[{{\"role\":\"{role}\",\"content\":\"{content}\"}}]}}");
            block_on(memory.call("record", parse(&messages).unwrap())).unwrap();
        }
        block_on(memory.count(None)).unwrap()
    };
    let wrong: Vec<&str> = echoes.iter().filter(|(told, said)| kept(told, said) != 1).map(|(_, said)| *said).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    // What it adds is kept.
    assert_eq!(kept("I'm allergic to peanuts.", "I booked the allergy test for 5 May at St. Mary's."), 2, "a test");
    assert_eq!(kept("My dog is called Rex.", "I booked the table at Luigi's for Friday at 7 pm."), 2, "a table");
}

#[test]
fn s2_an_answer_lends_its_trust_to_nothing_that_it_repeats() {
    let memory = open(&MemStore::new(), 1);
    let call = |verb: &str, args: &str| block_on(memory.call(verb, parse(args).unwrap())).unwrap();
    call("add", r#"{"content":"I'm allergic to peanuts.","namespace":"long-term","trust":"low"}"#);
    let echo = "As you're allergic to peanuts, skip the satay.";
    call("record", &format!("{{\"messages\":[{{\"role\":\"assistant\",\"content\":\"{echo}\"}}]}}"));
    let entries = block_on(memory.list(&ListOptions { include_past: true, ..ListOptions::default() })).unwrap();
    let seen: Vec<_> = entries.iter().map(|entry| (entry.summary.as_str(), entry.trust)).collect();
    assert_eq!(seen, [("I'm allergic to peanuts.", Trust::Low)]);
}

#[test]
fn e17_each_agent_has_its_own_facts_and_sees_those_of_none() {
    let memory = open(&MemStore::new(), 1);
    for agent in [None, Some("one"), Some("two")] {
        assert_eq!(record(&memory, "The user is allergic to nuts", agent).outcome, Outcome::New);
        assert_eq!(record(&memory, "The user is allergic to nuts", agent).outcome, Outcome::Same);
    }
    assert_eq!(record(&memory, "The user is not allergic to nuts", Some("two")).outcome, Outcome::Corrected);
    let told = |agent: Option<&str>| {
        let agent = of(agent).agent;
        block_on(memory.retrieve("allergic nuts", 9, agent.as_ref(), None)).unwrap().matches("\n> The user is").count()
    };
    assert_eq!([told(None), told(Some("one")), told(Some("two")), told(Some("three"))], [3, 2, 2, 1]);
    let asked = parse(r#"{"query":"allergic nuts","agent":"three"}"#).unwrap();
    assert_eq!(block_on(memory.call("queryMemory", asked)).unwrap().as_array().unwrap().len(), 1);
}

/// Facts that are told again.
const SAME: &[(&str, &str)] = &[
    ("I'm allergic to nuts.", "I am allergic to nuts"),
    ("I LIVE in Hanoi!", "I live in Hanoi"),
    ("Tôi sống ở Hà Nội.", "tôi sống ở Hà Nội"),
    ("我对花生过敏。", "我对花生过敏"),
    ("私はハノイに住んでいます。", "私はハノイに住んでいます"),
];

/// Facts, and what corrects them.
const CORRECTED: &[(&str, &str)] = &[
    ("Ann is allergic to nuts", "Ann is not allergic to nuts"),
    ("Ann is not allergic to nuts", "Ann is allergic to nuts"),
    ("Ann likes tea", "Ann doesn't like tea"),
    ("Likes tea", "Does not like tea"),
    ("I eat meat", "I no longer eat meat"),
    ("I drink coffee with sugar", "I drink coffee without sugar"),
    ("Tôi bị dị ứng đậu phộng", "Tôi không bị dị ứng đậu phộng"),
    ("Tôi thích uống trà", "Tôi không thích uống trà nữa"),
    ("我对花生过敏", "我对花生不过敏"),
    ("我有车", "我没有车"),
    ("我喜欢喝茶", "我不喜欢喝茶"),
    ("ナッツアレルギーがあります", "ナッツアレルギーはありません"),
    ("コーヒーが好きです", "コーヒーは好きではありません"),
    ("肉を食べます", "肉を食べません"),
    ("Ich esse Fleisch", "Ich esse kein Fleisch"),
    ("Ich habe eine Allergie", "Ich habe keine Allergie"),
    ("Ich bin allergisch gegen Nüsse", "Ich bin nicht mehr allergisch gegen Nüsse"),
    ("Soy alérgica a las nueces", "No soy alérgica a las nueces"),
    ("Me gusta el té", "Ya no me gusta el té"),
    ("Je suis allergique aux noix", "Je ne suis pas allergique aux noix"),
    ("Je mange de la viande", "Je ne mange plus de viande"),
    ("J'aime le thé", "Je n'aime pas le thé"),
    ("У меня аллергия на орехи", "У меня нет аллергии на орехи"),
    ("Я ем мясо", "Я больше не ем мясо"),
    ("저는 땅콩 알레르기가 있어요", "저는 땅콩 알레르기가 없어요"),
    ("저는 고기를 먹어요", "저는 고기를 안 먹어요"),
    ("저는 커피를 좋아해요", "저는 커피를 좋아하지 않아요"),
    ("The dentist appointment is on 5 May", "The dentist appointment is on 6 May"),
    ("The dentist is on 5 May", "The dentist is on 12 June"),
    ("The meeting is at 3pm", "The meeting is at 4pm"),
    ("The meeting is on Monday", "The meeting is on Tuesday"),
    ("My budget is 3,000 euros", "My budget is 4,000 euros"),
    ("I am 30 years old", "I am 31 years old"),
    ("I was born in 1984", "I was born in 1985"),
    ("My phone number is 555-1234", "My phone number is 555-9876"),
    ("My email is ann@a.example", "My email is ann@b.example"),
    ("Deadline: 5 May", "Deadline: 6 May"),
    ("The flight leaves at 9:30", "The flight leaves at 10:15"),
    ("I have two cats", "I have three cats"),
    ("Cuộc họp lúc 3 giờ", "Cuộc họp lúc 4 giờ"),
    ("Sinh nhật tôi là ngày 5 tháng 5", "Sinh nhật tôi là ngày 6 tháng 5"),
    ("Lịch khám răng vào thứ hai", "Lịch khám răng vào thứ ba"),
    ("会议是5月5日", "会议是5月6日"),
    ("会议在下午三点", "会议在下午四点"),
    ("我的生日是五月五日", "我的生日是五月六日"),
    ("会議は3月5日です", "会議は3月6日です"),
    ("会議は月曜日です", "会議は火曜日です"),
    ("会議は3時に始まります", "会議は4時に始まります"),
    ("회의는 3월 5일이에요", "회의는 3월 6일이에요"),
    ("제 생일은 5월 5일입니다", "제 생일은 5월 6일입니다"),
    ("Der Termin ist am 5. Mai", "Der Termin ist am 6. Mai"),
    ("Der Zahnarzttermin ist am Montag", "Der Zahnarzttermin ist am Dienstag"),
    ("La cita es el 5 de mayo", "La cita es el 6 de mayo"),
    ("La reunión es a las 3", "La reunión es a las 4"),
    ("Le rendez-vous est le 5 mai", "Le rendez-vous est le 6 mai"),
    ("J'ai deux chats", "J'ai trois chats"),
    ("Встреча 5 мая", "Встреча 6 мая"),
    ("Приём у врача в понедельник", "Приём у врача во вторник"),
    ("Мне 30 лет", "Мне 31 год"),
    ("The user lives in Hanoi", "The user lives in Saigon"),
    ("I live in Hanoi", "I live in Saigon"),
    ("I live in Hanoi", "I now live in Saigon"),
    ("I live in Hanoi", "I moved to Saigon"),
    ("i live in hanoi", "i live in saigon"),
    ("I live in New York", "I live in San Francisco"),
    ("My name is Ann", "My name is Anna"),
    ("I work at Acme", "I work at Globex"),
    ("I work as a nurse", "I work as a software engineer"),
    ("The meeting is in Paris", "The meeting is in Lyon"),
    ("Tôi sống ở Hà Nội", "Tôi sống ở Sài Gòn"),
    ("Tôi sống ở Hà Nội", "Tôi chuyển vào Sài Gòn"),
    ("Tôi tên là Minh", "Tôi tên là Nam"),
    ("我住在北京海淀区", "我住在北京朝阳区"),
    ("我住在海淀区", "我住在朝阳区"),
    ("我住在北京", "我搬到上海了"),
    ("我叫王芳", "我叫王方"),
    ("私はハノイに住んでいます", "私はサイゴンに住んでいます"),
    ("大阪に住んでいます", "京都に住んでいます"),
    ("저는 하노이에 살아요", "저는 사이공에 살아요"),
    ("저는 하노이에 살고 있어요", "저는 사이공으로 이사했어요"),
    ("Ich wohne in Berlin", "Ich wohne jetzt in Hamburg"),
    ("Ich wohne in Berlin", "Ich wohne in Hamburg"),
    ("Ich arbeite bei Siemens", "Ich arbeite bei Bosch"),
    ("Vivo en Madrid", "Vivo en Sevilla"),
    ("Me llamo Ana", "Me llamo Eva"),
    ("J'habite à Paris", "J'habite à Lyon"),
    ("Je m'appelle Anne", "Je m'appelle Marie"),
    ("Я живу в Москве", "Я живу в Казани"),
    ("Я живу в Москве", "Я переехала в Казань"),
    ("Меня зовут Анна", "Меня зовут Мария"),
];

/// Facts that stand beside each other.
const DIFFERENT: &[(&str, &str)] = &[
    ("I like C", "I like C++"),
    ("It is 5 degrees", "Is it 5 degrees?"),
    ("Anna likes tea", "Anne does not like tea"),
    ("Ann likes apples", "Ann does not like apple juice"),
    ("Ann is not happy and Bob is rich", "Ann is happy and Bob is not rich"),
    ("김민수는 고기를 먹어요", "김민지는 고기를 안 먹어요"),
    ("Invoice 17 is paid", "Invoice 18 is paid"),
    ("Room 5 is free", "Room 6 is free"),
    ("I ran 5 km on Monday", "I ran 5 km on Tuesday"),
    ("On 3 May I ran 5 km", "On 4 May I ran 6 km"),
    ("I paid Bob 50 euros", "I paid Bob 60 euros"),
    ("I have paid 50 euros to Bob", "I have paid 60 euros to Bob"),
    ("The gym is open on Monday", "The gym is open on Tuesday"),
    ("I work on Monday", "I work on Tuesday"),
    ("J'ai couru 5 km", "J'ai couru 6 km"),
    ("Ich bin 5 km gelaufen", "Ich bin 6 km gelaufen"),
    ("ジョンは5キロ走りました", "ジョンは6キロ走りました"),
    ("Tôi chạy 5 km vào thứ hai", "Tôi chạy 5 km vào thứ ba"),
    ("The meeting on 5 May went well", "The meeting on 6 May went well"),
    ("There are 5 apples in box 1", "There are 5 apples in box 2"),
    ("周一我跑步", "周二我跑步"),
    ("I like tea", "I like coffee"),
    ("Ann pays Bob", "Bob pays Ann"),
    ("My son is called Max", "My son is called Tom"),
    ("My son's name is Max", "My son's name is Tom"),
    ("Ann lives in Hanoi", "Bob lives in Hanoi"),
    ("Ann lives in Hanoi", "Bob lives in Saigon"),
    ("I live in Hanoi", "I live in a small flat near the harbour"),
    ("I live in Hanoi in summer", "I live in Saigon in winter"),
    ("In summer I live in Hanoi", "In winter I live in Saigon"),
    ("I live in Hanoi and work as a nurse", "I live in Saigon"),
    ("I work at Acme", "I work as a nurse"),
    ("My name is Robert", "Call me Bob"),
    ("我喜欢喝茶", "我喜欢喝咖啡"),
    ("私は紅茶が好きです", "私はコーヒーが好きです"),
    ("Tôi thích trà", "Tôi thích cà phê"),
    ("Ich mag Tee", "Ich mag Kaffee"),
    ("Я люблю чай", "Я люблю кофе"),
    ("저는 차를 좋아해요", "저는 커피를 좋아해요"),
    ("アンはハノイに住んでいます", "ボブはハノイに住んでいます"),
    ("Anna wohnt in Berlin", "Ben wohnt in Berlin"),
    ("Ich habe einen Hund", "Ich habe eine Katze"),
    ("I am allergic to nuts", "I am allergic to shellfish"),
    ("我住在北京", "我住在公寓里"),
    ("The meeting is important", "The meeting is boring"),
    ("I am a nurse", "I am a mother"),
    ("I speak French", "I speak German"),
    ("My dog is called Rex", "My cat is called Tom"),
];
