//! Words and phrases for comparing statements: negations, numbers, and single-valued attributes.
//!
//! English, Vietnamese, Chinese, Japanese, Korean, German, Spanish, French, Russian, and some of Portuguese and
//! Italian, in one table each, so no language has to be detected. Phrases are lowercase, without accents (`й` is `и`),
//! and without contractions; one with accents, in NFKD, matches only that spelling. `*` marks a prefix.

/// Contractions and their full forms. A language with leading contractions splits at the apostrophe without a table.
pub(super) const SHORT_FORMS: &[(&str, &str)] = &[
    ("won't", "will not"),
    ("can't", "can not"),
    ("cannot", "can not"),
    ("n't", "not"),
    ("i'm", "i am"),
    ("'re", "are"),
    ("'ve", "have"),
    ("'ll", "will"),
    ("it's", "it is"),
    ("he's", "he is"),
];

/// Negation words and phrases.
pub(super) const NEGATIONS: &str = "not|no longer|no|never|without|khong con|khong phai|khong|chang|chu\u{31b}a|ko|\
nicht mehr|nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|ohne|ya no|nunca|jamas|tampoco|ningun|ninguna|sin|\
ne|pas|jamais|aucun|aucune|sans|больше не|уже не|не|нет|никогда|без|nao|non|mai|\
不再|不是|不|没有|沒有|没|沒|\
ませんでした|ではありません|じゃありません|ではないです|じゃないです|ではない|じゃない|ありません|ません|ないです|ない|\
더 이상|안|못|없*|않*|아니*";

/// Function words that come and go with a negation and carry no meaning themselves.
pub(super) const DUMMIES: &str = "do|does|did|have|has|had|any|some|anymore|any more|with|ever|really|nua|con|co|bi|\
mehr|mit|con|de|du|des|plus|avec|есть|больше|с|con|muito|了|有|是|会|很|\
ました|あります|ある|ます|です|だ|は|が|を|も|있*|더";

/// Articles and their equivalents.
pub(super) const ARTICLES: &str = "a|an|the|ein|eine|einen|einem|einer|eines|der|die|das|den|dem|el|la|los|las|un|una|unos|\
unas|le|les|une|o|os|as|um|uma|il|lo|gli|mot";

/// Adverbs of the present: the statement holds from now on.
pub(super) const NOW: &str = "now|currently|actually|recently|just|jetzt|nun|inzwischen|ahora|actualmente|maintenant|\
desormais|actuellement|теперь|сеичас|недавно|gio|hien|agora|adesso|ora|现在|如今|今は|今|지금|이제|지금은|이제는";

/// Parts of dates and times, and numbers in words.
pub(super) const CALENDAR: &str = "monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|\
july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|today|tomorrow|noon|midnight|\
one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|fifty|hundred|thousand|\
first|second|third|fourth|fifth|\
mot|hai|ba|bon|tu|nam|sau|bay|tam|chin|muoi|nhat|\
montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|marz|mai|juni|juli|oktober|dezember|\
eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|\
lunes|martes|miercoles|jueves|viernes|sabado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|\
noviembre|diciembre|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|\
lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|\
decembre|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|\
понедельник*|вторник*|сред*|четверг*|пятниц*|суббот*|воскресень*|январ*|феврал*|март*|апрел*|мая|мае|июн*|июл*|август*|\
сентябр*|октябр*|ноябр*|декабр*|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|\
segunda|terca|quarta|quinta|sexta|janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro|\
〇|零|一|二|三|四|五|六|七|八|九|十|百|千|万|两|两|月|火|水|木|金|土|日|天|\
월요일*|화요일*|수요일*|목요일*|금요일*|토요일*|일요일*|두|세|네|다섯|여섯|일곱|여덟|아홉|열";

