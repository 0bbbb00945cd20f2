//! Conversations with facts planted in filler talk, in many languages. Each fact has a key that nothing else says.

/// A language: what is planted, and what is said around it. `#` stands for a number, `@` for a name, `*` for a thing.
pub(super) struct Language {
    pub(super) name: &'static str,
    facts: &'static [&'static str],
    things: &'static [&'static str],
    openers: &'static [&'static str],
    fillers: &'static [&'static str],
}

/// A fact as it was said, and the word that tells whether it is still there.
#[derive(Clone, Debug)]
pub(super) struct Planted {
    pub(super) said: String,
    pub(super) key: String,
}

/// Chance that is the same every time.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

impl Language {
    /// A fact of this language, the `number`th of its talk. The key is a number, a name or a thing.
    pub(super) fn fact(&self, dice: &mut Dice, number: usize) -> Planted {
        let template = self.facts[number % self.facts.len()];
        // No two numbers and no two names are the same.
        let digits = 1_000 + (number * 37 + dice.below(30)) % 9_000;
        let syllables = ["Ka", "Ro", "Mi", "Tu", "Ve", "Lo", "Sa", "Ni", "Do", "Pe"];
        let name: String = [100, 10, 1].map(|place| syllables[(number / place) % 10]).concat();
        let name = format!("{}{}", &name[..1].to_uppercase(), name[1..].to_lowercase());
        let thing = self.things[(number / self.facts.len()) % self.things.len()];
        let key = if template.contains('#') {
            digits.to_string()
        } else if template.contains('@') {
            name.clone()
        } else {
            thing.to_owned()
        };
        let said = template.replace('#', &digits.to_string()).replace('@', &name).replace('*', thing);
        Planted { said, key }
    }

    /// A message that tells nothing that lasts.
    pub(super) fn filler(&self, dice: &mut Dice) -> String {
        let sentences: Vec<String> =
            (0..1 + dice.below(3)).map(|_| format!("{}{}", dice.pick(self.openers), dice.pick(self.fillers))).collect();
        sentences.join(if matches!(self.name, "ja" | "zh") { "" } else { " " })
    }
}

