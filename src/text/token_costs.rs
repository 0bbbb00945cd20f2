//! Token costs of pieces of text by tokenizer family, in hundredths of a token.
//!
//! `o200k` and `cl100k` were fitted to those tokenizers, piece by piece. `claude` and `gemini` have no public
//! tokenizer: their costs are those of a fitted one, raised by more than the published differences.

use crate::model::Tokenizer;

/// The costs of one family.
pub(super) struct Costs {
    /// A word, each of its letters beyond the first `short`, capitals after the first letter, accents, and steps of
    /// oddity.
    pub(super) word: u64,
    pub(super) letter: u64,
    pub(super) short: u64,
    pub(super) capital: u64,
    pub(super) accent: u64,
    pub(super) odd: u64,
    /// A word with Vietnamese letters, and each of its letters beyond the third.
    pub(super) toned: [u64; 2],
    /// A symbol before a word, if words often follow it, and if not.
    usual_sign: u64,
    other_sign: u64,
    /// The number of digits per token.
    digits: u64,
    pub(super) gap: u64,
    pub(super) picture: u64,
    pub(super) joiner: u64,
    /// A continued double or heavy line.
    pub(super) double_line: u64,
    pub(super) rare_cyrillic: u64,
    /// A run of letters of a script, each of them, and each beyond the fourth: Cyrillic, Greek, Hebrew, Arabic, Devanagari,
    /// other scripts of India, Thai, those of its neighbours, Hangul, Han, kana, all others.
    pub(super) scripts: [[u64; 3]; 12],
    /// The factor of the sum, in percent.
    pub(super) percent: u64,
}

impl Costs {
    pub(super) fn digits(&self, digits: u64) -> u64 {
        100 * digits.div_ceil(self.digits)
    }

    /// A symbol that forms one token with the next word.
    pub(super) fn leading(&self, sign: &str) -> u64 {
        if matches!(sign, "." | "_" | "-" | "(" | "<" | "'" | "\"") { self.usual_sign } else { self.other_sign }
    }
}

static O200K: Costs = Costs {
    word: 47,
    letter: 20,
    short: 6,
    capital: 80,
    accent: 105,
    odd: 22,
    toned: [100, 32],
    usual_sign: 10,
    other_sign: 55,
    digits: 3,
    gap: 95,
    picture: 205,
    joiner: 105,
    double_line: 20,
    rare_cyrillic: 40,
    scripts: [
        [77, 19, 2],
        [86, 19, 19],
        [45, 36, 8],
        [78, 18, 19],
        [42, 30, 4],
        [44, 32, 5],
        [30, 36, 7],
        [95, 36, 16],
        [62, 62, 0],
        [45, 82, 0],
        [26, 65, 0],
        [88, 26, 0],
    ],
    percent: 100,
};

static CL100K: Costs = Costs {
    word: 39,
    letter: 49,
    short: 8,
    capital: 62,
    accent: 185,
    odd: 31,
    toned: [200, 60],
    usual_sign: 10,
    other_sign: 50,
    digits: 3,
    gap: 110,
    picture: 285,
    joiner: 150,
    double_line: 55,
    rare_cyrillic: 45,
    scripts: [
        [66, 45, 0],
        [110, 76, 32],
        [96, 101, 0],
        [85, 71, 0],
        [10, 118, 50],
        [10, 130, 60],
        [15, 93, 9],
        [150, 106, 190],
        [85, 118, 0],
        [60, 124, 0],
        [25, 95, 0],
        [104, 206, 0],
    ],
    percent: 100,
};

/// Published comparisons found up to 30 % more tokens than o200k for English and code.
static CLAUDE: Costs = Costs { percent: 135, ..CL100K };

/// The documentation says 100 tokens for 60 to 80 English words. Digits are one token each.
static GEMINI: Costs = Costs { digits: 1, percent: 120, ..O200K };

pub(super) fn costs(tokenizer: Tokenizer) -> &'static Costs {
    match tokenizer {
        Tokenizer::O200k => &O200K,
        Tokenizer::Cl100k => &CL100K,
        Tokenizer::Claude => &CLAUDE,
        Tokenizer::Gemini => &GEMINI,
    }
}

/// The rarity of letter pairs inside tokens, from 0 to 3: a row for each first letter, two bits for each second one,
/// `a` lowest. From the words of twenty languages, code and base64.
const ODD: [u64; 26] = [
    0x0004_5013_2019_8706,
    0x000c_ec93_df12_aca9,
    0x000b_ad13_0f0c_3c99,
    0x0008_b98b_9a88_9869,
    0x0008_0200_217d_9504,
    0x000d_bd27_c67c_c5bd,
    0x000d_ee17_ea7e_2cff,
    0x0007_eb16_c5bc_acf8,
    0x0003_7716_0165_c405,
    0x000f_fdcf_d78e_fcfd,
    0x000e_ef9f_b7fe_6d7a,
    0x000c_d94b_4e3c_e029,
    0x000d_f98e_09bd_ecb4,
    0x000a_b10b_1649_400c,
    0x000d_4463_0059_c601,
    0x000d_a922_0d3d_ac2c,
    0x000f_fce3_fa7e_ffef,
    0x000c_a906_406c_c409,
    0x000c_d906_1edd_284e,
    0x0009_0d43_1c9c_38d8,
    0x0009_3b13_702c_d445,
    0x000b_ffff_dffc_fcf9,
    0x000f_9a83_c7fd_3cbd,
    0x000d_3b7f_3efd_feee,
    0x000f_ff9f_1bbf_fdfe,
    0x000d_aebf_fffe_bcfe,
];

/// The rarity of a pair of letters; 0 if they are not ASCII letters.
pub(super) fn oddity(first: char, second: char) -> u64 {
    let place = |c: char| c.is_ascii_alphabetic().then(|| u32::from(c.to_ascii_lowercase()) - u32::from('a'));
    let (Some(first), Some(second)) = (place(first), place(second)) else { return 0 };
    ODD.get(first as usize).map_or(0, |row| row >> (2 * second) & 3)
}
