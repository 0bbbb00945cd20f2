// Prose of the project's own, in many languages: the last passage of each is held out.

export const PROSE = {
  English: [
    `The old mill at the end of our street was empty for eleven years before anybody thought of doing something with
it. Last spring, a carpenter called Ines Okafor signed a lease, replaced the roof, and opened a workshop where people
can repair what they would otherwise throw away. On Saturdays there is a queue before nine o'clock. I brought a radio
that had belonged to my grandfather; it took three visits, a borrowed soldering iron and a good deal of patience, but it
plays again. Ines says that most things break for the same two or three reasons, and that knowing them is half of the
work.`,
    `Ana: Hey! Did you manage to book the train?
Ben: Almost. The 7:40 was sold out, so I've got us on the 8:15 instead. We'll be there a bit before noon.
Ana: That's fine, I'd rather sleep longer anyway. Don't forget that Lena's allergic to nuts, she's bringing the cake
herself.
Ben: Right, I'll tell my mum. She wanted to bake something with almonds, haha.
Ana: Oh no. Can't she do the lemon one? Everyone loved it last time!
Ben: I'll ask. By the way, how many of us are there now? I thought six, but Tom isn't sure he can come.`,
  ],
  Vietnamese: [
    `Quán cà phê nhỏ ở đầu ngõ nhà tôi mở cửa từ sáu giờ sáng. Bà chủ tên là Hạnh, năm nay đã ngoài sáu mươi tuổi nhưng
vẫn tự tay rang từng mẻ cà phê. Buổi sáng khách thường là những người đi làm sớm, còn buổi chiều thì học sinh ghé vào uống
nước chanh và làm bài tập. Tôi thích ngồi ở góc gần cửa sổ, vừa đọc sách vừa nghe tiếng mưa rơi trên mái tôn.`,
    `Chào em, chị đã nhận được bản kế hoạch rồi nhé. Chị thấy phần ngân sách còn hơi cao, khoảng 45 triệu đồng, trong khi
công ty chỉ duyệt tối đa 40 triệu. Em xem lại chi phí thuê hội trường và in tài liệu giúp chị. Ngoài ra, thứ sáu tuần này
chúng ta phải gửi danh sách khách mời cho anh Tuấn trước 5 giờ chiều. Nếu có gì khó khăn thì gọi cho chị ngay.`,
  ],
  Chinese: [
    `我家楼下有一个很小的修鞋摊，老师傅姓赵，在这里已经干了将近三十年。他的工具都放在一个旧木箱里，每一样都有固定的位置。附近的居民常常
一边等他修鞋，一边跟他聊天，从天气聊到孩子的学习。去年冬天下了一场大雪，他病了两个星期没有出摊，大家才发现没有他是多么不方便。`,
    `您好，关于下周的会议，我想确认几个问题。第一，参加的人数是否还是十二位？第二，投影设备需要我们自己带，还是由酒店提供？第三，因为有两位
客人吃素，请提前告诉厨房。另外，预算目前是一万八千元，如果超出，请在星期三之前通知我，我需要重新向公司申请。谢谢！`,
    `爷爷年轻的时候在码头当工人，最喜欢在傍晚坐在江边看船。他说那时候江上的灯火比天上的星星还要多，卖馄饨的小贩挑着担子沿着石阶走来走去。
如今码头已经改成了公园，只有那棵老榕树还在原来的地方。`,
  ],
  Japanese: [
    `駅前の古い本屋が来月で閉店することになった。店主の森田さんは今年で七十八歳になり、毎朝シャッターを開けるのがつらくなってきたという。
子どものころ、私は学校の帰りにここで漫画を立ち読みしては叱られたものだ。それでも森田さんは、雨の日には必ずタオルを貸してくれた。`,
    `お世話になっております。先日ご相談した件ですが、納期を一週間ほど延ばしていただくことは可能でしょうか。部品の到着が遅れており、
十五日までに検査を終えるのが難しい状況です。代わりに、先にソフトウェアの部分だけをお渡しすることもできます。`,
  ],
  Korean: [
    `우리 동네 시장 끝에는 삼십 년 된 작은 국수집이 있다. 주인아주머니는 새벽 네 시에 일어나 육수를 끓이고, 손님이 많은 날에도 면을 직접 뽑는다.
나는 시험이 끝난 날마다 친구들과 그 집에 가서 비빔국수를 먹었다. 지난겨울에는 가게 앞 골목에 눈이 많이 쌓여서 단골손님들이 함께 길을 치웠다.`,
    `안녕하세요, 김 대리님. 지난주에 말씀하신 보고서 초안을 첨부해서 보내 드립니다. 매출 자료는 3월까지만 반영되어 있으니 4월 수치는 확인 후 다시 전달하겠습니다.
회의는 목요일 오후 두 시로 옮겨도 괜찮을까요? 참석이 어려우시면 미리 알려 주세요.`,
  ],
  Russian: [
    `В конце нашей улицы много лет стоял пустой дом с заколоченными окнами. Этой весной его купила молодая семья, и теперь по
вечерам там горит свет, а во дворе сушится бельё. Сосед рассказывает, что раньше здесь была пекарня и весь квартал
просыпался от запаха свежего хлеба. Новые хозяева нашли в подвале старую печь и хотят её восстановить.`,
    `Добрый день! Посылка с документами пришла вчера, но в ней не хватает двух подписанных договоров. Пожалуйста, отправьте
их до пятницы заказным письмом или передайте с курьером. Оплату за март мы переведём сразу после проверки. Если возникнут
вопросы, звоните мне на мобильный, я на связи до семи вечера.`,
  ],
  Arabic: [
    `في نهاية الشارع مقهى صغير يفتح أبوابه قبل شروق الشمس. صاحبه رجل هادئ يعرف أسماء الزبائن جميعا ويحفظ ما يطلبه كل واحد منهم.
كنت أجلس هناك مع جدي كل يوم جمعة، وكان يحكي لي عن سفره بالبحر حين كان شابا. اليوم تغير الحي كثيرا، لكن رائحة القهوة بقيت كما هي.`,
    `السلام عليكم، وصلتني رسالتك أمس وقرأت الخطة كاملة. أرى أن الميزانية مرتفعة قليلا، ونحتاج إلى تقليل تكاليف النقل والطباعة.
هل يمكنك إرسال النسخة المعدلة قبل يوم الأربعاء؟ سنناقشها في الاجتماع القادم مع المدير. شكرا على تعاونك.`,
  ],
  Hindi: [
    `हमारे मोहल्ले के कोने पर एक छोटी सी चाय की दुकान है जो सुबह पाँच बजे खुल जाती है। दुकान के मालिक रामलाल जी पिछले चालीस साल से यहीं चाय बना रहे हैं।
स्कूल जाते समय बच्चे वहाँ रुककर बिस्कुट खाते हैं और बड़े लोग अखबार पढ़ते हुए राजनीति पर बहस करते हैं। बारिश के दिनों में भीड़ और भी बढ़ जाती है।`,
    `नमस्ते, आपकी भेजी हुई सूची मिल गई है। तीन मेहमानों के नाम उसमें नहीं हैं, कृपया उन्हें जोड़ दीजिए। होटल ने कहा है कि कमरों की पुष्टि शुक्रवार तक करनी होगी।
अगर खर्च तय सीमा से अधिक हो जाए तो मुझे पहले बता दें, ताकि मैं दफ्तर से अनुमति ले सकूँ।`,
  ],
  Thai: [
    `ร้านขายของชำหน้าปากซอยเปิดมาตั้งแต่ก่อนที่ฉันจะเกิด คุณยายเจ้าของร้านจำได้ว่าเด็กแต่ละคนชอบขนมอะไร ตอนเย็นหลังเลิกเรียนพวกเราจะนั่งทำการบ้านกันที่โต๊ะไม้หน้าร้าน
ปีที่แล้วน้ำท่วมหนัก เพื่อนบ้านช่วยกันยกของขึ้นชั้นสองจนไม่มีอะไรเสียหาย`,
    `สวัสดีครับ เอกสารที่ขอไว้เมื่อวันจันทร์ยังไม่เรียบร้อย เพราะต้องรอลายเซ็นจากฝ่ายบัญชีก่อน คาดว่าจะส่งให้ได้ภายในวันพฤหัสบดี
ถ้าต้องการใช้ด่วนกรุณาโทรแจ้งล่วงหน้า ผมจะจัดส่งสำเนาทางอีเมลให้ก่อนครับ`,
  ],
  German: [
    `Am Ende unserer Straße stand jahrelang eine verlassene Gärtnerei. Seit dem Frühjahr ziehen dort zwei Schwestern Tomaten,
Kräuter und alte Apfelsorten, die man im Supermarkt längst nicht mehr findet. Samstags verkaufen sie vor dem Gewächshaus,
und wer möchte, bekommt eine Führung durch die Beete. Meine Großmutter hat dort eine Birne wiedererkannt, die in ihrer
Kindheit in jedem Garten wuchs.`,
    `Sehr geehrte Frau Brandt, vielen Dank für Ihre Rückmeldung. Die Verzögerung tut uns leid: Ein Zulieferer hat uns erst
gestern mitgeteilt, dass die Ersatzteile frühestens nächsten Donnerstag verschickt werden können. Falls Sie die Maschine
dringend benötigen, stellen wir Ihnen bis dahin kostenlos ein Leihgerät zur Verfügung.`,
  ],
  French: [
    `Au bout de la rue, il y avait une ancienne boulangerie fermée depuis des années. Un couple l'a rachetée cet hiver et y a
installé une bibliothèque où chacun peut déposer les livres qu'il ne lit plus. Le mercredi, des élèves du collège viennent y
faire leurs devoirs, et le soir quelques voisins se retrouvent pour jouer aux échecs. On y sert aussi un café très serré.`,
    `Bonjour Madame, je vous remercie pour votre réponse. Comme convenu, nous vous enverrons le devis corrigé avant vendredi
midi. Il reste à préciser le nombre de participants ainsi que l'heure d'arrivée du groupe. Pourriez-vous également nous
indiquer si certains invités suivent un régime particulier ?`,
  ],
  Spanish: [
    `En la plaza del pueblo hay una fuente que no funcionaba desde hacía veinte años. El verano pasado, un grupo de vecinos
jubilados decidió arreglarla sin pedir dinero a nadie. Limpiaron las tuberías, pintaron los azulejos y encontraron, debajo
de una baldosa, una caja con fotografías antiguas. Ahora los niños se sientan allí a merendar y los mayores cuentan quién
sale en cada foto.`,
    `Hola, Marta: te escribo porque todavía no hemos recibido las facturas de abril. El contable necesita los originales
antes del día quince, así que te agradecería que las enviaras mañana por mensajería. También queda pendiente confirmar si la
reunión será en la oficina o por videoconferencia. Un saludo.`,
  ],
};
