//! Cue phrases that classify a sentence: a fact, a preference, a decision, a rule, a plan; or mere politeness.
//!
//! English, Vietnamese, Japanese and Chinese; with fewer phrases German, French, Spanish, Portuguese, Italian, Dutch,
//! Russian and Korean. The tables are in the form of [`bare_words`]: without case and accents, so that Vietnamese
//! matches in any encoding, and without its tones.

use super::bare::bare_words;
use super::chars::{Class, class};
use super::dates::is_time_word;
use super::marks::{ends_asking, is_question_mark};
use crate::model::{sorted, within};
use std::sync::OnceLock;

/// The cues found in a sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cues {
    /// A phrase that is enough to keep the sentence.
    pub(super) strong: bool,
    /// A phrase that is enough together with another cue.
    pub(super) weak: bool,
    /// A greeting, a thank-you, a filler.
    pub(super) small_talk: bool,
    /// It mentions a day or a date.
    pub(super) time: bool,
    /// It is a question.
    pub(super) asks: bool,
    /// It corrects something, or reports a change.
    pub(super) corrects: bool,
    /// It leaves something open, or to be done.
    pub(super) open: bool,
    /// It has a negation.
    pub(super) negates: bool,
}

impl Cues {
    pub(super) fn of(sentence: &str) -> Self {
        let words = bare_words(sentence);
        let begun = beginnings(&words);
        let any = |table: &Table| table.is_in(&words, &begun);
        let end = words.trim_end();
        let numbers = || sentence.chars().any(|c| c.is_ascii_digit());
        Self {
            strong: any(&STRONG),
            weak: any(&WEAK),
            small_talk: any(&SMALL_TALK),
            time: any(&TIME) || words.split(' ').any(is_time_word) || numbers() && words.contains(['月', '日', '年']),
            asks: ends_asking(sentence)
                || last_signs(sentence).contains(|c| is_question_mark(c, None))
                || ASKING.split('|').any(|ending| end.ends_with(ending)),
            corrects: any(&CORRECTS),
            open: any(&OPEN),
            negates: any(&NEGATING),
        }
    }
}

/// The characters after the last letter.
fn last_signs(sentence: &str) -> &str {
    let kept = sentence.trim_end_matches(|c| class(c) == Class::Gap).len();
    sentence.get(kept..).unwrap_or("")
}

/// A table of cues, separated by `|`. It is sorted on first use: there are hundreds of cues, and each sentence of a
/// conversation is compared with all of them.
pub(super) struct Table {
    text: &'static str,
    sorted: OnceLock<Sorted>,
}

/// The cues of a table: those in scripts with spaces in order, and the others.
struct Sorted {
    spaced: Vec<&'static [u8]>,
    unspaced: Vec<&'static str>,
}

impl Table {
    pub(super) const fn new(text: &'static str) -> Self {
        Self { text, sorted: OnceLock::new() }
    }

    /// All cues, in the order of the text.
    #[cfg(test)]
    pub(super) fn cues(&self) -> impl Iterator<Item = &'static str> {
        self.text.split('|')
    }

    fn sorted(&self) -> &Sorted {
        self.sorted.get_or_init(|| {
            let (unspaced, spaced): (Vec<&str>, Vec<&str>) =
                self.text.split('|').partition(|cue| cue.starts_with(is_unspaced));
            let places = sorted(spaced.len(), &|one, other| spaced[one].cmp(spaced[other]));
            Sorted { spaced: places.into_iter().map(|place| spaced[place].as_bytes()).collect(), unspaced }
        })
    }

    /// Whether `words`, in the form of [`bare_words`], contain a cue: as whole words in a script with spaces, anywhere in
    /// one without. `begun` is what [`beginnings`] returns for them.
    pub(super) fn is_in(&self, words: &str, begun: &[&[u8]]) -> bool {
        let Sorted { spaced, unspaced } = self.sorted();
        begun.iter().any(|words| begins(words, spaced))
            || !words.is_ascii() && unspaced.iter().any(|cue| within(words, cue))
    }
}

/// Whether one of the sorted `cues` is the beginning of `words`, and ends with a word.
fn begins(words: &[u8], cues: &[&[u8]]) -> bool {
    let mut beginning = words;
    // The last cue up to a text shares more of its beginning with it than those before.
    while let Some(cue) = cues.partition_point(|cue| *cue <= beginning).checked_sub(1).and_then(|at| cues.get(at)) {
        let shared = cue.iter().zip(beginning).take_while(|(one, other)| one == other).count();
        if shared == cue.len() && words.get(shared) == Some(&b' ') {
            return true;
        }
        let shorter = shared.min(cue.len() - 1);
        beginning = words.get(..shorter).unwrap_or(&[]);
        if beginning.is_empty() {
            return false;
        }
    }
    false
}