/// Words that may come between a number and its subject.
pub(super) const LINKS: &str = "on|at|the|in|for|due|about|around|by|of|from|until|scheduled|am|pm|o'clock|years|old|euros|dollars|\
vao|luc|ngay|thang|nam|gio|thu|chu|phut|trieu|tuoi|sang|chieu|toi|la|\
den|der|dem|um|im|an|ab|bis|uhr|jahre|alt|fur|euro|el|las|los|de|del|para|a|al|anos|le|les|heures|h|ans|\
в|во|на|к|числа|часов|часа|лет|год|года|рублеи|евро|em|no|na|dia|as|\
年|月|日|号|號|点|點|時|时|分|曜|周|週|星|期|上|午|下|晚|早|后|後|前|半|元|円|岁|歳|才|に|の|から|まで|오전|오후|시|분|원";

/// Copulas and other verbs that state a value, before a number.
pub(super) const COPULAS: &str = "is|are|am|will be|is now|has|have|costs|weigh|weighs|starts|begins|ends|leaves|departs|arrives|opens|\
closes|lands|needs|need|takes|born|turned|turns|equals|moved to|rescheduled|postponed|changed to|\
la|gia|nang|cao|bat dau|ket thuc|khoi hanh|can|sinh|het|doi sang|\
wird|kostet|betragt|wiegt|wiege|beginnt|endet|fahrt|offnet|schliesst|geboren|\
es|son|sera|esta|tengo|tiene|cuesta|pesa|empieza|comienza|termina|sale|llega|abre|cierra|naci|nacio|\
est|sont|ai|coute|pese|commence|finit|part|ouvre|ferme|nee|\
стоит|весит|начинается|заканчивается|будет|родился|родилась|составляет|прибывает|отправляется|мне|\
e|sao|tenho|tem|custa|comeca|sono|ho|ha|costa|inizia|是|为|為|有|改到|改为|改成|定在|推迟到|提前到|开始";

/// The same, unless a verb at the end reports an action.
pub(super) const AUXILIARIES: &str = "ist|sind|bin|hat|habe|haben";

/// Events that happen once, and things with one number. Where a language omits the verb, the number follows.
pub(super) const SCHEDULED: &str = "appointment|meeting|flight|train|bus|deadline|interview|exam|wedding|conference|surgery|dentist|\
concert|birthday|party|dinner|lunch|budget|rent|salary|price|phone|number|release|launch|trip|standup|\
cuoc hop|lich hop|lich hen|lich kham|chuyen bay|han chot|dam cuoi|phong van|sinh nhat|ky thi|buoi hop|ngan sach|tien thue|luong|\
so dien thoai|hen|termin*|zahnarzt*|besprechung|meeting|flug|zug|hochzeit|prufung|geburtstag|frist|miete|gehalt|budget|nummer|\
telefonnummer|cita|reunion|vuelo|tren|boda|examen|entrevista|cumpleanos|plazo|alquiler|sueldo|presupuesto|numero|telefono|\
rendez-vous|vol|mariage|entretien|anniversaire|loyer|salaire|delai|telephone|\
встреч*|прием|рейс|поезд|дедлаин|срок|свадьба|экзамен|собеседование|рождения|бюджет|зарплата|аренда|цена|номер|телефон|\
совещание|рост|вес|reuniao|consulta|voo|casamento|aniversario|aluguel|prazo|riunione|volo|appuntamento|compleanno|\
会议|會議|开会|预约|預約|航班|婚礼|截止|面试|考试|生日|牙医|手术|预算|房租|工资|电话|手机号|号码|身高|体重|\
会議|予約|打ち合わせ|フライト|結婚式|締め切り|締切|面接|試験|誕生日|家賃|給料|予算|電話番号|歯医者|\
회의*|예약*|미팅*|비행기*|결혼식*|마감*|면접*|시험*|생일*|월세*|월급*|예산*|전화번호*|번호*|치과*";

/// Ends of Japanese and Korean statements that describe something, rather than report an action.
pub(super) const ENDINGS: &str = "です|ます|だ|である|이에요|예요|입니다|이야|있어요|있습니다|이다|됩니다";

