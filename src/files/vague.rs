//! Phrases that are not actionable, by language, and their match with a line.

use super::names::same;
use crate::text::{bare, is_pause};

/// In scripts with spaces: whole words, anywhere in a line, lowercase.
const WORDS: [&str; 15] = [
    "stuff|maybe|perhaps|something|somehow|someday|sometime|some point|whatever|various things|some things|few things|\
     bunch of things|odds and ends|etc|misc|wip|tbd|tba|tbc|work in progress|to be decided|to be defined|\
     to be determined|to be discussed|not sure yet",
    // Vietnamese
    "linh tinh|lặt vặt|vài thứ|mấy thứ|các thứ|vài việc|mấy việc|cái gì đó|gì đó|khi nào đó|lúc nào đó|hôm nào đó|\
     bữa nào đó|khi nào rảnh|lúc nào rảnh|vân vân|có lẽ|có thể sẽ|chắc là|để sau|tính sau|xem sau|làm sau|sửa sau",
    // Spanish
    "quizá|quizás|tal vez|algún día|algunas cosas|varias cosas|más tarde|más adelante|ya veremos|luego vemos|\
     de alguna manera|cosillas",
    // Portuguese
    "talvez|algum dia|algumas coisas|umas coisas|várias coisas|mais tarde|depois eu vejo|depois vejo|qualquer coisa|\
     um dia desses|de algum jeito",
    // French
    "peut être|peut-être|plus tard|des trucs|quelques trucs|divers trucs|quelque chose|on verra|\
     d'une manière ou d'une autre",
    // German
    "vielleicht|irgendwas|irgendetwas|irgendwie|irgendwann|später mal|mal schauen|mal sehen|kram|diverses|\
     verschiedenes|dies und das|usw",
    // Italian
    "forse|qualcosa|prima o poi|più tardi|varie cose|alcune cose|in qualche modo|si vedrà|vediamo dopo",
    // Dutch
    "misschien|ooit|dingetjes|van alles|enzovoort",
    // Russian
    "может быть|возможно|как-нибудь|когда-нибудь|что-нибудь|что-то|всякое|разное|потом разберемся|потом разберёмся|\
     потом посмотрим|и так далее",
    // Polish
    "może kiedyś|kiedyś|coś tam|jakoś|różne rzeczy|później się zobaczy",
    // Turkish
    "belki|bir ara|bir şeyler|falan filan|sonra bakarız",
    // Indonesian
    "mungkin|kapan-kapan|nanti saja|nanti dulu|macam-macam|dan lain-lain|sesuatu",
    // Korean
    "나중에|언젠가|아마|아마도|이것저것|대충|뭔가|기타 등등|어떻게든",
    // Arabic
    "ربما|لاحقا|فيما بعد|يوما ما|أشياء|شيء ما",
    // Hindi
    "शायद|बाद में|कभी न कभी|कुछ चीज़ें|कुछ चीजें|वगैरह",
];

/// The same, where they end a line.
const LAST_WORDS: &str = "later|things|sau này|luego|потом|nanti";

/// In scripts without spaces: anywhere.
const RUNS: &str = "あとで|いつか|なんとか|とりあえず|適当に|いろいろ|色々|何かしら|検討中|追々|後回し|回头再|回頭再|有空再|\
     有时间再|有時間再|稍后|稍後|晚点再|晚點再|过几天|過幾天|随便|隨便|也许|也許|或许|或許|说不定|說不定|某些事|一些事情|\
     一些东西|一些東西|杂七杂八|雜七雜八|什么的|什麼的|等等|ทีหลัง|ภายหลัง|อาจจะ|บางอย่าง|อะไรสักอย่าง|สักวัน|ฯลฯ";

/// The same, but after a Han character they are part of another word: 午後で is the afternoon, 更改天数 changes days, and
/// 部署之后再 says after what.
const RUNS_APART: &str = "後で|何か|改天|以后再|以後再|之后再|之後再|待定";

/// Whether a line of a list is not actionable.
pub(super) fn is_vague(line: &str) -> bool {
    let words = words(line);
    let whole = folded(&words.join(" "));
    let said = |phrase: &str| (0..words.len()).any(|at| begins_with(words.get(at..).unwrap_or(&[]), phrase));
    let last = |phrase: &str| {
        let count = phrase.split(' ').count();
        words.len().checked_sub(count).is_some_and(|at| begins_with(words.get(at..).unwrap_or(&[]), phrase))
    };
    WORDS.iter().any(|phrases| phrases.split('|').any(said))
        || LAST_WORDS.split('|').any(last)
        || RUNS.split('|').any(|run| whole.contains(&folded(run)))
        || RUNS_APART.split('|').any(|run| stands_apart(&whole, &folded(run)))
}

/// Whether a line's words begin with those of a phrase. Words without accents match, because many people type them so;
/// but words with other accents do not: `máy thu` is a receiver, and not `mấy thứ`.
fn begins_with(words: &[String], phrase: &str) -> bool {
    let fits = |(word, known): (&String, &str)| {
        // Combining accents are not composed here.
        let loose = word.is_ascii() || word.chars().any(|c| bare(c).is_none());
        word == known || (loose && folded(word) == folded(known))
    };
    let count = phrase.split(' ').count();
    words.len() >= count && words.iter().zip(phrase.split(' ')).all(fits)
}

/// Whether a heading is only a word for anything.
pub(super) fn is_vague_heading(title: &str) -> bool {
    ["things", "stuff", "misc", "linh tinh", "その他いろいろ", "杂项"].iter().any(|name| same(title, name))
}

fn stands_apart(text: &str, run: &str) -> bool {
    let han = |c: char| matches!(c, '\u{3400}'..='\u{9fff}' | '々');
    text.match_indices(run)
        .any(|(at, _)| !text.get(..at).and_then(|before| before.chars().next_back()).is_some_and(han))
}

/// The compared form: lowercase, without accents.
fn folded(text: &str) -> String {
    text.chars().filter_map(bare).collect()
}

/// The words of a line. Code is skipped, and a compound name is none of its words: `maybe-uninitialised`,
/// `src/misc/a.rs`, `stuff_of(x)`.
fn words(line: &str) -> Vec<String> {
    // Every second part is between backticks.
    let prose: Vec<&str> = line.split('`').step_by(2).collect();
    let outside = |c: char| !c.is_alphanumeric() && bare(c).is_some();
    let mut words = Vec::new();
    for word in prose.join(" · ").split_whitespace() {
        // Many languages have no space after a stop or a comma.
        let parts = word.split(is_pause);
        let parts = parts.map(|part| part.trim_matches(outside)).filter(|part| !part.is_empty());
        words.extend(parts.map(|part| part.chars().flat_map(char::to_lowercase).collect::<String>()));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a38_words_count_whole_and_names_made_of_them_do_not() {
        for line in [
            "- stuff",
            "- [ ] WIP.",
            "- fix it (maybe)",
            "- later",
            "- 後でやる",
            "- あとで、直す",
            "- Để sau",
            "- De sau",
        ] {
            assert!(is_vague(line), "{line}");
        }
        for line in [
            "- fix maybe-uninitialised",
            "- `stuff`",
            "- src/misc/a.rs",
            "- later fixes of the parser",
            "- 午後で終わる",
            "- etcd",
            "- lắp máy thu ở tầng 3",
            "- maybe_none()",
        ] {
            assert!(!is_vague(line), "{line}");
        }
    }
}
