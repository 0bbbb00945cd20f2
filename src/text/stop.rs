//! Stop words: words without meaning of their own in a question. They are left out of queries, never out of the index.

use super::listed::Listed;
use super::terms::{Role, Term};

/// Whether `word`, folded, is a stop word: article, pronoun, auxiliary, question word.
pub(super) fn is_stop(word: &str) -> bool {
    STOP.has(word)
        || word.ends_with("n't")
        || word.split_once('\'').is_some_and(|(head, tail)| tail.len() <= 2 && STOP.has(head))
}

/// Decides for the terms of a text, in order, whether they carry meaning.
#[derive(Default)]
pub(super) struct Telling {
    stop: bool,
}

impl Telling {
    /// Whether the next term carries meaning.
    pub(super) fn is_told(&mut self, term: &Term<'_>) -> bool {
        match term.role {
            Role::Word => {
                self.stop = is_stop(term.text);
                false
            }
            Role::Stem => !self.stop,
            // Pairs of hiragana are mostly grammar.
            Role::Pair => !term.text.chars().all(|c| matches!(c, 'ぁ'..='ゟ')),
            Role::Lone | Role::Inner | Role::Picture => true,
            Role::Plain | Role::Part | Role::Single => false,
        }
    }
}

/// Whether `word`, folded, asks for a report. Such words are hardly in the reported text.
pub(super) fn is_asking(word: &str) -> bool {
    ASKING.has(word)
}

static ASKING: Listed = Listed::new(
    "\
    across chat conversation conversations different discuss discussed earlier give help item items list \
    mention mentioned only order please previously provide said say show tell throughout told various",
);

/// Whether a question of these words, folded, is probably English: a fifth of them are common function words of English
/// that German does not have. Keywords without accents or function words may be of any language: then `home` says
/// whether the memory is in English.
pub(super) fn is_english<'a>(words: impl Iterator<Item = &'a str> + Clone, home: &dyn Fn() -> bool) -> bool {
    let common = |word: &&str| word.is_ascii() && is_stop(word) && !matches!(*word, "in" | "was");
    let common = words.clone().filter(common).count();
    let mut keywords = words.clone();
    5 * common >= words.count()
        || common == 0 && keywords.all(|word| word.is_ascii() && !is_stop_elsewhere(word)) && home()
}

/// Whether `word`, folded, is a stop word of another language. Some of these mean something in English.
pub(super) fn is_stop_elsewhere(word: &str) -> bool {
    ELSEWHERE.has(word)
}

/// Articles, prepositions, auxiliaries and question words: German, Spanish, French, Portuguese, Italian, Romanian,
/// Dutch, Turkish, Polish, Russian, Greek, Arabic, Hindi, Hebrew, Persian. None is a common noun of English, because a
/// few keywords can be mistaken for another language.
static ELSEWHERE: Listed = Listed::new(
    "\
    der das des dem ein eine einer eines einem einen und von zu im mit fu\u{308}r auf bei nach aus als hat ist \
    sind wird wurde wurden wie wer wo wann warum welche welcher welches welchen \
    que\u{301} que quie\u{301}n cua\u{301}l cua\u{301}les cua\u{301}ndo do\u{301}nde co\u{301}mo como \
    cua\u{301}nto cua\u{301}ntos cua\u{301}ntas el la los las de del en un una por para se su fue \
    quel quelle quels quelles qui ou\u{300} quand comment combien le les du une et dans est pour par au \
    qual quais quem onde quando quanto quantos quantas foi os da dos em na uma \
    che chi quale quali dove quanti quante il gli di della nel \
    cine ca\u{302}nd unde cum ca\u{302}t\u{327}i ca\u{302}te ce din pe cu este fost \
    welke wat waar wanneer hoe het een van op met voor \
    ne nerede nasıl hangi kac\u{327} neden ve bir bu ic\u{327}in ile \
    co kto gdzie kiedy jak jaki jaka jakie czy sie\u{328} jest \
    что кто как где когда какои\u{306} какая какие какое каким каких сколько почему был была было были на по \
    для из от это \
    τι ποιοσ ποια ποιο ποιοι που που\u{301} ποτε πο\u{301}τε πο\u{301}σα πο\u{301}σοι πο\u{301}σο πω\u{301}σ \
    το τα των του τησ την τον και σε με στο στη απο\u{301} για η\u{301}ταν \
    ما من هو هي متي اين كيف كم لماذا ماذا في علي الي عن التي الذي كان كانت هل \
    क्या कौन कब कहाँ कैसे कितने किस किसने में के की का को से है हैं था थे थी ने पर और \
    את של מה מי מתי איפה על עם \
    را از به در كه با چه كسي كي كجا",
);

/// English, and the commonest of Vietnamese (in NFKD, as all text here) that are no words of English.
static STOP: Listed = Listed::new(
    "\
    a about after all also am an and any are as at be because been before being both but by can could co\u{301} \
    cu\u{309}a did do does doing done during each for from gi\u{300} had has have having he her hers herself \
    him himself his how i if in into is it its itself just la\u{300} many may me might more most much must my \
    myself na\u{300}o no nor not of on or other our ours out over own shall she should so some such than that \
    the their theirs them then there these they this those through to too up us va\u{300} very was we were what \
    when where which while who whom whose why will with would you your yours đo\u{301}",
);

/// The text with the question words of Japanese and Chinese, which have no spaces around them, replaced by spaces.
pub(super) fn without_question_words(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let mut out = String::new();
    let mut rest = text;
    let mut found = false;
    while let Some(first) = rest.chars().next() {
        let word = QUESTION.split(' ').filter(|_| !first.is_ascii()).find(|word| rest.starts_with(word));
        found |= word.is_some();
        out.push(if word.is_some() { ' ' } else { first });
        rest = rest.get(word.map_or(first.len_utf8(), str::len)..).unwrap_or("");
    }
    found.then_some(out)
}

/// Longer ones first.
const QUESTION: &str = "\
    て\u{3099}しょうか と\u{3099}のよう 何て\u{3099}すか て\u{3099}すか と\u{3099}んな ましたか いくつ いくら \
    た\u{3099}れ と\u{3099}こ と\u{3099}の と\u{3099}れ なせ\u{3099} ますか 为什么 為什麼 いつ 为何 什么 什麼 何时 \
    多少 如何 怎么 怎麼 何 哪 誰 谁";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_apart_by_their_small_words() {
        let english = |text: &str| is_english(text.split(' '), &|| true);
        for text in ["where did she paint the lake", "sunrise", "paint lake", "how is it"] {
            assert!(english(text), "{text}");
        }
        for text in ["was wurde in köln gebaut", "где книга", "wann wurde die kirche in köln gebaut", "ngôi nhà ở đâu"]
        {
            assert!(!english(text), "{text}");
        }
        assert!(!is_english("alte kirchen".split(' '), &|| false) && is_english("the lake".split(' '), &|| false));
        for word in ["welche", "fu\u{308}r", "que\u{301}", "какои\u{306}", "τησ", "में"] {
            assert!(is_stop_elsewhere(word), "{word}");
        }
        for word in ["", "đa\u{300}", "me\u{323}", "kirche", "cat", "care", "war", "die"] {
            assert!(!is_stop_elsewhere(word), "{word}");
        }
    }

    #[test]
    fn the_list_knows_contractions() {
        for word in ["what", "didn't", "they're", "i'm"] {
            assert!(is_stop(word), "{word}");
        }
        for word in ["paint", "o'clock", "việt"] {
            assert!(!is_stop(word), "{word}");
        }
    }
}
