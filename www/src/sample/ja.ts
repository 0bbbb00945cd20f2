// The sample memory in Japanese: Mai, who runs a bakery.

import type { Sample } from "./person.js";

export const ja: Sample = {
  profile: {
    name: "マイ",
    about: { city: "ダナン", work: "パン屋「れんが窯」を営む", family: ["愛子", "ノア"] },
    style: { tone: "気さくで簡潔" },
    constraints: { mornings: "10時前の電話は不可、窯を使っている" },
  },
  entries: [
    {
      id: "sample-allergy",
      content: "ノアはごまアレルギーで、学校のかばんにエピペンを入れている。",
      tags: ["家族", "健康"],
      importance: 1,
      days: 80,
      trust: "high",
    },
    {
      id: "sample-flour",
      content: "小麦粉はファムさんが火曜日と金曜日の朝6時前に届ける。",
      tags: ["パン屋", "仕入れ"],
      importance: 0.8,
      days: 61,
      before: "小麦粉はファムさんが火曜日に届ける。",
    },
    {
      id: "sample-oven",
      content: "古い窯は表示より15度高くなる。",
      tags: ["パン屋", "窯"],
      importance: 0.7,
      days: 55,
    },
    {
      id: "sample-starter",
      content: "サワー種の名前はみかんで、流しの上の棚に置いてある。",
      tags: ["パン屋", "サワー種"],
      importance: 0.6,
      days: 54,
    },
    {
      id: "sample-aiko",
      content: "愛子の誕生日は3月3日。チョコではなく抹茶シフォンケーキがいい。",
      tags: ["家族"],
      importance: 0.9,
      days: 47,
    },
    {
      id: "sample-rent",
      content: "店の家賃は1月から1800万ドンに上がる。",
      tags: ["お金"],
      importance: 0.8,
      days: 40,
      before: "店の家賃は月1500万ドン。",
    },
    {
      id: "sample-hotel",
      content: "港のホテルは毎週土曜日にバゲット60本を注文し、月末に払う。",
      tags: ["パン屋", "顧客"],
      importance: 0.8,
      days: 33,
    },
    {
      id: "sample-tom",
      content: "夜勤のトムはベトナム語教室があるため水曜日は働けない。",
      tags: ["パン屋", "仲間"],
      importance: 0.7,
      days: 30,
    },
    {
      id: "sample-price",
      content: "バターの値上がり以来、クロワッサンは3万2千ドン。",
      tags: ["パン屋", "お金"],
      importance: 0.5,
      days: 26,
    },
    {
      id: "sample-kyoto",
      content: "12月20日に京都へ飛び、1月4日に戻る。その間は店を閉める。",
      tags: ["家族", "旅行"],
      importance: 0.9,
      days: 21,
    },
    {
      id: "sample-school",
      content: "ノアの学芸会は12月12日17時半。役は月。",
      tags: ["家族"],
      importance: 0.8,
      days: 17,
    },
    {
      id: "sample-rumour",
      content: "来年の夏、店の向かいに新しいスーパーができるかもしれない。",
      tags: ["パン屋"],
      importance: 0.4,
      days: 13,
      trust: "low",
    },
    {
      id: "sample-rye",
      content: "今月、ライ麦パンを11回聞かれた。",
      tags: ["パン屋", "案"],
      importance: 0.6,
      days: 9,
    },
    {
      id: "sample-mixer",
      content: "生地ミキサーはドゥックさんが修理した。電話番号は分電盤に貼ってある。",
      tags: ["パン屋", "修理"],
      importance: 0.6,
      days: 5,
    },
    {
      id: "sample-dinner",
      content: "木曜日7時にソラと夕食。橋のそばの麺の店。",
      tags: ["友人"],
      importance: 0.5,
      days: 2,
    },
  ],
  long: {
    id: "sample-planning",
    title: "冬休みの計画",
    days: 6,
    turns: [
      [
        "この冬は店を閉めて京都へ行きたいです。記録を手伝ってくれますか？",
        "はい。日程と、それまでにすべきことを教えてください。覚えておきます。",
      ],
      [
        "12月20日に飛んで、1月4日に戻ります。",
        "覚えておきます：12月20日から1月4日まで休業。",
        "sample-kyoto",
      ],
      ["愛子の両親が駅まで迎えに来るので、車は要りません。", "記録しました。京都でレンタカーは不要です。"],
      [
        "ホテルには早めに知らせないと。毎週土曜日に60本注文しています。",
        "土曜日が3回抜けます：12月20日、27日、1月3日です。",
        "sample-hotel",
      ],
      [
        "その3週間はホイアンのパン屋に頼めるかもしれません。",
        "新しい取り決めですね。決まるまで案として置いておきます。",
      ],
      [
        "決めました。留守の間、ホイアンがうちの値段でホテルに焼きます。",
        "ホイアンがホテルの土曜日をそちらの値段で受けると覚えておきます。",
      ],
      [
        "その間、ファムさんには小麦粉を届けないでもらいます。",
        "火曜日と金曜日です。最後の配達は12月18日の金曜日になります。",
        "sample-flour",
      ],
      [
        "留守中、種の世話は誰がしますか？",
        "まだ誰もいません。夜勤のトムがやり方を知っています。",
        "sample-tom",
        "sample-starter",
      ],
      [
        "トムが週に2回世話をします。鍵を預けます。",
        "覚えておきます：トムがみかんを週2回世話し、鍵を持ちます。",
      ],
      [
        "ノアの学芸会が12日なので、その晩は働けません。",
        "17時半に始まります。その日は誰かほかの人が店を閉めます。",
        "sample-school",
      ],
      ["12日は愛子が店を閉めてから来ます。", "記録しました：12月12日は愛子が閉店。"],
      [
        "出発前に払うものを教えてください。",
        "新しい額の1月分の家賃と、ドゥックさんのミキサー修理代です。",
        "sample-rent",
        "sample-mixer",
      ],
      ["どちらも15日に払います。", "覚えておきます：12月15日に両方。"],
      [
        "あとは扉の貼り紙だけです。",
        "「12月20日から1月4日まで休業、バゲットは港のホテルで」はいかがでしょう。",
      ],
    ],
  },
  short: {
    id: "sample-today",
    title: "ノアが食べられるもの",
    days: 1,
    turns: [
      [
        "土曜日の新しいレシピは黒タヒニのパンです。ノアは食べられますか？",
        "いいえ。タヒニはごまで作られ、ノアはごまアレルギーです。",
        "sample-allergy",
      ],
      [
        "そうでした。明日は誰が小麦粉を届けますか？",
        "明日が火曜日か金曜日なら、ファムさんが朝6時前に届けます。",
        "sample-flour",
      ],
      ["230度にするには古い窯を何度に合わせますか？", "215度です。表示より15度高くなります。", "sample-oven"],
    ],
  },
  documents: [
    {
      id: "house-rules.md",
      title: "店の決まり",
      content:
        "# れんが窯の決まり\n\n## 営業\n\n7時に開け、棚が空になったら閉める。遅くとも18時。\n\n## アレルゲン\n\nナッツやごまを使うパンは左の台だけで作る。使用後は熱湯で洗う。\n\n## 卸\n\n土曜日の注文は木曜日の正午まで。発送する人は先に在庫を確かめる。",
    },
  ],
  skills: [
    {
      id: "sample-feed",
      use: "サワー種の育て方",
      steps: [
        "みかんを50g取り、残りはパンケーキの生地へ",
        "小麦粉50gとぬるま湯50gを混ぜる",
        "瓶に高さの印をつける",
        "流しの上に6時間置く",
      ],
      mind: "暑い月は3時間で足ります。",
    },
    {
      id: "sample-close",
      use: "夜の店の閉め方",
      steps: [
        "明日の粉をミキサーの横に置く",
        "左の台を熱湯で洗う",
        "古い窯を壁のスイッチで切る",
        "裏口から先に鍵をかける",
      ],
    },
    {
      id: "sample-invoice",
      use: "ホテルへの請求書の書き方",
      steps: ["その月の土曜日を数える", "バゲット60本を掛ける", "28日までに送る"],
    },
  ],
  entities: [
    { name: "マイ", type: "人", observations: ["れんが窯を営む"] },
    { name: "愛子", type: "人", observations: ["京都出身", "抹茶ケーキがいい"] },
    { name: "ノア", type: "人", observations: ["ごまアレルギー", "7歳"] },
    { name: "トム", type: "人", observations: ["夜に焼く", "ベトナム語を勉強中"] },
    { name: "ファムさん", type: "仕入れ先", observations: ["小麦粉を届ける"] },
    { name: "れんが窯", type: "パン屋", observations: ["7時に開く"] },
    { name: "港のホテル", type: "顧客", observations: ["週にバゲット60本"] },
    { name: "みかん", type: "種", observations: ["流しの上にある"] },
    { name: "京都", type: "町", observations: [] },
  ],
  relations: [
    { from: "マイ", to: "愛子", type: "結婚" },
    { from: "ノア", to: "マイ", type: "息子" },
    { from: "マイ", to: "れんが窯", type: "経営" },
    { from: "トム", to: "れんが窯", type: "勤務" },
    { from: "ファムさん", to: "れんが窯", type: "納品" },
    { from: "港のホテル", to: "れんが窯", type: "購入" },
    { from: "トム", to: "みかん", type: "世話" },
    { from: "愛子", to: "京都", type: "出身" },
  ],
  outOfStock: "注文に対して在庫が足りません",
  files: [
    {
      path: "recipes/country-loaf.md",
      text: "# 田舎パン\n\n- 小麦粉800g、ライ麦200g\n- 水720g、塩20g、種200g\n\n2時間で4回折る。230度で焼く。古い窯では215度。\n",
    },
    {
      path: "notes/rye.md",
      text: "# ライ麦パンは？\n\n今月11人に聞かれた。木曜日に10個試し、半分から売る。\n",
    },
  ],
  decisions: [
    {
      title: "冬はホイアンがホテルに焼く",
      decision: "土曜日3回、うちの値段で",
      reason: "ホテルに別の店を探させない",
    },
    { title: "ごまは左の台だけ", decision: "台は一つ、使用後に洗う", reason: "ノアと同じような客のため" },
  ],
  focus: ["12月20日からの冬休み", "最初のライ麦パン"],
  next: ["12月の勤務をトムに聞く", "扉の貼り紙を書く"],
};
