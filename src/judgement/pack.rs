//! A language as data: the lists of cues of one pack, read from its text. packs/README.md has the format.

use super::attribute::{Attribute, Subject};
use super::content::stems;
use super::fold::{Folding, Set, hash, is_word};
use super::keys::{Keys, Part};
use super::lang::Lang;
use super::prepared::adapt;
use crate::model::Invalid;

/// The longest pack. The packs of this repository have at most 13 KB.
const MAX_PACK: usize = 64 * 1024;

/// The purpose of a list in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    /// `I`: first person.
    First,
    /// `P`: past forms that do not tell the person.
    Past,
    /// `Q`: questions.
    Asks,
    /// `R`: requests.
    Requests,
    /// `H`: hypothesis, hearsay, fiction.
    Fiction,
    /// `N`: passing state.
    Passing,
    /// `S`: small talk.
    Small,
    /// `O`: stance, feeling, wish.
    Stance,
    /// `X`: negation.
    Negation,
    /// `C`: change or correction.
    Change,
    /// `A`: "also".
    Also,
    /// `G`: habit.
    Habit,
    /// `W`: weekdays, months, clock words.
    Calendar,
    /// `fg`: requests to forget.
    Forget,
    /// `V`: verb forms of the first person.
    Verb,
    /// `B`: possessives of others.
    Others,
    /// `K`: courtesies at the beginning of a request.
    Courtesy,
    /// `Y`: how-to questions.
    HowTo,
    /// `U`: pronouns of others.
    Pronoun,
    /// `M`: possessives of the speaker.
    Mine,
}

/// The keys of the lists, in the order of `List`.
const LISTS: &[(&str, List)] = &[
    ("I", List::First),
    ("P", List::Past),
    ("Q", List::Asks),
    ("R", List::Requests),
    ("H", List::Fiction),
    ("N", List::Passing),
    ("S", List::Small),
    ("O", List::Stance),
    ("X", List::Negation),
    ("C", List::Change),
    ("A", List::Also),
    ("G", List::Habit),
    ("W", List::Calendar),
    ("fg", List::Forget),
    ("V", List::Verb),
    ("B", List::Others),
    ("K", List::Courtesy),
    ("Y", List::HowTo),
    ("U", List::Pronoun),
    ("M", List::Mine),
];

/// The meaning of a cue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// It is in one of the lists.
    In(List),
    /// A statement with it is about an attribute.
    Says(Attribute),
    /// A question with it is about an attribute.
    Seeks(Attribute),
    /// It names somebody.
    Names(Subject),
}

/// One cue. Its spellings are in the table of keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cue {
    pub(super) sense: Sense,
    pub(super) parts: u8,
    pub(super) at_start: bool,
    pub(super) at_end: bool,
    /// How many characters its parts have.
    pub(super) chars: u8,
}

/// The cues of one language.
#[derive(Clone, Debug)]
pub struct Pack {
    pub(super) lang: Lang,
    pub(super) cues: Vec<Cue>,
    pub(super) keys: Keys,
    /// Spellings with tones, by the number of a part: `(cue, part)`.
    pub(super) toned: Vec<((u16, u8), Box<str>)>,
    /// `Z`: idioms that are cut out before cues are sought.
    pub(super) idioms: Keys,
    /// `se`: words for secrets.
    pub(super) secrets: Keys,
    /// How many of them take a number as their value.
    pub(super) strong_secrets: u16,
    /// `T`: words that may stand before a statement about the speaker.
    pub(super) topics: Keys,
    /// `L`, in a language without spaces: strings that are no content.
    pub(super) gaps: Keys,
    /// `L` and the words of some lists: words that are no content.
    pub(super) common: Set,
    /// Stems of cues: they do not tell one thing from another.
    pub(super) known: Set,
    /// `V` with a hyphen: endings of verbs of the first person.
    pub(super) endings: Vec<Box<str>>,
    /// `E`: words with such an ending that are no verbs; with a hyphen, endings of them.
    pub(super) exceptions: Set,
    pub(super) exempt: Vec<Box<str>>,
    /// `D`: words after which such a word is no verb.
    pub(super) determiners: Set,
    /// `J`: particles at the end of a sentence, or of a word where there are spaces.
    pub(super) particles: Vec<Box<str>>,
}

/// A pack in the making.
struct Builder {
    pack: Pack,
    keys: Vec<(Box<str>, Part)>,
    common: Vec<u32>,
    noted: Vec<Box<str>>,
}