/// The languages whose talk the rules were tried on.
pub(super) const KNOWN: [Language; 7] = [
    Language {
        name: "en",
        facts: &[
            "My door code is #.",
            "I'm allergic to *.",
            "We decided to hire @ for the kitchen.",
            "The budget must stay under # euros.",
            "From now on, answer me without any *.",
            "Open question: who pays the # invoice?",
            "My sister @ moves in next week.",
        ],
        things: &["walnuts", "shellfish", "lupins", "celery", "sesame", "mustard"],
        openers: &["Well, ", "Honestly, ", "Okay, ", "So ", "Right, ", "Hm, ", "You know, ", "Sure, "],
        fillers: &[
            "that sounds reasonable to me.",
            "let me look at it for a moment.",
            "it was a rather long afternoon.",
            "the weather keeps changing around here.",
            "we can talk about the colours later.",
            "I was thinking about something similar.",
            "it depends on how everybody feels.",
            "could you say a little more about that?",
            "there are many ways to see it.",
            "people often tell me the same story.",
        ],
    },
    Language {
        name: "vi",
        facts: &[
            "Mã cửa nhà tôi là #.",
            "Tôi bị dị ứng với *.",
            "Chúng ta quyết định thuê @ cho nhà bếp.",
            "Ngân sách không được quá # nghìn đồng.",
            "Từ giờ đừng nhắc đến * nữa nhé, luôn luôn như vậy.",
            "Em gái tôi tên là @.",
        ],
        things: &["óc chó", "tôm hùm", "cần tây", "mù tạt", "hạnh nhân"],
        openers: &["Ừ, ", "Thật ra thì ", "Vậy thì ", "À, ", "Nói chung ", "Cũng "],
        fillers: &[
            "nghe cũng hợp lý đấy.",
            "để xem thêm một chút nữa.",
            "chiều nay trôi qua hơi lâu.",
            "thời tiết dạo này thất thường lắm.",
            "mấy chuyện màu sắc nói sau cũng được.",
            "còn tùy vào cảm giác của mọi người.",
            "có nhiều cách để nhìn chuyện này.",
        ],
    },
    Language {
        name: "ja",
        facts: &[
            "玄関の暗証番号は#です。",
            "私は*アレルギーがあります。",
            "厨房には@さんを雇うことに決めました。",
            "予算は必ず#円以内にしてください。",
            "今後は*の話をしないでください。",
        ],
        things: &["クルミ", "エビ", "セロリ", "ゴマ", "カラシ"],
        openers: &["まあ、", "そうですね、", "ええと、", "それで、", "うん、"],
        fillers: &[
            "それはいいと思います。",
            "少し見てみますね。",
            "午後はなんだか長く感じました。",
            "このあたりは天気が変わりやすいです。",
            "色のことは後で話しましょう。",
            "みんなの気分によりますね。",
            "いろいろな見方があります。",
        ],
    },
    Language {
        name: "zh",
        facts: &[
            "我家的门锁密码是#。",
            "我对*过敏。",
            "我们决定请@来负责厨房。",
            "预算必须控制在#元以内。",
            "以后不要再提*了。",
        ],
        things: &["核桃", "龙虾", "芹菜", "芝麻", "芥末"],
        openers: &["嗯，", "其实吧，", "那么，", "对了，", "说起来，"],
        fillers: &[
            "听起来挺合理的。",
            "让我看一会儿。",
            "下午过得有点慢。",
            "这边的天气总是变来变去。",
            "颜色的事情以后再聊。",
            "要看大家的感觉。",
            "这件事有很多种看法。",
        ],
    },
    Language {
        name: "de",
        facts: &[
            "Der Türcode ist #.",
            "Ich bin allergisch gegen *.",
            "Wir haben beschlossen, @ für die Küche einzustellen.",
            "Das Budget darf höchstens # Euro betragen.",
            "Ab jetzt bitte niemals über * sprechen.",
            "Meine Schwester heißt @.",
        ],
        things: &["Walnüsse", "Krebse", "Lupinen", "Sellerie", "Senf"],
        openers: &["Na ja, ", "Ehrlich gesagt, ", "Gut, ", "Also, ", "Hm, "],
        fillers: &[
            "das klingt ganz vernünftig.",
            "ich schaue es mir kurz an.",
            "der Nachmittag war ziemlich lang.",
            "das Wetter wechselt hier ständig.",
            "über die Farben können wir später reden.",
            "es hängt davon ab, wie sich alle fühlen.",
            "man kann das auf viele Arten sehen.",
        ],
    },
    Language {
        name: "ru",
        facts: &[
            "Код от двери #.",
            "У меня аллергия на *.",
            "Мы решили нанять @ на кухню.",
            "Бюджет не должен превышать # рублей.",
            "Никогда не упоминай * в ответах.",
            "Мою сестру зовут @.",
        ],
        things: &["орехи", "креветки", "сельдерей", "кунжут", "горчицу"],
        openers: &["Ну, ", "Честно говоря, ", "Ладно, ", "Так вот, ", "Хм, "],
        fillers: &[
            "это звучит вполне разумно.",
            "дай мне посмотреть минуту.",
            "день был довольно длинный.",
            "погода здесь всё время меняется.",
            "о цветах можно поговорить потом.",
            "всё зависит от настроения.",
            "на это можно смотреть по-разному.",
        ],
    },
    Language {
        name: "es",
        facts: &[
            "El código de la puerta es #.",
            "Soy alérgico a *.",
            "Decidimos contratar a @ para la cocina.",
            "El presupuesto debe quedar por debajo de # euros.",
            "A partir de ahora nunca menciones *.",
            "Mi hermana se llama @.",
        ],
        things: &["las nueces", "los mariscos", "el apio", "el sésamo", "la mostaza"],
        openers: &["Bueno, ", "La verdad, ", "Vale, ", "Pues ", "Mira, "],
        fillers: &[
            "eso suena bastante razonable.",
            "déjame mirarlo un momento.",
            "la tarde fue más bien larga.",
            "el tiempo cambia mucho por aquí.",
            "de los colores hablamos luego.",
            "depende de cómo se sientan todos.",
            "hay muchas formas de verlo.",
        ],
    },
];