/// Whether `words`, in the form of [`bare_words`], contain a cue of `table`.
pub(super) fn holds(words: &str, table: &Table) -> bool {
    table.is_in(words, &beginnings(words))
}

/// The suffixes of `words` from each word on.
pub(super) fn beginnings(words: &str) -> Vec<&[u8]> {
    let spaces = words.bytes().enumerate().filter(|(_, byte)| *byte == b' ');
    spaces.filter_map(|(at, _)| words.as_bytes().get(at + 1..)).collect()
}

/// Whether `words` contain `cue`: as whole words in a script with spaces, anywhere in one without. Comparing the first
/// bytes of each word rejects most of the hundreds of cues faster than a substring search.
pub(super) fn has(words: &str, begun: &[&[u8]], cue: &str) -> bool {
    if cue.starts_with(is_unspaced) {
        return !words.is_ascii() && within(words, cue);
    }
    let cue = cue.as_bytes();
    let is_here = |words: &&[u8]| {
        words.first() == cue.first() && words.strip_prefix(cue).is_some_and(|after| after.first() == Some(&b' '))
    };
    begun.iter().any(is_here)
}

/// Whether its script has no spaces between words or, like Korean, endings that no list could contain.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(class(c), Class::Cjk | Class::Unspaced) || matches!(c, '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}')
}

static STRONG: Table = Table::new(
    "my name is|call me|i live|i lived|i work|i worked|i moved|i was born|i grew up|i study|i studied|i speak|\
i'm from|i am from|years old|allergic|allergy|diabetic|vegetarian|vegan|my wife|my husband|my son|my daughter|my mother|\
my father|my sister|my brother|my partner|my kids|my dog|my cat|my birthday|my job|my boss|my team|my company|my email|\
my phone|my address|my favorite|my favourite|i am a|i am an|i'm a|i'm an|i have a|i have an|i have two|i own|i use|we use|\
i like|i love|i prefer|i enjoy|i hate|i dislike|i don't like|i do not like|i don't eat|i can't stand|i'd rather|i always|\
i never|i usually|from now on|remember that|remember to|don't forget|keep in mind|decided|we agreed|we chose|i chose|\
let's use|let's go with|we'll use|we will use|going with|we settled on|we switched|must|must not|never|not allowed|deadline|\
at most|at least|no more than|required|\
toi ten|ten toi|ten minh|minh ten|em ten|toi la|minh la|toi song|minh song|toi o|minh o|nha toi|toi lam|minh lam|toi sinh|\
que toi|que minh|vo toi|chong toi|con toi|con trai toi|con gai toi|me toi|bo toi|toi thich|minh thich|em thich|anh thich|\
khong thich|toi ghet|toi yeu|yeu thich|di ung|an chay|tuoi|quyet dinh|thong nhat|da chot|tu gio|tu nay|luon luon|\
khong bao gio|khong duoc|bat buoc|han chot|toi da|it nhat|hay nho|nho rang|dung quen|sinh nhat|so dien thoai|khong an|uu tien|\
好き|嫌い|苦手|気に入|アレルギー|住んで|出身|勤めて|働いて|名前は|といいます|と申します|と呼んで|誕生日|歳です|歳になり|家族|\
妻は|妻が|夫は|夫が|息子|娘|ベジタリアン|食べられ|飼って|決めました|決めた|決まりました|決定|ことにした|ことにしました|必ず|絶対に|\
いけません|いけない|しないで|禁止|までに|締め切り|締切|予算|覚えて|忘れないで|今後は|これからは|以内|\
我叫|我是|我住|我喜欢|我喜歡|我不喜|我最喜|我讨厌|我不吃|过敏|過敏|生日|决定|決定|必须|必須|不要再|不能|记住|记得|以后|从现在起|\
最多|至少|截止|预算|我家|我妻|我丈夫|我儿子|我女儿|我妈|我爸|我在|\
ich heiße|mein name ist|ich wohne|ich lebe|ich arbeite|meine frau|mein mann|meine tochter|mein sohn|allergisch|ich mag|\
ich liebe|ich hasse|bevorzuge|lieber|beschlossen|entschieden|vereinbart|geeinigt|ab jetzt|ab sofort|kunftig|niemals|\
nie|darf nicht|durfen nicht|verboten|spatestens|frist|hochstens|mindestens|merk dir|vergiss nicht|geburtstag|\
je m'appelle|j'habite|je travaille|ma femme|mon mari|ma fille|mon fils|allergique|j'aime|je deteste|je prefere|\
avons decide|convenu|avons choisi|desormais|dorenavant|jamais|interdit|au plus tard|date limite|au maximum|au moins|\
n'oublie pas|rappelle toi|anniversaire|\
me llamo|vivo en|trabajo en|trabajo como|mi esposa|mi mujer|mi marido|mi hija|mi hijo|alergico|alergica|me gusta|\
me encanta|prefiero|decidimos|decidido|acordamos|acordado|a partir de ahora|nunca|prohibido|fecha limite|a mas tardar|\
como maximo|al menos|recuerda|no olvides|cumpleanos|\
me chamo|moro em|trabalho em|minha esposa|meu marido|minha filha|meu filho|gosto de|prefiro|combinamos|\
a partir de agora|proibido|prazo|no maximo|pelo menos|lembre|nao esqueca|aniversario|\
mi chiamo|abito a|lavoro a|lavoro come|mia moglie|mio marito|mia figlia|mio figlio|mi piace|preferisco|deciso|\
concordato|d'ora in poi|vietato|scadenza|al massimo|almeno|ricorda|non dimenticare|compleanno|\
ik heet|ik woon|ik werk|mijn vrouw|mijn man|mijn dochter|mijn zoon|ik hou van|liever|besloten|afgesproken|vanaf nu|\
nooit|mag niet|uiterlijk|maximaal|minstens|onthoud|vergeet niet|verjaardag|\
меня зовут|я живу|живу в|я работаю|работаю в|моя жена|мой муж|моя дочь|мой сын|аллергия|люблю|нравится|ненавижу|\
предпочитаю|решили|решено|договорились|выбрали|отныне|с этого момента|никогда|должен|должна|должны|нельзя|запрещено|\
срок|не позднее|не более|не менее|максимум|минимум|запомни|помни|не забудь|день рождения|\
이름은|살고|살아요|일하고|일해요|알레르기|좋아하|싫어|선호|결정했|정했|합의|앞으로는|절대|반드시|금지|마감|최대|최소|기억해|\
잊지|생일",
);

