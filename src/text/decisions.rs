//! Decisions in a text, and whether a later one replaces an earlier one.

use super::bare::bare_words;
use super::cues::{CORRECTING, Cues, is_unspaced};
use super::extract::named;
use super::markdown::{Blocks, Kind};
use super::overview::Phrases;
use super::salient::unmarked;
use super::sentences::Sentences;
use super::statement::{Relation, Told};
use super::stop::Telling;
use super::terms::{Role, terms};

/// The most bytes of a statement: a longer sentence is about more than one thing.
const LONGEST: usize = 600;

/// A sentence that states a decision, or that corrects something that may have been one.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement<'a> {
    /// The sentence, without the name of the speaker.
    pub text: &'a str,
    /// Whether it states a decision.
    pub decides: bool,
    /// Whether it corrects something, or reports a change.
    pub corrects: bool,
    /// Its content words.
    pub subject: Subject,
}

/// The content words of a statement, for [`corrects`] and [`repeats`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subject {
    words: Vec<String>,
    /// The words with a capital inside the sentence.
    names: Vec<String>,
}

/// The sentences of `text` that decide or correct, in order. Questions, code and open issues do not count.
pub fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    for block in Blocks::new(text).filter(|block| !matches!(block.kind, Kind::Code)) {
        for sentence in Sentences::new(text.get(block.range).unwrap_or("")) {
            let whole = unmarked(sentence).trim();
            // `Correction: …` is not a speaker.
            let (name, said) = named(whole);
            let sentence =
                if !name.is_empty() && Phrases::of(&bare_words(name)).hold_any(CORRECTING) { whole } else { said };
            if sentence.is_empty() || sentence.len() > LONGEST {
                continue;
            }
            let words = bare_words(sentence);
            let phrases = Phrases::of(&words);
            let decides = phrases.hold_any(DECIDING) && !phrases.hold_any(UNDECIDED);
            if !decides && !phrases.hold_any(CORRECTING) {
                continue;
            }
            let cues = Cues::of(sentence);
            if cues.asks || cues.open {
                continue;
            }
            let subject = Subject::of(sentence, &words, &phrases);
            found.push(Statement { text: sentence, decides, corrects: cues.corrects, subject });
        }
    }
    found
}

/// Whether a later statement corrects a decision, by its own words. In doubt it does not.
pub fn corrects(old: &Statement<'_>, new: &Statement<'_>) -> bool {
    let shared = old.subject.shared(&new.subject);
    let named = || old.subject.names.iter().any(|name| new.subject.words.contains(name));
    new.corrects
        && if new.decides { shared >= 2 || named() } else { shared >= 2 && shared * 2 >= old.subject.words.len() }
}

/// Whether a later statement repeats a decision, or says something else about the same thing. `decompose` gives a text
/// in NFKD. Statements without common words are not compared; `left` limits the number of comparisons, which are
/// expensive.
pub fn repeats(old: &Statement<'_>, new: &Statement<'_>, left: &mut usize, decompose: &dyn Fn(&str) -> String) -> bool {
    if old.text == new.text {
        return true;
    }
    if *left == 0 || old.subject.shared(&new.subject) * 2 < old.subject.words.len().max(1) {
        return false;
    }
    *left -= 1;
    Told::new(&decompose(new.text)).relation(&Told::new(&decompose(old.text))) != Relation::Different
}

/// The sentences of `text` with one of these terms, which are in the form of the index.
pub fn about(text: &str, sought: &[String], decompose: &dyn Fn(&str) -> String) -> String {
    let holds = |sentence: &&str| {
        let mut found = false;
        terms(&decompose(sentence), &mut |term| {
            found |= term.role.in_best() && sought.iter().any(|known| known == term.text);
        });
        found
    };
    Sentences::new(text).filter(holds).collect()
}

impl Subject {
    /// The number of common words.
    fn shared(&self, other: &Self) -> usize {
        self.words.iter().filter(|word| other.words.contains(word)).count()
    }

    /// The words of a sentence without stop words and the phrases that decide or correct.
    fn of(sentence: &str, words: &str, phrases: &Phrases<'_>) -> Self {
        let mut rest = words.to_owned();
        for cue in DECIDING.split('|').chain(CORRECTING.split('|')).filter(|cue| phrases.hold(cue)) {
            rest = match cue.starts_with(is_unspaced) {
                true => rest.replace(cue, " "),
                false => rest.replace(&format!(" {cue} "), "  "),
            };
        }
        let (mut found, mut telling): (Vec<String>, Telling) = (Vec::new(), Telling::default());
        terms(&rest, &mut |term| {
            let wanted = telling.is_told(&term) && term.role != Role::Picture;
            if wanted && !found.iter().any(|known| known == term.text) {
                found.push(term.text.to_owned());
            }
        });
        let mut names = Vec::new();
        terms(sentence, &mut |word| {
            if word.role == Role::Word && word.capital && word.position > 0 {
                terms(&bare_words(word.text), &mut |term| {
                    if term.role == Role::Stem && found.iter().any(|known| known == term.text) {
                        names.push(term.text.to_owned());
                    }
                });
            }
        });
        Self { words: found, names }
    }
}

