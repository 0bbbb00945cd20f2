//! Classifies turns of a conversation with an assistant by their words: standing instructions, preferences; and
//! questions: about the user, about the assistant's messages, for help.
//!
//! The tables are in the form of [`bare_words`]. Each language has its few most common phrases.

use super::bare::bare_words;
use super::cues::{Table, holds};
use super::marks::is_break;

/// Long turns have instructions in their beginning; the rest is material.
const INSTRUCTS_WITHIN: usize = 400;
const PREFERS_WITHIN: usize = 600;

/// Whether a sentence near the beginning of a turn is a standing instruction.
pub(super) fn is_standing(text: &str) -> bool {
    let beginning = beginning(text, INSTRUCTS_WITHIN);
    let mut sentences = beginning.split(is_break);
    let begins = |sentence: &str| {
        let words = bare_words(sentence);
        let words = words.trim_start();
        let words = COURTESY.split('|').find_map(|word| words.strip_prefix(word)).unwrap_or(words).trim_start();
        STANDING.split('|').any(|cue| {
            let after = words.strip_prefix(cue);
            after.is_some_and(|after| after.starts_with(' ') || !cue.is_ascii() && !cue.ends_with(' '))
        })
    };
    sentences.any(begins) || holds(&bare_words(beginning), &WHEN_ASKED)
}

/// Whether a turn states near its beginning what the user prefers.
pub(super) fn prefers(text: &str) -> bool {
    holds(&bare_words(beginning(text, PREFERS_WITHIN)), &PREFERRING)
}

/// The subject of a question beside its words.
#[derive(Default)]
pub(super) struct About {
    /// The asking user.
    pub(super) mine: bool,
    /// Messages of the assistant.
    pub(super) assistant: bool,
    /// Help or advice.
    pub(super) help: bool,
}

impl About {
    pub(super) fn of(question: &str) -> Self {
        let words = bare_words(question);
        Self { mine: holds(&words, &MINE), assistant: holds(&words, &OF_ASSISTANT), help: holds(&words, &HELP) }
    }
}

fn beginning(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

const COURTESY: &str = "please|bitte|por favor|s'il te plait|s'il vous plait|per favore|пожалуйста|请";

const STANDING: &str = "always|never|from now on|whenever|every time|remember to|\
immer wenn|ab jetzt|ab sofort|jedes mal|toujours|desormais|chaque fois|siempre|nunca|de ahora en adelante|cada vez|\
sempre|a partir de agora|d'ora in poi|ogni volta|altijd|vanaf nu|всегда|никогда|отныне|каждый раз|\
luon|tu gio|moi khi|いつも|必ず|今後|これから|总是|始终|永远|每次|以后|从现在起|항상|앞으로|매번|절대";

static WHEN_ASKED: Table = Table::new(
    "when i ask|whenever i ask|wenn ich frage|quand je demande|cuando pregunte|когда я спрашиваю|khi toi hoi",
);

static PREFERRING: Table = Table::new(
    "i prefer|i'd prefer|would prefer|really prefer|much prefer|also prefer|i'd rather|i would rather|\
i favor|i favour|i like to|i'd like to|i would like to|my preference|rather than|instead of|\
bevorzuge|lieber|anstatt|prefere|plutot que|au lieu de|prefiero|en lugar de|en vez de|prefiro|em vez de|preferisco|\
invece di|liever|in plaats van|предпочитаю|вместо|toi thich|thay vi|方がいい|代わりに|更喜欢|而不是|선호|대신",
);

static MINE: Table = Table::new(
    "i|i'm|i've|i'd|my|me|mine|we|our|ich|mein|meine|meinen|meinem|meiner|mir|wir|unser|unsere|je|j'ai|mon|mes|nous|\
notre|mi|mis|yo|nuestro|nuestra|eu|meu|minha|io|mio|mia|ik|mijn|я|меня|мне|мой|моя|мое|мои|моего|моей|мы|наш|наша|\
toi|cua toi|minh|私|僕|我|내|제가|나는|저는|우리",
);

static OF_ASSISTANT: Table = Table::new(
    "did you|have you|had you|were you|you recommend|you recommended|you suggest|you suggested|you say|\
you said|you told|you mention|you mentioned|you explain|you explained|you give|you gave|you list|you listed|you propose|\
you proposed|you advise|you advised|your advice|your answer|your recommendation|your recommendations|your suggestion|\
your suggestions|your explanation|hast du|haben sie|du gesagt|dein vorschlag|deine antwort|as tu|avez vous|tu as dit|\
me dijiste|me recomendaste|me sugeriste|voce disse|hai detto|ты сказал|ты посоветовал|вы сказали|ban da noi|\
あなたが|你说|你建议|你推荐|말했|추천했",
);

static HELP: Table = Table::new(
    "should|could you|can you|would you|recommend|suggest|advice|how do i|how can i|how should i|help me|show me|\
soll ich|sollte ich|kannst du|konntest du|empfiehl|hilf mir|wie kann ich|peux tu|pouvez vous|conseille|aide moi|\
puedes|podrias|recomienda|ayudame|como puedo|pode|puoi|aiutami|kun je|посоветуй|помоги|можешь|как мне|\
giup toi|lam sao|おすすめ|教えて|手伝って|推荐|建议|帮我|怎么|추천|도와",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_in_the_form_they_are_compared_in() {
        let tables = [&WHEN_ASKED, &PREFERRING, &MINE, &OF_ASSISTANT, &HELP];
        let lists = [COURTESY, STANDING].into_iter().flat_map(|list| list.split('|'));
        for cue in tables.into_iter().flat_map(Table::cues).chain(lists) {
            assert_eq!(bare_words(cue).trim(), cue);
            assert!(!cue.is_empty());
        }
    }

    #[test]
    fn instructions_stand_where_a_sentence_begins_with_them() {
        for text in [
            "Always answer in metric units.",
            "Thanks! Please never use tabs in my code.",
            "I want short replies when I ask about the weather.",
            "Bitte ab jetzt nur kurze Antworten.",
            "以后请用中文回答。",
            "これからは敬語で答えてください。",
            "Всегда отвечай кратко.",
        ] {
            assert!(is_standing(text), "{text}");
        }
        for text in ["I have always lived here.", "We never met.", "It is nearly always cold", ""] {
            assert!(!is_standing(text), "{text}");
        }
    }

    #[test]
    fn questions_tell_whose_words_they_want() {
        let about = |text: &str| {
            let About { mine, assistant, help } = About::of(text);
            (mine, assistant, help)
        };
        assert_eq!(about("Which city did I move to?"), (true, false, false));
        assert_eq!(about("What did you recommend for the trip?"), (false, true, true));
        assert_eq!(about("How should I set up my tests?"), (true, false, true));
        assert_eq!(about("Wie heißt mein Hund?"), (true, false, false));
        assert_eq!(about("我的狗叫什么？"), (true, false, false));
        assert_eq!(about("Who painted the lake?"), (false, false, false));
    }
}
