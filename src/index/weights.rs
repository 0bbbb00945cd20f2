//! The numbers of the best ranking, as measured on dialogs and passages in four languages.

/// What the best ranking weighs. Bonuses are in units of the rarest term an index of this size can have, so that none of
/// them outweighs two good words.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// How soon more of the same word stops counting (BM25).
    pub k1: f64,
    /// How much a long entry has to hold more (BM25).
    pub b: f64,
    /// `k1` for what somebody said. Turns say a word once or twice: more of it soon stops counting.
    pub turn_k1: f64,
    /// From how many words on a turn is long. A constant and not the average: the long answers of an assistant would make
    /// each other look short.
    pub pivot: f64,
    /// How much the length of a turn counts up to the pivot. Short turns are not worth more for being short.
    pub turn_b: f64,
    /// How much the length counts beyond the pivot: 600 words hold each word of the question sooner or later.
    pub beyond: f64,
    /// A word found only without its accents.
    pub plain: f64,
    /// A part of a compound.
    pub part: f64,
    /// A single Han character or kana, beside the pairs.
    pub single: f64,
    /// Pairs of Hangul syllables, threes of Thai, beside the words and pairs.
    pub inner: f64,
    /// How much of a turn's words the one after it carries, if the turn is a question.
    pub answer: f64,
    /// How much of a turn's words the next one carries, and the one before; each further one that times `decay`.
    pub after: f64,
    /// See `after`.
    pub before: f64,
    /// See `after`.
    pub decay: f64,
    /// How many turns away words are carried.
    pub reach: usize,
    /// Turns of more words than this give less of each word to their neighbours, and take less from them; as words for
    /// the bonus for long turns, more do not count.
    pub damp: u32,
    /// What more entries hold than this is not carried: it says little, and would take most of the time of a search.
    pub carried_of: usize,
    /// How many occurrences of a word a turn can carry for its neighbours: what they say often, they do not say here.
    pub most_carried: f64,
    /// The weight of a word that names a speaker.
    pub name_word: f64,
    /// For turns of a speaker that the question names.
    pub speaker: f64,
    /// For entries of the day that the question names, less for each day away.
    pub date: f64,
    /// After how many days that is half.
    pub date_days: f64,
    /// For turns that speak of a time, if that is asked for.
    pub time: f64,
    /// For turns with a number, if that is asked for.
    pub number: f64,
    /// For turns with a name, if that is asked for.
    pub name: f64,
    /// For long turns.
    pub length: f64,
    /// For turns that are no question.
    pub tells: f64,
    /// For turns with a number or a quotation.
    pub detail: f64,
    /// For what the user said, in a conversation with an assistant: facts about users come from them, and an answer of the
    /// assistant repeats the words of the question.
    pub user: f64,
    /// Up to so many words, a question of the user tells nothing of them: neither of the two bonuses is for it.
    pub only_asks: f64,
    /// For what the user said, if the question is about `I` or `my`.
    pub mine: f64,
    /// For what the assistant said, if that is asked for. It outweighs `user` and `mine` together.
    pub assistant: f64,
    /// For standing instructions of the user that have a word of the question, or if it asks for help: they hold for more
    /// than their words say.
    pub standing: f64,
    /// For preferences of the user, if the question asks for help.
    pub preference: f64,
    /// The weight of words that only ask: `mention`, `conversation`.
    pub asking: f64,
    /// For what is important.
    pub importance: f64,
    /// For what means the same, as an embedder sees it.
    pub meaning: f64,
    /// How much of that a turn has from the next one.
    pub meaning_after: f64,
    /// How much of that a turn has from the one before, if that asks.
    pub meaning_asked: f64,
    /// What words count for beside it.
    pub words_beside: f64,
    /// What words like those of the question count for beside the words themselves, and in which share of all entries one
    /// may be that counts.
    pub alike: f64,
    /// See `alike`.
    pub alike_most: f64,
    /// What it counts for that an entry as a whole is about what the question is about, for each standard deviation.
    pub pooled: f64,
    /// An entry of more words than this holds words like any: such words, and what it is about, count less in it.
    pub alike_long: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            k1: 0.9,
            b: 0.6,
            turn_k1: 0.63,
            pivot: 40.0,
            turn_b: 0.2,
            beyond: 1.0,
            plain: 0.3,
            part: 0.25,
            single: 0.5,
            inner: 0.7,
            answer: 1.0,
            after: 0.35,
            before: 0.3,
            decay: 0.6,
            reach: 4,
            damp: 60,
            carried_of: 1000,
            most_carried: 0.7,
            name_word: 0.15,
            speaker: 0.65,
            date: 1.0,
            date_days: 5.0,
            time: 0.3,
            number: 0.4,
            name: 0.2,
            length: 0.2,
            tells: 0.2,
            detail: 0.1,
            user: 0.3,
            only_asks: 8.0,
            mine: 0.3,
            assistant: 0.6,
            standing: 0.5,
            preference: 0.3,
            asking: 0.3,
            importance: 0.05,
            meaning: 2.0,
            meaning_after: 0.4,
            meaning_asked: 0.4,
            words_beside: 0.7,
            alike: 1.0,
            alike_most: 0.3,
            pooled: 0.05,
            alike_long: 100.0,
        }
    }
}