/// A single-valued attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    /// The phrases that introduce the value; with a leading `<`, the value comes before the phrase.
    pub(super) phrases: &'static str,
    /// Whether its values are common words, and not names.
    pub(super) common: bool,
    /// Whether it applies to [`SCHEDULED`] things.
    pub(super) scheduled: bool,
}

const fn name(phrases: &'static str) -> Attribute {
    Attribute { phrases, common: false, scheduled: false }
}

/// Home, name, preferred name, employer, work, and the location of an event.
pub(super) const ATTRIBUTES: &[Attribute] = &[
    name(
        "live in|lives in|am living in|is living in|are living in|moved to|have moved to|has moved to|am based in|is based in|\
reside in|resides in|address is|song o|dang song o|dang o|o|song tai|chuyen den|chuyen toi|chuyen vao|chuyen ra|chuyen ve|\
dia chi la|wohne in|wohnt in|wohnen in|lebe in|lebt in|leben in|adresse ist|vivo en|vive en|vivimos en|resido en|me mude a|\
se mudo a|nos mudamos a|direccion es|habite a|habite au|habite en|habitons a|vis a|vit a|vivons a|adresse est|живу в|живет в|\
живем в|живу на|живет на|переехал в|переехала в|переехали в|адрес|moro em|mora em|vivo em|mudei para|abito a|abita a|vivo a|vive a|\
住在|搬到了|搬到|搬去|家在|住址是|地址是|住所は|<に住んで|<に引っ越|<在住|<に住む|<살*|<삽니다|<거주*|<이사*",
    ),
    name(
        "my name is|user 's name is|user's name is|toi ten la|ten toi la|minh ten la|ten minh la|toi ten|minh ten|ich heisse|\
mein name ist|me llamo|mi nombre es|je me appelle|mon nom est|mon prenom est|меня зовут|мое имя|me chamo|meu nome e|mi chiamo|\
我叫|我的名字是|我的名字叫|我姓|私の名前は|僕の名前は|名前は|<と申します|<といいます|제 이름은|내 이름은|이름은",
    ),
    name("call me|goi toi la|goi minh la|nenn mich|llamame|appelle-moi|называи меня|叫我|<と呼んで"),
    name(
        "work at|works at|work for|works for|am working at|is working at|am working for|is working for|lam viec o|lam viec tai|\
lam viec cho|lam o|lam cho|lam tai|arbeite bei|arbeitet bei|trabajo en|trabaja en|trabajo para|trabaja para|travaille chez|\
travaille a|работаю в|работает в|trabalho na|trabalho no|trabalha na|lavoro in|lavoro per|就职于|任职于|<工作|<上班|<で働い|<に勤め|\
<で勤務|<에서 일*|<일해*|<일하*|<일합니다|<다녀*|<다니*|<근무*",
    ),
    Attribute {
        phrases: "work as a|work as an|works as a|works as an|work as|works as|job is|profession is|nghe cua toi la|lam nghe|\
arbeite als|arbeitet als|beruf ist|trabajo de|trabajo como|trabaja de|trabaja como|profesion es|travaille comme|metier est|\
trabalho como|trabalha como|lavoro come|职业是|工作是|職業は|仕事は|직업은",
        common: true,
        scheduled: false,
    },
    Attribute {
        phrases: "is in|is at|will be in|will be at|takes place in|takes place at|is held in|is held at|ist in|ist bei|findet in|es en|\
sera en|est a|est au|est chez|sera a|dien ra o|dien ra tai|o|tai|в|在|<で行われ|<であり",
        common: false,
        scheduled: true,
    },
];

/// Words that are never part of a name, in scripts without capitals.
pub(super) const NO_NAMES: &str = "公寓|宿舍|房子|楼|家里|父母|朋友|一个人|和|跟|与|アパート|マンション|寮|実家|一人|ひとり|と|や|\
아파트*|기숙사*|원룸*|혼자|부모님*|친구*";