impl Pack {
    /// Reads a pack. `decompose` gives a text in NFKD.
    pub fn parse(text: &str, decompose: &dyn Fn(&str) -> String) -> Result<Self, Invalid> {
        if text.len() > MAX_PACK {
            return Err(Invalid::too_large("pack", MAX_PACK, text.len()));
        }
        let text = decompose(text);
        let mut lines = text.lines().zip(1..);
        let lang = lines.next().and_then(|(line, _)| Lang::of(line.strip_prefix('@')?.trim_end()));
        let lang = lang.ok_or_else(|| refused(1, "@", "must be `@` and the code of a language, such as `@en`"))?;
        let mut builder = Builder::new(lang);
        let mut seen: Vec<&str> = Vec::new();
        for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
            let (key, items) = line.split_once(' ').unwrap_or((line, ""));
            if seen.contains(&key) {
                return Err(refused(number, key, "must be given once: join the two lines by `|`"));
            }
            seen.push(key);
            builder.line(key, items).map_err(|reason| refused(number, key, reason))?;
        }
        for key in ["I", "F", "Q", "R", "X", "C", "L"] {
            if !seen.contains(&key) {
                return Err(refused(seen.len() + 2, key, "is missing, and every pack needs it"));
            }
        }
        Ok(builder.finish())
    }

    /// The language that it is for.
    pub fn lang(&self) -> Lang {
        self.lang
    }
}

fn refused(line: usize, key: &str, reason: &str) -> Invalid {
    let key: String = key.chars().take(12).collect();
    Invalid::value(format!("pack line {line}, {key}"), reason)
}

impl Builder {
    fn new(lang: Lang) -> Self {
        let pack = Pack {
            lang,
            cues: Vec::new(),
            keys: Keys::default(),
            toned: Vec::new(),
            idioms: Keys::default(),
            secrets: Keys::default(),
            strong_secrets: 0,
            topics: Keys::default(),
            gaps: Keys::default(),
            common: Set::default(),
            known: Set::default(),
            endings: Vec::new(),
            exceptions: Set::default(),
            exempt: Vec::new(),
            determiners: Set::default(),
            particles: Vec::new(),
        };
        Self { pack, keys: Vec::new(), common: Vec::new(), noted: Vec::new() }
    }

    /// Takes one line.
    fn line(&mut self, key: &str, items: &str) -> Result<(), &'static str> {
        if items.split(['|', ';']).any(|item| item.trim().is_empty()) {
            return Err("must have no empty items: remove a `|` too many");
        }
        if let Some((_, list)) = LISTS.iter().find(|(known, _)| *known == key) {
            let (endings, cues): (Vec<_>, Vec<_>) = items.split('|').partition(|item| item.starts_with('-'));
            let mut endings = endings.iter().map(|ending| self.plain(ending)).collect();
            self.pack.endings.append(&mut endings);
            return cues.into_iter().try_for_each(|cue| self.cue(cue, Sense::In(*list)));
        }
        if let Some(attribute) = Attribute::of_key(key) {
            let (says, seeks) = items.split_once(" ? ").unwrap_or((items, ""));
            says.split('|').try_for_each(|cue| self.cue(cue, Sense::Says(attribute)))?;
            let seeks = seeks.split('|').filter(|cue| !cue.is_empty());
            return seeks.into_iter().try_for_each(|cue| self.cue(cue, Sense::Seeks(attribute)));
        }
        if matches!(key, "Z" | "se" | "T" | "L" | "D" | "E" | "J") && items.contains(['+', '^', '$']) {
            return Err("must have plain strings, without `+`, `^` and `$`");
        }
        match key {
            "F" => return self.relations(items),
            "Z" => self.pack.idioms = self.table(items),
            "se" => {
                let (strong, _) = items.split_once(" ? ").unwrap_or((items, ""));
                self.pack.strong_secrets = u16::try_from(strong.split('|').count()).unwrap_or(u16::MAX);
                self.pack.secrets = self.table(items);
            }
            "T" => self.pack.topics = self.table(items),
            "L" if self.pack.lang.is_unspaced() => self.pack.gaps = self.table(items),
            "L" => {
                let mut stops = items.split('|').map(|word| hash(&self.plain(word))).collect();
                self.common.append(&mut stops);
            }
            "D" => self.pack.determiners = Set::of(items.split('|').map(|word| hash(&self.plain(word))).collect()),
            "E" => {
                let (endings, words): (Vec<_>, Vec<_>) = items.split('|').partition(|item| item.starts_with('-'));
                self.pack.exempt = endings.iter().map(|ending| self.plain(ending)).collect();
                self.pack.exceptions = Set::of(words.iter().map(|word| hash(&self.plain(word))).collect());
            }
            "J" => self.pack.particles = items.split('|').map(|item| self.plain(item)).collect(),
            _ => return Err("is no key of a pack"),
        }
        Ok(())
    }

    /// Takes the line of relations: `mother:mum|mom;father:dad`.
    fn relations(&mut self, items: &str) -> Result<(), &'static str> {
        for group in items.split(';') {
            let (name, words) = group.split_once(':').ok_or("must have groups such as `mother:mum|mom`")?;
            let subject = Subject::of(name).filter(|subject| *subject != Subject::Speaker);
            let subject = subject.ok_or("has a relation that is not known")?;
            words.split('|').try_for_each(|cue| self.cue(cue, Sense::Names(subject)))?;
        }
        Ok(())
    }

    /// A spelling as texts are compared with it.
    fn plain(&self, item: &str) -> Box<str> {
        spelling(item, Folding::Plain, self.pack.lang)
    }

    /// A table of plain strings, `+` and `*` included.
    fn table(&self, items: &str) -> Keys {
        let mut list = Vec::new();
        let (first, second) = items.split_once(" ? ").unwrap_or((items, ""));
        let items = first.split('|').chain(second.split('|')).filter(|item| !item.is_empty());
        for (item, cue) in items.zip(0..) {
            let is_prefix = item.ends_with('*');
            list.push((self.plain(item), Part { cue, at: 0, is_prefix }));
        }
        Keys::new(list)
    }

    /// Takes one cue: `^` at the beginning, `$` at the end, `*` a word goes on, `+` between parts.
    fn cue(&mut self, source: &str, sense: Sense) -> Result<(), &'static str> {
        let cue = u16::try_from(self.pack.cues.len()).map_err(|_| "has too many cues")?;
        let (mut parts, mut chars) = (0, 0);
        for part in source.split('+') {
            let text = self.plain(part);
            if text.is_empty() || text.len() > 120 {
                return Err("has a cue without letters, or one of more than 120 bytes");
            }
            chars += u8::try_from(text.chars().count()).unwrap_or(u8::MAX);
            self.note(&text, sense);
            if self.pack.lang == Lang::Vi {
                let toned = spelling(part, Folding::Toned, Lang::Vi);
                if toned != text {
                    self.pack.toned.push(((cue, parts), toned));
                }
            }
            let is_prefix = part.trim_end_matches('$').ends_with('*');
            self.keys.push((text, Part { cue, at: parts, is_prefix }));
            parts += 1;
        }
        let (at_start, at_end) = (source.starts_with('^'), source.ends_with('$'));
        if parts == 1
            && matches!(
                sense,
                Sense::In(
                    List::First | List::Asks | List::Negation | List::Also | List::Change | List::Habit | List::Small
                )
            )
        {
            let text = self.plain(source);
            self.common.extend(text.split(' ').map(hash));
        }
        self.pack.cues.push(Cue { sense, parts, at_start, at_end, chars });
        Ok(())
    }

    /// Remembers the stems of a cue that names a relation, an attribute, a habit or a time.
    fn note(&mut self, text: &str, sense: Sense) {
        if matches!(sense, Sense::Names(_) | Sense::Says(_) | Sense::In(List::Habit | List::Calendar)) {
            self.noted.push(text.into());
        }
    }

    fn finish(self) -> Pack {
        let mut pack = self.pack;
        pack.keys = Keys::new(self.keys);
        pack.common = Set::of(self.common);
        let known = self.noted.iter().flat_map(|text| stems(text, Some(&pack))).collect();
        pack.known = Set::of(known);
        pack
    }
}

