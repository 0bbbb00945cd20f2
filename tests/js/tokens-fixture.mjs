// Writes tests/fixtures/tokens.json: texts with the number of tokens that real tokenizers make of them.
//
//     node tests/js/tokens-fixture.mjs
//
// The passages are the project's own. Code is read from the project as it is when this runs, and stored with its count,
// so that the test does not move when the code does.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import * as o200k from "gpt-tokenizer/encoding/o200k_base";

const root = new URL("../../", import.meta.url);

const PASSAGES = {
  english: [
    `The old mill at the end of our street was empty for eleven years before anybody thought of doing something with
it. Last spring, a carpenter called Ines Okafor signed a lease, replaced the roof, and opened a workshop where people
can repair what they would otherwise throw away. On Saturdays there is a queue before nine o'clock. I brought a radio
that had belonged to my grandfather; it took three visits, a borrowed soldering iron and a good deal of patience, but it
plays again. Ines says that most things break for the same two or three reasons, and that knowing them is half of the
work. The council has now offered her the second floor, provided that she can show by October that the stairs are safe.`,
    `Ana: Hey! Did you manage to book the train?
Ben: Almost. The 7:40 was sold out, so I've got us on the 8:15 instead. We'll be there a bit before noon.
Ana: That's fine, I'd rather sleep longer anyway. Don't forget that Lena's allergic to nuts, she's bringing the cake
herself.
Ben: Right, I'll tell my mum. She wanted to bake something with almonds, haha.
Ana: Oh no. Can't she do the lemon one? Everyone loved it last time!
Ben: I'll ask. By the way, how many of us are there now? I thought six, but Tom isn't sure he can come.
Ana: Seven, if he does. He has to work until Friday evening and then drive 200 km.`,
    `Please write the summary in plain language, no more than two pages, and put the figures into one table at the end.
The board meets on 14 March 2025; they'll want to know why costs rose by 8.4% while the number of orders fell. Keep the
explanation honest: we hired too early, and the new warehouse opened four months late.`,
  ],
  vietnamese: [
    `Quán cà phê nhỏ ở đầu ngõ nhà tôi mở cửa từ sáu giờ sáng. Bà chủ tên là Hạnh, năm nay đã ngoài sáu mươi tuổi nhưng
vẫn tự tay rang từng mẻ cà phê. Buổi sáng khách thường là những người đi làm sớm, còn buổi chiều thì học sinh ghé vào uống
nước chanh và làm bài tập. Tôi thích ngồi ở góc gần cửa sổ, vừa đọc sách vừa nghe tiếng mưa rơi trên mái tôn. Tuần trước, bà
Hạnh nói rằng con trai bà sắp về nước sau tám năm làm việc ở nước ngoài, và có lẽ anh ấy sẽ giúp bà mở thêm một quán nữa ở
quận bên cạnh. Mọi người trong xóm ai cũng mừng cho bà.`,
    `Chào em, chị đã nhận được bản kế hoạch rồi nhé. Chị thấy phần ngân sách còn hơi cao, khoảng 45 triệu đồng, trong khi
công ty chỉ duyệt tối đa 40 triệu. Em xem lại chi phí thuê hội trường và in tài liệu giúp chị. Ngoài ra, thứ sáu tuần này
chúng ta phải gửi danh sách khách mời cho anh Tuấn trước 5 giờ chiều. Nếu có gì khó khăn thì gọi cho chị ngay, đừng để đến
phút cuối mới nói.`,
    `Từ khi chuyển vào Đà Nẵng, gia đình tôi quen dần với nhịp sống chậm hơn. Các con đi học bằng xe đạp, cuối tuần cả nhà
ra biển tắm rồi ăn bún chả cá ở chợ. Điều duy nhất tôi nhớ ở Hà Nội là mùa thu.`,
  ],
  japanese: [
    `駅前の古い本屋が来月で閉店することになった。店主の森田さんは今年で七十八歳になり、毎朝シャッターを開けるのがつらくなってきたという。
子どものころ、私は学校の帰りにここで漫画を立ち読みしては叱られたものだ。それでも森田さんは、雨の日には必ずタオルを貸してくれた。閉店を知った
近所の人たちは、最後の週末に小さなお別れ会を開く計画を立てている。本棚に残っている本は、町の図書館と小学校に寄付されるそうだ。`,
    `お世話になっております。先日ご相談した件ですが、納期を一週間ほど延ばしていただくことは可能でしょうか。部品の到着が遅れており、
十五日までに検査を終えるのが難しい状況です。代わりに、先にソフトウェアの部分だけをお渡しすることもできます。ご都合のよい日時をいくつか教えて
いただければ、オンラインで詳しくご説明いたします。`,
    `昨日は友だちとカレーを作ったよ。玉ねぎを切りすぎて涙が止まらなかったけど、すごくおいしかった！次はスパイスをもっと減らしてみるつもり。
弟は辛いものが苦手だから、甘口のルーも買っておかないとね。`,
  ],
  chinese: [
    `我家楼下有一个很小的修鞋摊，老师傅姓赵，在这里已经干了将近三十年。他的工具都放在一个旧木箱里，每一样都有固定的位置。附近的居民常常
一边等他修鞋，一边跟他聊天，从天气聊到孩子的学习。去年冬天下了一场大雪，他病了两个星期没有出摊，大家才发现没有他是多么不方便。后来几个年轻人
帮他在网上做了一个页面，现在连住在城市另一头的人也会把鞋寄给他。赵师傅说，他打算再干五年，然后回老家种菜。`,
    `您好，关于下周的会议，我想确认几个问题。第一，参加的人数是否还是十二位？第二，投影设备需要我们自己带，还是由酒店提供？第三，因为有两位
客人吃素，请提前告诉厨房。另外，预算目前是一万八千元，如果超出，请在星期三之前通知我，我需要重新向公司申请。谢谢！`,
    `我最近在学做面包，失败了好几次，不是太硬就是没有发起来。昨天终于成功了，连平时不爱吃甜食的爸爸也吃了两块。`,
  ],
};

const CODE = [
  "src/codec/crc.rs",
  "src/text/summary.rs",
  "src/store/key.rs",
  "pkg/src/errors.ts",
  "xtask/src/main.rs",
];

const texts = Object.entries(PASSAGES).flatMap(([language, list]) =>
  list.map((text) => ({ language, text })),
);
for (const name of CODE) {
  texts.push({ language: "code", text: (await readFile(new URL(name, root), "utf8")).slice(0, 4000) });
}
const counted = texts.map(({ language, text }) => ({
  language,
  o200k: o200k.encode(text).length,
  cl100k: cl100k.encode(text).length,
  text,
}));
const path = fileURLToPath(new URL("tests/fixtures/tokens.json", root));
await writeFile(path, `${JSON.stringify(counted, null, 1)}\n`);
