//! Which attributes of a person or thing a statement is about, and whose they are.

use super::fold::position;

macro_rules! names {
    ($(#[$doc:meta])* $name:ident: $($variant:ident = $public:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "each variant has a public name that says it")]
        pub enum $name { $($variant,)* }

        impl $name {
            /// All of them, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];
            /// The public names, with a space before each.
            const NAMES: &str = concat!($(" ", $public,)*);

            /// The public name.
            pub fn name(self) -> &'static str {
                Self::NAMES.split(' ').nth(self as usize + 1).unwrap_or("")
            }

            /// The value of a public name.
            pub fn of(name: &str) -> Option<Self> {
                Self::ALL.get(position(Self::NAMES, name)?.checked_sub(1)?).copied()
            }
        }
    };
}

names! {
    /// The attribute of its subject that a statement is about.
    Attribute:
    Home = "home",
    Origin = "origin",
    Name = "name",
    Job = "job",
    School = "school",
    Age = "age",
    Birthday = "birthday",
    Phone = "phone",
    Email = "email",
    Allergy = "allergy",
    Diet = "diet",
    Like = "like",
    Dislike = "dislike",
    Pet = "pet",
    Vehicle = "vehicle",
    Health = "health",
    Family = "family",
    Language = "language",
    Event = "event",
    Money = "money",
    Tool = "tool",
    Size = "size",
    Instruction = "instruction",
}

names! {
    /// The subject of a statement: the speaker, or a person by the relation to the speaker.
    Subject:
    Speaker = "me",
    Mother = "mother",
    Father = "father",
    Wife = "wife",
    Husband = "husband",
    Partner = "partner",
    Son = "son",
    Daughter = "daughter",
    Child = "child",
    Sister = "sister",
    Brother = "brother",
    Grandma = "grandma",
    Grandpa = "grandpa",
    Friend = "friend",
    Boss = "boss",
    Colleague = "colleague",
    Relative = "relative",
}

impl Subject {
    /// Whether a speaker may have several of them.
    pub fn is_several(self) -> bool {
        self != Self::Speaker && !self.is_unique()
    }

    /// Whether a speaker has one of them at a time, so that a new name replaces the old one.
    pub(super) fn is_unique(self) -> bool {
        matches!(self, Self::Mother | Self::Father | Self::Wife | Self::Husband | Self::Partner | Self::Boss)
    }

    /// Whether "my" may be left out at the beginning of a sentence.
    pub(super) fn is_close(self) -> bool {
        !matches!(self, Self::Friend | Self::Boss | Self::Colleague | Self::Relative | Self::Partner)
    }
}

/// A set of attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attributes(u32);

impl Attributes {
    /// Attributes of which a person has one value, so that a statement about one replaces another without a shared word.
    pub const SLOTS: Self = Self::of(&[
        Attribute::Home,
        Attribute::Origin,
        Attribute::Name,
        Attribute::Job,
        Attribute::Age,
        Attribute::Birthday,
        Attribute::Phone,
        Attribute::Email,
        Attribute::Vehicle,
        Attribute::Tool,
        Attribute::Size,
    ]);

    /// Attributes of persons: of an unknown topic they are gossip.
    pub const PERSONAL: Self = Self::of(&[
        Attribute::Home,
        Attribute::Origin,
        Attribute::Job,
        Attribute::School,
        Attribute::Age,
        Attribute::Birthday,
        Attribute::Name,
    ]);

    /// Attributes that every statement gives anew. A job has an employer and a title, a name has a short form.
    pub const TOLD_ANEW: Self =
        Self::of(&[Attribute::Home, Attribute::Age, Attribute::Birthday, Attribute::Phone, Attribute::Email]);

    /// Attributes that stay when another one changes.
    pub const LASTING: Self = Self::of(&[
        Attribute::Home,
        Attribute::Name,
        Attribute::Age,
        Attribute::Birthday,
        Attribute::Phone,
        Attribute::Email,
        Attribute::Allergy,
        Attribute::Pet,
        Attribute::Family,
    ]);

    /// Attributes that a statement adds to, unless it denies.
    pub const LISTED: Self = Self::of(&[Attribute::Like, Attribute::Dislike, Attribute::Language]);

    /// Attributes of which a person has many.
    pub const MANY: Self = Self::of(&[
        Attribute::Like,
        Attribute::Dislike,
        Attribute::Allergy,
        Attribute::Pet,
        Attribute::Family,
        Attribute::Language,
    ]);

    /// The set of these.
    pub const fn of(list: &[Attribute]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < list.len() {
            bits |= 1 << list[at] as u32;
            at += 1;
        }
        Self(bits)
    }

    /// The set of these bits, one for each attribute by its number.
    pub(super) fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Whether it is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `attribute` is in it.
    pub fn has(self, attribute: Attribute) -> bool {
        self.0 & 1 << attribute as u32 != 0
    }

    /// The union.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The intersection.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The difference.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the sets intersect.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it is a subset of `other`.
    pub fn is_in(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The attributes in it, in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Attribute> {
        Attribute::ALL.iter().copied().filter(move |attribute| self.has(*attribute))
    }
}
