//! The commonest words of the languages in Latin letters, and letters that few of them have: enough to tell which one a
//! message is in before any pack is loaded.

use super::fold::hash;
use super::lang::Lang;
use crate::model::sorted;
use std::sync::OnceLock;

/// A language, its common words, folded, its letters in NFKD, and the points of the letters.
pub(super) static LATIN: [(Lang, &str, &str, u32); 8] = [
    (
        Lang::En,
        "the a an is are am of to and in on for with it that at have has had been be this was were but by as do does did so it's about got get there these those not i i'm i've i'd i'll my mine me we we're our us you your he she his her they them their what what's where when who why how which just can could should would will from or if no yes don't doesn't didn't isn't can't won't also too very really now new some any all out up down into than then because after before thanks please hello",
        "\0",
        0,
    ),
    (
        Lang::Vi,
        "la cua va co cho o duoc thi voi mot nay nhe roi nha bi ra vao luc nhung cac ma da se dang lai hay tu cai toi minh em anh chi khong ko gi dau nao sao ai bao nhieu khi cung moi con nguoi nam ngay thang gio lam an thich song hoc noi di ve den trong ngoai tren duoi vi neu nen chua ghe qua day do the chu oi",
        "đ Đ a\u{306} o\u{31b} u\u{31b} \u{309} \u{323} \u{302}\u{301} \u{302}\u{300} \u{302}\u{303}",
        16,
    ),
    (
        Lang::De,
        "der die das und ist ein eine einen einem einer zu mit auf fur von im den dem es an aus bei nach noch aber sind war hat wird wurde sich du ich mein meine meinen meiner mir mich wir uns unser er sie ihr sein seine was wer wie wo wann warum welche nicht kein keine auch schon mal nur sehr immer jetzt heute ab um uber vor seit bis oder wenn dass weil habe hast haben bin bist kann muss will soll bitte danke ja nein kurz",
        "a\u{308} o\u{308} u\u{308} A\u{308} O\u{308} U\u{308} ß",
        6,
    ),
    (
        Lang::Es,
        "el la los las de que a y en un una con por para es del al se lo le su pero esta este esto muy son tu te yo mi mis me nos nuestro nuestra soy estoy tengo tiene he ha hay como cuando donde cual quien porque si no ya mas tambien nunca siempre ahora hoy ayer desde hasta sin sobre todo era fue ser estar hace muchas gracias hola",
        "n\u{303} ¿ ¡",
        8,
    ),
    (
        Lang::Fr,
        "le la les des un une et est de du en au aux avec pour dans que qui sur ce cette ces c'est il elle on tu te toi vous mais d l j qu y pas ne suis ai as a ont je me moi mon ma mes nous notre nos sa ses son leur quand comment pourquoi quel quelle combien plus tres bien aussi jamais toujours maintenant hier demain depuis chez sans ou si oui non ca fait faire ete etait deux merci bonjour attends",
        "c\u{327} œ e\u{302} e\u{300} a\u{300} u\u{302} j' l' m' d' c' n' qu' -moi -vous",
        4,
    ),
    (
        Lang::Pt,
        "o a os as de do da dos das que e em um uma com para pra pro no na nos nas se por ao aos ele ela mas isso este esta voce sao foi ser eu meu minha meus minhas me mim nosso nossa sou estou tenho tem ha como quando onde qual quem porque sim nao ja mais tambem nunca sempre agora hoje ontem desde ate sem sobre muito tudo era ta to vou fui fiz chamo ano passado dia obrigado ola oi",
        "a\u{303} o\u{303}",
        8,
    ),
    (
        Lang::Id,
        "di yang dan untuk dengan ke dari ini itu ada sudah sama buat ya udah aja saja pada akan tapi bisa kalau nih sih karena juga saya aku gue kami kita kamu anda dia mereka apa siapa mana kapan kenapa mengapa bagaimana gimana berapa tidak tak nggak gak bukan jangan belum lagi masih sangat banget mau ingin pengen butuh punya orang hari tahun bulan kemarin besok sekarang baru suka si dong deh kok lah jadi atau oleh seperti kayaknya katanya kurang jam pagi siang sore malam anak ibu ayah bapak istri suami rumah kerja nama tinggal acara alamat nomor umur makan kakak adik",
        "\0",
        0,
    ),
    (
        Lang::Hi,
        "hai hain hu hun hoon ka ki mein mai mera meri mujhe mujhko mujhse hum humein humara humari humare hamara hamari hamare aap aapka tumhara kya kaun kahan kahaan kab kaise kaisa kyun kyon kitna kitne kitni kaunsa kaunsi kaunse nahi nahin aur bhi toh abhi kal aaj yaar bhai bhaiya didi naam ghar kaam rehta rehti rehte karta karti karte raha rahi rahe gaya gayi gaye hoga hogi wala wali wale bahut bohot accha acha theek thik kuch liye saath pehle lekin agar jab bata batao karo diya liya hota hoti hote roz apna apni apne mummy beti",
        "\0",
        0,
    ),
];

/// The languages that have a word among their common ones, as bits by their places in `LATIN`.
pub(super) fn common(word: &str) -> u8 {
    static WORDS: OnceLock<Vec<(u32, u8)>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let mut all: Vec<(u32, u8)> = Vec::new();
        for (place, (_, words, ..)) in LATIN.iter().enumerate() {
            all.extend(words.split(' ').map(|word| (hash(word), 1 << place)));
        }
        let mut words: Vec<(u32, u8)> = Vec::new();
        for at in sorted(all.len(), &|one, other| all[one].0.cmp(&all[other].0)) {
            let (word, bit) = all[at];
            match words.last_mut().filter(|(last, _)| *last == word) {
                Some((_, bits)) => *bits |= bit,
                None => words.push((word, bit)),
            }
        }
        words
    });
    let word = hash(word);
    let at = words.partition_point(|(known, _)| *known < word);
    words.get(at).map_or(0, |(known, bits)| if *known == word { *bits } else { 0 })
}