static WEAK: Table = Table::new(
    "i will|i'll|we will|we'll|going to|plan to|planning|planned|scheduled|meeting|appointment|flight|trip|due|\
starts|launch|release|i want|i need|we need|has to|have to|budget|cannot|always|only|please use|instead of|because|i bought|\
i started|i finished|i met|we met|i had|we had|i went|we went|i got|we got|i made|i've been|i have been|i just|i took|i joined|\
i signed up|i scored|i won|i learned|\
se|sap|ke hoach|du dinh|phai|can phai|lich hop|cuoc hop|chuyen bay|ngan sach|toi muon|minh muon|chi duyet|vi vay|\
予定|つもり|会議|出張|旅行|したい|なければ|必要|私は|私の|僕は|僕の|うちの|\
打算|计划|計劃|会议|需要|我想|我要|我的|\
important|note that|make sure|answer in|reply in|password|\
immer|muss|mussen|soll|sollen|wichtig|termin|plane|geplant|\
toujours|il faut|doit|doivent|prevu|rendez vous|\
siempre|debe|deben|hay que|importante|presupuesto|reunion|\
sempre|deve|devem|devono|bisogna|orcamento|reuniao|riunione|\
altijd|moet|moeten|belangrijk|afspraak|\
всегда|нужно|надо|важно|бюджет|встреча|планирую|\
항상|해야|중요|예산|회의|예정",
);

static TIME: Table = Table::new(
    "ngay mai|hom nay|hom qua|tuan sau|tuan toi|tuan nay|thang sau|thang toi|nam sau|cuoi tuan|chu nhat|\
thu hai|thu ba|thu tu|thu nam|thu sau|thu bay|thang|明日|明後日|昨日|今日|来週|来月|来年|今週|先週|週末|曜日|毎朝|毎日|毎週|\
明天|后天|昨天|下周|下个月|明年|周末|星期|每天|每周",
);

