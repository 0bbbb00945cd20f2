//! Questions for an overview or a chronology: they name no subject, so no search finds an answer by their words.
//!
//! English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Vietnamese, Japanese, Chinese and Korean. The
//! table is in the form of [`bare_words`], like the other tables of phrases.

use super::bare::bare_words;
use super::cues::{beginnings, has};
use super::sentences::Sentences;
use super::summary::cut;

/// The most bytes of a sentence, and the most sentences: a longer question has a subject of its own.
const LONGEST: usize = 400;
const SENTENCES: usize = 6;
const CHARS: usize = 2000;

/// Whether a question asks for an overview of the past, for decisions, or for a chronology.
pub fn asks_for_overview(question: &str) -> bool {
    let question = cut(question.trim(), CHARS);
    let mut sentences = Sentences::new(question).filter(|sentence| sentence.len() <= LONGEST).take(SENTENCES);
    sentences.any(|sentence| {
        let words = bare_words(sentence);
        let phrases = Phrases::of(&words);
        PATTERNS.iter().any(|pattern| pattern.iter().all(|table| phrases.hold_any(table)))
    })
}

/// A sentence in the form of [`bare_words`], for many phrase lookups.
pub(super) struct Phrases<'a> {
    words: &'a str,
    begun: Vec<&'a [u8]>,
}

impl<'a> Phrases<'a> {
    pub(super) fn of(words: &'a str) -> Self {
        Self { words, begun: beginnings(words) }
    }

    /// Whether a phrase occurs: as whole words, of which the last is a prefix if `*` follows; anywhere in a script
    /// without spaces.
    pub(super) fn hold(&self, phrase: &str) -> bool {
        match phrase.strip_suffix('*') {
            Some(open) => self.begun.iter().any(|words| words.starts_with(open.as_bytes())),
            None => has(self.words, &self.begun, phrase),
        }
    }

    /// Whether one of the phrases of a table occurs.
    pub(super) fn hold_any(&self, table: &str) -> bool {
        table.split('|').any(|phrase| self.hold(phrase))
    }
}