/// An item of a pack without its syntax, folded.
fn spelling(item: &str, folding: Folding, lang: Lang) -> Box<str> {
    let bare = item.trim().trim_start_matches('^').trim_end_matches('$').trim_end_matches('*').trim_start_matches('-');
    let folded = adapt(folding.of(bare), lang);
    let kept: String =
        folded.chars().filter(|c| is_word(*c) || matches!(c, '\'' | '.' | ' ' | '-' | '〜' | '々')).collect();
    kept.trim().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str =
        "@en\nI i|my\nF mother:mum\nQ what\nR ^write\nX not\nC moved\nL the|a\nho live|moved+to ? city\n";

    fn refused(text: &str) -> String {
        Pack::parse(text, &str::to_owned).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_small_pack_is_read() {
        let pack = Pack::parse(LEAST, &str::to_owned).unwrap();
        assert_eq!(pack.lang(), Lang::En);
        assert_eq!(pack.cues.len(), 10);
    }

    #[test]
    fn a_mistake_is_named_by_line_and_key() {
        for (text, error) in [
            ("en\n", "`pack line 1, @` must be `@` and the code of a language, such as `@en`"),
            ("@en\nI i\nqq a", "`pack line 3, qq` is no key of a pack"),
            ("@en\nI i||my", "`pack line 2, I` must have no empty items: remove a `|` too many"),
            ("@en\nI i\nI my", "`pack line 3, I` must be given once: join the two lines by `|`"),
            ("@en\nF robot:r2", "`pack line 2, F` has a relation that is not known"),
            ("@en\nF mum", "`pack line 2, F` must have groups such as `mother:mum|mom`"),
            ("@en\nI i|^!$", "`pack line 2, I` has a cue without letters, or one of more than 120 bytes"),
            ("@en\nse a+b", "`pack line 2, se` must have plain strings, without `+`, `^` and `$`"),
            ("@en\nI i", "`pack line 3, F` is missing, and every pack needs it"),
        ] {
            assert_eq!(refused(text), error);
        }
        assert!(refused(&"x".repeat(MAX_PACK + 1)).contains("too large"));
    }
}
