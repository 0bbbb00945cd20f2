//! The weights of the best ranking, measured on dialogs and passages in four languages.

/// The weights of the best ranking. Bonuses are in units of the rarest term that an index of this size can have, so
/// that none of them outweighs two matching words.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The saturation of repeated words (BM25).
    pub k1: f64,
    /// The length normalisation (BM25).
    pub b: f64,
    /// `k1` for turns. Turns have a word once or twice: repetitions saturate sooner.
    pub turn_k1: f64,
    /// The number of words from which a turn is long. A constant and not the average: the long answers of an assistant
    /// would make each other look short.
    pub pivot: f64,
    /// The length normalisation of a turn up to the pivot. Short turns are not worth more for being short.
    pub turn_b: f64,
    /// The length normalisation beyond the pivot: 600 words contain each word of the question sooner or later.
    pub beyond: f64,
    /// The weight of a word that matches only without its accents.
    pub plain: f64,
    /// The weight of a part of a compound.
    pub part: f64,
    /// The weight of a single Han character or kana, beside the bigrams.
    pub single: f64,
    /// The weight of Hangul bigrams and Thai trigrams, beside the words and pairs.
    pub inner: f64,
    /// The share of a turn's words that the next turn gets, if the turn is a question.
    pub answer: f64,
    /// The share of a turn's words that the next one gets, and the previous one; multiplied by `decay` for each further
    /// one.
    pub after: f64,
    /// See `after`.
    pub before: f64,
    /// See `after`.
    pub decay: f64,
    /// The number of turns over which words are carried.
    pub reach: usize,
    /// Turns with more words than this give less of each word to their neighbours, and take less from them; for the
    /// length bonus, further words do not count.
    pub damp: u32,
    /// The most entries of a carried term: a more frequent one says little, and would take most of the time of a
    /// search.
    pub carried_of: usize,
    /// The most occurrences of a word that a turn can get from its neighbours.
    pub most_carried: f64,
    /// The weight of a word that names a speaker.
    pub name_word: f64,
    /// The bonus for turns of a speaker that the question names.
    pub speaker: f64,
    /// The bonus for entries of the day that the question names, less for each day away.
    pub date: f64,
    /// The number of days after which the date bonus is halved.
    pub date_days: f64,
    /// The bonus for turns that mention a time, if the question asks for one.
    pub time: f64,
    /// The bonus for turns with a number, if the question asks for one.
    pub number: f64,
    /// The bonus for turns with a name, if the question asks for one.
    pub name: f64,
    /// The bonus for long turns.
    pub length: f64,
    /// The bonus for turns that are not a question.
    pub tells: f64,
    /// The bonus for turns with a number or a quotation.
    pub detail: f64,
    /// The bonus for messages of the user, in a conversation with an assistant: facts about users come from them, and
    /// an answer of the assistant repeats the words of the question.
    pub user: f64,
    /// A question of the user with at most so many words gets neither of the two bonuses for users: it says nothing
    /// about them.
    pub only_asks: f64,
    /// The bonus for messages of the user, if the question is about `I` or `my`.
    pub mine: f64,
    /// The bonus for messages of the assistant, if the question asks for them. It outweighs `user` and `mine` together.
    pub assistant: f64,
    /// The bonus for standing instructions of the user that have a word of the question, or if it asks for help: they
    /// apply to more than their words say.
    pub standing: f64,
    /// The bonus for preferences of the user, if the question asks for help.
    pub preference: f64,
    /// The weight of words that only ask: `mention`, `conversation`.
    pub asking: f64,
    /// The bonus for importance.
    pub importance: f64,
    /// The bonus for a similar embedding.
    pub meaning: f64,
    /// The share of that which a turn gets from the next one.
    pub meaning_after: f64,
    /// The share of that which a turn gets from the previous one, if that is a question.
    pub meaning_asked: f64,
    /// The weight of words if embeddings are available.
    pub words_beside: f64,
    /// The weight of words similar in meaning, and the largest share of all entries that such a word may be in.
    pub alike: f64,
    /// See `alike`.
    pub alike_most: f64,
    /// The bonus for a similar whole-entry meaning, per standard deviation.
    pub pooled: f64,
    /// An entry with more words than this has similar words for any question: they and its whole meaning count less.
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