/// A sentence asks for an overview if it has a phrase of each line of one pattern, in any order.
const PATTERNS: &[&[&str]] = &[
    // English
    &[
        "what did we|what have we|what've we|what we|what we've|what were we|what had we|everything we|everything we've|\
all we|all that we|topics we|things we|decisions we|what topics|which topics|what decisions|which decisions|\
what conclusions|what subjects|what themes",
        "decide|decided|decisions|agree|agreed|discuss|discussed|discussing|talk about|talked about|talking about|cover|\
covered|work on|worked on|working on|gone over|went over|go over|doing|accomplish|accomplished|achieve|achieved|settle|\
settled|settle on|settled on|conclude|concluded|reach|reached|come up|came up|make|made|speak about|spoke about|\
gone through|went through",
    ],
    &["what did we do|what have we done|what we've done|what we have done|what all did we do"],
    &[
        "summarise|summarize|summary|summaries|summarised|summarized|sum up|recap|recapitulate|overview|rundown|synopsis|\
catch me up|fill me in|bring me up to speed|remind me|refresh my memory",
        "our|we|we've|we're|so far|until now|up to now|to date|till now|conversation|conversations|our chats|past chats|\
sessions|discussions|my project so far|my progress|i've told|i have told|i've shared|i told you",
        "our|we|we've|so far|until now|up to now|to date|till now|sessions|conversations|my progress|throughout|past|earlier|\
previous|discussed|summary|recap|overview|i've told|i have told|i told you|i've shared",
    ],
    &[
        "summarise how|summarize how|summary of how|overview of how|recap of how|recap how|summarise what|summarize what",
        "i|i've|my|we|our",
    ],
    &[
        "in what order|in which order|what order|order in which|chronological|chronologically|timeline|what sequence|\
in sequence|came first|in the order",
        "i|i've|i'd|my|we|we've|our|us",
    ],
    &[
        "conversation|conversations|our chats|sessions|discussions",
        "topics|themes|subjects|order|sequence|timeline|decisions|evolve|evolved|progress|progressed|developed|changed",
        "our|we|my|i",
        "what|which|list|how|show|tell",
    ],
    &["where did we leave off|where we left off|where did we stop|where we stopped"],
    &[
        "what have i|what did i|what i've",
        "worked on|been working on|work on|brought up|told you so far|asked you so far|helped me",
    ],
    &["what have you", "helped me with|done for me", "so far|until now|up to now|to date"],
    // German
    &[
        "was haben wir|was wir|woran haben wir|woran wir|woruber haben wir|woruber wir|wovon haben wir|worauf haben wir|\
worauf wir|was hatten wir|welche themen haben wir|welche themen hatten wir|welche entscheidungen|welche beschlusse|\
was wurde|was ist alles",
        "entschieden|beschlossen|besprochen|gemacht|getan|geschafft|gearbeitet|gesprochen|geredet|geeinigt|verstandigt|\
diskutiert|vereinbart|erledigt|behandelt|erreicht|festgelegt|getroffen|gefasst|themen|bisher",
    ],
    &[
        "fass|fasse|fassen|zusammenfassen|zusammenfassung|zusammengefasst|zusammenfasst|uberblick|ubersicht|ruckblick|\
rekapituliere|rekapitulieren|auf den neuesten stand",
        "unser|unsere|unseren|unserem|unserer|unseres|wir|bisher|bis jetzt|bislang|bis heute|unterhaltungen|sitzungen",
    ],
    &[
        "in welcher reihenfolge|reihenfolge|chronologisch|chronologische|chronologischer|zeitlicher abfolge",
        "ich|wir|mein|meine|meinen|unser|unsere|unseren",
    ],
    &["wo sind wir|wo waren wir|wo hatten wir|wo haben wir", "stehen geblieben|stehengeblieben|aufgehort|verblieben"],
    // French
    &[
        "avons nous|a t on|nous avons|on a|qu'avons nous|qu'a t on|avions nous",
        "quoi|qu'*|que|ce que|quelles decisions|quels sujets|quels themes|tout ce",
        "decide|decides|discute|parle|travaille|fait|convenu|aborde|abordes|prises|pris|conclu|accompli|evoque|mis d'accord",
    ],
    &[
        "resume*|resumer|recapitul*|synthese|vue d'ensemble|apercu|bilan|recap|faire le point|fais le point",
        "nous|notre|nos|on a|jusqu'ici|jusqu'a present|jusqu'a maintenant|depuis le debut|nos echanges",
    ],
    &["dans quel ordre|quel ordre|chronologi*|ordre dans lequel", "j'ai|ai je|je|nous|a t on|on a|mes|nos|notre"],
    &["ou en etions nous|ou en sommes nous|ou nous en sommes|ou nous en etions|ou en etait on|ou en est on"],
    // Spanish
    &[
        "que|lo que|cuales",
        "decidimos|hemos decidido|acordamos|hemos acordado|hablamos|hemos hablado|hemos trabajado|trabajamos|discutimos|\
hemos discutido|hicimos|hemos hecho|hemos tratado|hemos conversado|conversamos|decisiones tomamos|decisiones hemos|\
acuerdos llegamos|temas tratamos|temas hemos|hemos avanzado|hemos logrado|logramos",
    ],
    &[
        "resume|resumen|resumir|resumeme|resumenos|recapitul*|sintesis|panorama|vision general|repaso|repasa|repasemos|\
ponme al dia",
        "nuestro|nuestra|nuestros|nuestras|hemos|hasta ahora|hasta el momento|hasta aqui|hasta hoy|llevamos|hicimos|hablamos|\
decidimos|discutimos",
    ],
    &[
        "en que orden|que orden|orden en que|orden en el que|cronologic*|linea de tiempo",
        "mencione|hable|dije|plantee|propuse|pedi|pregunte|traje|trate|he|hemos|hicimos|hablamos|decidimos|discutimos|mis|\
nuestro|nuestra|nuestros|nuestras",
    ],
    &["donde nos quedamos|donde lo dejamos|en que nos quedamos|por donde ibamos"],
    // Portuguese
    &[
        "o que|em que|sobre o que|do que|de que|que decisoes|quais decisoes|que temas|quais temas|quais assuntos",
        "decidimos|combinamos|falamos|conversamos|trabalhamos|temos trabalhado|discutimos|fizemos|temos feito|acordamos|\
abordamos|concluimos|tomamos|temos discutido|temos falado",
        "o que|em que|sobre|do que|de que decidimos|de que falamos|decisoes|temas|assuntos",
    ],
    &[
        "resuma|resumo|resumir|resume|recapitul*|visao geral|panorama|sintese|retrospectiva",
        "nosso|nossa|nossos|nossas|ate agora|ate aqui|ate o momento|ate hoje|fizemos|discutimos|decidimos|falamos|\
conversamos|trabalhamos",
    ],
    &[
        "em que ordem|em qual ordem|qual a ordem|ordem em que|cronologic*|linha do tempo",
        "eu|meu|meus|minha|minhas|nosso|nossa|nossos|nossas|fizemos|falei|mencionei|pedi|falamos|discutimos|decidimos",
    ],
    &["onde paramos|onde ficamos|em que ponto paramos"],
    // Italian
    &[
        "cosa|quali decisioni|quali temi|quali argomenti|quello che",
        "abbiamo",
        "deciso|fatto|parlato|discusso|lavorato|concordato|trattato|preso|stabilito|concluso",
    ],
    &[
        "riassumi*|riassunto|riassumere|riepilog*|panoramica|ricapitol*|sintesi",
        "nostro|nostra|nostri|nostre|abbiamo|finora|fino a ora|fino ad ora|fin qui",
    ],
    &["in che ordine|in quale ordine|ordine in cui|cronologic*", "ho|abbiamo|miei|mie|nostro|nostra|nostri|nostre"],
    // Dutch
    &[
        "wat hebben we|wat hebben wij|waar hebben we|waaraan hebben we|waarover hebben we|welke beslissingen|\
welke onderwerpen|wat we",
        "besloten|besproken|gedaan|gewerkt|afgesproken|genomen|gesproken|bereikt|behandeld",
    ],
    &["vat|samenvat*|overzicht|recap", "ons|onze|we|wij|tot nu toe"],
    &["in welke volgorde|volgorde waarin|chronologisch*", "ik|we|wij|mijn|onze"],
    // Russian
    &[
        "над чем|о чем|о чём|что|какие|всё|все|на чем|на чём",
        "мы|нами",
        "решили|решали|работали|говорили|разговаривали|обсуждали|обсудили|делали|сделали|договорились|приняли|успели|\
обговорили|разобрали|достигли|остановились",
    ],
    &[
        "подведи*|подвести|резюм*|обзор|обобщи*|суммируй*|перескажи*|итог|итоги|сводк*|кратко",
        "наш|наша|наше|наши|нашего|нашей|наших|нашему|мы|до сих пор|на данный момент|на сегодняшнии день",
    ],
    &["в каком порядке|по порядку|хронолог*|последовательност*", "я|мы|мои|моих|наши|наших"],
    // Vietnamese
    &[
        "chung ta|chung minh|chung toi|bon minh",
        "gi|nhung gi|dieu gi|chuyen gi|viec gi|nhung viec nao|chu de nao|nhung chu de nao|quyet dinh nao|van de nao",
        "da lam|da quyet dinh|da ban|da noi|da thao luan|da trao doi|da thong nhat|da chot|da dat duoc|da hoan thanh|dang lam|\
lam duoc|da ra|da dua ra",
    ],
    &[
        "tom tat|tong ket|tong quan|diem lai|on lai|tom luoc|nhin lai|khai quat",
        "chung ta|chung minh|chung toi|bon minh|den gio|den nay|tu truoc den nay|cuoc tro chuyen|cuoc noi chuyen|da ban|da noi|\
da lam|da thong nhat|da quyet dinh|da thao luan",
    ],
    &[
        "theo thu tu nao|thu tu nao|theo thu tu|trinh tu nao|thu tu thoi gian|trinh tu thoi gian",
        "toi|minh|chung ta|chung minh|bon minh|em",
    ],
    &["chung ta|chung minh|bon minh", "dung lai o dau|dung o dau|den dau roi|toi dau roi"],
    // Japanese
    &[
        "これまで|ここまで|今まで|いままで|私たち|私達|我々|僕たち|一緒に|前回",
        "要約|まとめ|振り返|概要|おさらい|総括|経緯|流れを|何をし|何をや|何に取り組|何を話|何を決|何を議論|何について|どんな話|\
決定事項|決めたこと|話したこと|やったこと|話し合った|どこまで",
    ],
    &["何を決めまし|何を決めた|何が決ま|何を話し合|何を議論し|何について話し|どんな話をし"],
    &["どの順|どんな順|どういう順|時系列|順を追って", "私|僕|これまで|今まで|話し|進め|ましたか|経緯"],
    // Chinese
    &[
        "我们|我們|咱们|咱們",
        "什么|什麼|哪些|些啥|到哪|到哪里|到哪儿",
        "做了|做过|做過|做出|决定|決定|讨论|討論|聊了|聊过|聊到|谈了|谈过|談了|商量|说到|說到|完成了|达成|一起做|干了",
    ],
    &[
        "总结|總結|概括|概述|回顾|回顧|归纳|歸納|小结|梳理|汇总|复盘",
        "我们|我們|咱们|到目前|至今|迄今|到现在|我的项目|之前的对话|之前的對話|聊天记录",
    ],
    &["什么顺序|什麼順序|时间顺序|時間順序|先后顺序|先後順序|时间线|時間線", "我|咱"],
    // Korean
    &[
        "우리|저희|지금까지|여태|그동안|이제까지|지난번",
        "뭐|무엇|무슨|뭘|어떤|어디까지",
        "했|작업|결정|논의|이야기|얘기|나눴|다뤘|진행|합의",
    ],
    &["요약|정리해|정리 좀|개요|되짚|돌아보|돌아봐", "우리|지금까지|그동안|여태|이제까지|나눈"],
    &["어떤 순서|무슨 순서|순서대로|시간순|시간 순|차례대로", "내가|제가|우리|진행|논의"],
    &["지금까지|우리가", "결정|합의|논의", "알려|말해|보여|나열|목록"],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_form_it_is_compared_in() {
        for phrase in PATTERNS.iter().flat_map(|pattern| pattern.iter()).flat_map(|phrases| phrases.split('|')) {
            let phrase = phrase.strip_suffix('*').unwrap_or(phrase);
            assert_eq!(bare_words(phrase).trim(), phrase);
            assert!(!phrase.is_empty());
        }
    }

    #[test]
    fn a_long_text_is_no_question_and_words_are_whole() {
        assert!(asks_for_overview("Hi!\nWhat did we decide?"));
        let long = format!("What did we {} decide?", "very ".repeat(100));
        assert!(!asks_for_overview(&long) && !asks_for_overview(""));
        assert!(!asks_for_overview("What did wednesday's meeting decided-upon list say?"));
    }
}