static SMALL_TALK: Table = Table::new(
    "thanks|thank you|hello|hi|hey|good morning|good night|bye|see you|sounds good|sounds great|congrats|no problem|a bit|\
a little|i'm sorry|i am sorry|be right back|i like it|i love it|i like that|i love that|let me know|you're welcome|haha|lol|\
i have a question|i'm a fan|never mind|must be|must have been|must've|i can see|\
cam on|xin chao|chao|tam biet|khong sao|khong co gi|da vang|xin loi|\
ありがとう|お疲れ|おはよう|こんにちは|こんばんは|了解|わかりました|よろしく|すみません|なるほど|いいですね|\
谢谢|謝謝|你好|您好|再见|没关系|不客气",
);

/// Phrases of corrections: an earlier statement no longer holds.
pub(super) const CORRECTING: &str = "actually|correction|instead|no longer|not anymore|anymore|changed to|changed my mind|moved to|\
turns out|i was wrong|scratch that|in fact|from now on|update|updated|\
thuc ra|dinh chinh|thay vi|khong con|doi thanh|doi sang|chuyen sang|cap nhat|\
訂正|実は|変更|やっぱり|ではなく|じゃなくて|更正|其实|其實|改成|改为|改為|不再|而是|\
eigentlich|korrektur|stattdessen|nicht mehr|geandert|verschoben|doch nicht|en fait|plutot|ne plus|a change|\
en realidad|en vez|ya no|ha cambiado|na verdade|em vez|mudou|in realta|invece|non piu|toch niet|in plaats van|\
на самом деле|исправление|вместо|больше не|перенесли|изменилось|사실은|정정|대신|변경";
static CORRECTS: Table = Table::new(CORRECTING);

/// Phrases of open questions and pending tasks.
static OPEN: Table = Table::new(
    "open question|still open|unresolved|undecided|not decided|to be decided|tbd|todo|pending|\
need to decide|find out|waiting for|follow up|not sure yet|\
chua quyet|chua ro|chua biet|can lam|cho phan hoi|未定|未決|保留|検討中|要確認|待定|待办|未解决|尚未|还没|\
noch offen|ungeklart|zu klaren|en attente|a decider|pendiente|por decidir|pendente|da decidere|nog open|\
не решено|не решили|нужно решить|под вопросом|미정|보류|확인 필요",
);

/// Negation words.
static NEGATING: Table = Table::new(
    "not|no|never|none|without|nothing|nobody|cannot|can't|don't|doesn't|didn't|isn't|aren't|wasn't|\
weren't|won't|wouldn't|shouldn't|haven't|hasn't|khong|chang|chua|dung|nicht|kein|keine|keinen|nie|niemals|ne|pas|jamais|\
nunca|ningun|sin|nao|nem|non|niet|geen|не|нет|никогда|ない|ません|なく|不|没|沒|无|無|未|别|않|못|없|안",
);

/// Endings of questions that need no mark, beside those in [`ends_asking`].
const ASKING: &str = "かな|呢|khong a|the nao|la gi";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_the_form_they_are_compared_in() {
        let tables = [&STRONG, &WEAK, &TIME, &SMALL_TALK, &CORRECTS, &OPEN, &NEGATING];
        for cue in tables.into_iter().flat_map(Table::cues).chain(ASKING.split('|')) {
            assert_eq!(bare_words(cue).trim(), cue);
            assert!(!cue.is_empty());
        }
    }

    #[test]
    fn words_are_whole() {
        let has = |words: &str, cue: &str| has(words, &beginnings(words), cue);
        assert!(has(" i must go ", "must"));
        assert!(!has(" the mustard ", "must"));
        assert!(has(" 私は犬が好きです ", "好き"));
    }

    #[test]
    fn a_table_is_in_the_words_that_one_of_its_cues_is_in() {
        let pieces =
            ["i", "i am", "am", "a", "an", "must", "mustard", "not", "ne", "nie", "犬が", "好き", "я", "живу в"];
        let table = Table::new("i am a|i|must not|nie|n|好き|живу в|am a|an");
        for mut number in 0..pieces.len().pow(3) {
            let mut words = String::from(" ");
            for _ in 0..3 {
                words += pieces[number % pieces.len()];
                words.push(' ');
                number /= pieces.len();
            }
            let begun = beginnings(&words);
            let found = table.cues().any(|cue| super::has(&words, &begun, cue));
            assert_eq!(table.is_in(&words, &begun), found, "{words:?}");
        }
        assert!(!table.is_in("", &[]));
    }
}