/// Languages and turns of phrase that were kept apart: nothing was chosen by them.
pub(super) const APART: [Language; 7] = [
    Language {
        name: "en, other phrases",
        facts: &[
            "You can reach me on extension #.",
            "Doctors told me to keep away from *.",
            "It's settled: @ runs the workshop.",
            "Whatever happens, spend no more than # on paint.",
            "Please keep every reply free of *.",
            "Who is going to sign contract #?",
            "The cat is called @.",
        ],
        things: &["gluten", "caffeine", "emojis", "jargon", "tables"],
        openers: &["I guess ", "As far as I can tell, ", "Fine, ", "Anyway, ", "Oh, "],
        fillers: &[
            "nothing much happened since the morning.",
            "it could go one way or the other.",
            "somebody left the lights on again.",
            "those cushions look a bit worn.",
            "what do you make of it?",
            "it reminds me of an old film.",
            "there is no hurry with any of this.",
        ],
    },
    Language {
        name: "fr",
        facts: &[
            "Le code de la porte est #.",
            "Je suis allergique à *.",
            "Nous avons décidé d'embaucher @ en cuisine.",
            "Le budget doit rester sous # euros.",
            "Désormais, ne parle jamais de *.",
            "Ma sœur s'appelle @.",
        ],
        things: &["la noix", "la crevette", "la moutarde", "l'arachide", "l'ail"],
        openers: &["Bon, ", "Franchement, ", "D'accord, ", "Alors, ", "Euh, "],
        fillers: &[
            "ça me paraît plutôt raisonnable.",
            "je regarde ça un instant.",
            "le temps change souvent par ici.",
            "on parlera des couleurs plus tard.",
            "ça dépend de l'humeur de chacun.",
            "il y a bien des façons de voir.",
        ],
    },
    Language {
        name: "ko",
        facts: &[
            "현관 비밀번호는 #입니다.",
            "저는 * 알레르기가 있어요.",
            "주방은 @ 씨를 쓰기로 결정했어요.",
            "예산은 반드시 #원 이하로 해 주세요.",
            "앞으로는 * 이야기는 하지 마세요.",
        ],
        things: &["호두", "새우", "셀러리", "참깨", "겨자"],
        openers: &["음, ", "글쎄요, ", "그럼 ", "아, ", "네, "],
        fillers: &[
            "꽤 괜찮게 들리네요.",
            "잠깐 살펴볼게요.",
            "오후가 좀 길게 느껴졌어요.",
            "이쪽은 날씨가 자주 바뀌어요.",
            "색깔은 나중에 이야기해요.",
            "다들 기분에 달렸죠.",
        ],
    },
    Language {
        name: "it",
        facts: &[
            "Il codice della porta è #.",
            "Sono allergico a *.",
            "Abbiamo deciso di assumere @ in cucina.",
            "Il preventivo deve restare sotto # euro.",
            "D'ora in poi non nominare più *.",
        ],
        things: &["noci", "gamberi", "sedano", "sesamo", "senape"],
        openers: &["Beh, ", "Sinceramente, ", "Va bene, ", "Allora, "],
        fillers: &[
            "mi sembra abbastanza ragionevole.",
            "fammi guardare un momento.",
            "qui il tempo cambia spesso.",
            "dei colori parliamo dopo.",
            "dipende da come si sentono tutti.",
            "ci sono tanti modi di vederla.",
        ],
    },
    Language {
        name: "pl",
        facts: &[
            "Kod do drzwi to #.",
            "Zatrudniamy w kuchni panią @.",
            "Budżet wynosi najwyżej # złotych.",
            "Moja siostra ma na imię @.",
            "Faktura numer # jest nadal nieopłacona.",
        ],
        things: &["orzechy"],
        openers: &["No cóż, ", "Szczerze mówiąc, ", "Dobrze, ", "Więc "],
        fillers: &[
            "to brzmi całkiem rozsądnie.",
            "zaraz na to spojrzę.",
            "pogoda ciągle się tu zmienia.",
            "o kolorach pogadamy później.",
            "zależy, jak kto się czuje.",
            "można na to patrzeć różnie.",
        ],
    },
    Language {
        name: "tr",
        facts: &[
            "Kapı şifresi #.",
            "Mutfak için @ hanımı işe alıyoruz.",
            "Bütçe en fazla # lira olmalı.",
            "Kız kardeşimin adı @.",
            "Fatura numarası # hâlâ ödenmedi.",
        ],
        things: &["ceviz"],
        openers: &["Yani ", "Açıkçası ", "Tamam, ", "Peki, "],
        fillers: &[
            "bu kulağa oldukça mantıklı geliyor.",
            "bir dakika bakayım şuna.",
            "buralarda hava sürekli değişiyor.",
            "renkleri sonra konuşuruz.",
            "herkesin nasıl hissettiğine bağlı.",
            "buna pek çok açıdan bakılabilir.",
        ],
    },
    Language {
        name: "id",
        facts: &[
            "Kode pintu rumah saya #.",
            "Kami mempekerjakan @ untuk dapur.",
            "Anggaran paling banyak # rupiah.",
            "Nama adik saya @.",
            "Tagihan nomor # belum dibayar.",
        ],
        things: &["kacang"],
        openers: &["Ya, ", "Sejujurnya, ", "Baik, ", "Jadi, "],
        fillers: &[
            "itu terdengar cukup masuk akal.",
            "biar saya lihat sebentar.",
            "cuaca di sini sering berubah.",
            "soal warna kita bicarakan nanti.",
            "tergantung perasaan semua orang.",
            "ada banyak cara melihatnya.",
        ],
    },
];