/// Phrases of decisions.
const DECIDING: &str = "decided|agreed to|agreed on|agreed that|we agreed|we chose|i chose|we picked|i picked|let's use|\
let's go with|we'll use|we will use|we'll go with|we will go with|going with|settled on|we switched|i switched|opted for|\
we concluded|the decision is|final decision|made up my mind|\
beschlossen|entschieden|vereinbart|geeinigt|festgelegt|entschlossen|\
avons decide|ai decide|a decide|est decide|avons convenu|avons choisi|ai choisi|avons opte|mis d'accord|on part sur|\
decidimos|hemos decidido|he decidido|decidi|acordamos|hemos acordado|elegimos|hemos elegido|optamos|quedamos en|\
combinamos|escolhemos|concordamos|ficou decidido|\
deciso|concordato|abbiamo scelto|abbiamo optato|besloten|afgesproken|gekozen voor|\
решили|решил|решила|решено|договорились|выбрали|приняли решение|остановились на|\
quyet dinh|thong nhat|da chot|chot lai|da chon|\
決めました|決めた|決まりました|決まった|決定しました|決定した|ことにした|ことにしました|ことになりました|に決定|\
决定|決定用|商定|定下来|选定|選定|达成一致|敲定|\
결정했|정했|합의했|기로 했|선택했";

/// Phrases of open decisions.
const UNDECIDED: &str = "haven't decided|have not decided|hasn't decided|has not decided|not yet decided|not decided|\
didn't decide|can't decide|couldn't decide|nobody decided|nicht entschieden|nicht beschlossen|pas decide|pas encore decide|\
no hemos decidido|no he decidido|nao decidimos|nao decidi|non ho deciso|non abbiamo deciso|niet besloten|\
не решили|не решил|не решила|не решено|не договорились|chua quyet dinh|chua thong nhat|chua chot|\
まだ決|决定不了|没有决定|还没决定|尚未决定|아직 결정|결정하지 않|결정 못";

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(text: &str) -> Vec<&str> {
        statements(text).into_iter().filter(|statement| statement.decides).map(|statement| statement.text).collect()
    }

    #[test]
    fn the_tables_are_in_the_form_they_are_compared_in() {
        for cue in [DECIDING, UNDECIDED].into_iter().flat_map(|table| table.split('|')) {
            assert_eq!(bare_words(cue).trim(), cue);
            assert!(!cue.is_empty());
        }
    }

    #[test]
    fn decisions_are_told_from_questions_code_and_what_is_open() {
        let text = "user: We decided to rent the hall. Nice!\n\n```\nwe decided nothing\n```\n- Let's go with blue.\n\
                    Have you decided?\nWe haven't decided on a band.";
        assert_eq!(decided(text), ["We decided to rent the hall.", "Let's go with blue."]);
        for sentence in [
            "Wir haben uns auf Freitag geeinigt.",
            "Nous avons décidé de partir en train.",
            "Decidimos usar el color azul.",
            "Combinamos de viajar em maio.",
            "Мы решили снять зал.",
            "Chúng tôi đã quyết định thuê hội trường.",
            "会場を借りることにしました。",
            "我们决定租一个大厅。",
            "홀을 빌리기로 했어요.",
        ] {
            assert_eq!(decided(sentence), [sentence]);
        }
    }

    #[test]
    fn a_correction_replaces_what_it_corrects_and_nothing_else() {
        let replaced = |old: &str, new: &str| {
            let (old, new) = (statements(old), statements(new));
            corrects(&old[0], &new[0]) || repeats(&old[0], &new[0], &mut 9, &|text| text.to_owned())
        };
        let old = "We decided to bake the bread in the north oven.";
        assert!(replaced(old, "Actually, we decided to bake the bread in the south oven."));
        assert!(replaced(old, "Correction: bake the bread in the south oven."));
        assert!(replaced(old, old));
        assert!(!replaced(old, "We decided to bake the rolls in the north oven too."));
        assert!(!replaced(old, "Actually, we decided to buy a van instead."));
        // A name is recognised even without a space before it.
        assert!(replaced("データベースはPostgreSQLに決めました。", "やっぱりPostgreSQLをやめてMySQLに決めました。"));
        assert!(replaced("数据库决定用PostgreSQL。", "其实我们决定不用PostgreSQL了。"));
        assert!(!replaced("データベースはPostgreSQLに決めました。", "やっぱり昼食はPizzaに決めました。"));
    }
}
