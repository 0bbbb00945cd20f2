// Thousands of generated entries, to try a large memory. The same ones each time.

import type { Draft } from "../import/lines.js";
import type { Language } from "../text/language.js";

interface Parts {
  who: readonly string[];
  what: readonly string[];
  where: readonly string[];
  say(who: string, what: string, where: string, number: number): string;
}

const PARTS: { readonly [L in Language]: Parts } = {
  en: {
    who: ["Noah", "Aiko", "Mrs Pham", "Tom", "the night baker", "Sora", "the courier", "Hana"],
    what: ["baguettes", "rye loaves", "croissants", "oat milk", "sesame buns", "invoices", "flour sacks"],
    where: ["the market", "the harbour café", "the school", "the hotel", "the workshop", "the old oven"],
    say: (who, what, where, number) => `Order ${number}: ${who} took ${what} to ${where}`,
  },
  vi: {
    who: ["Nam", "chị Aiko", "cô Phạm", "anh Tâm", "thợ ca đêm", "Sora", "người giao hàng", "Hana"],
    what: ["bánh mì que", "bánh lúa mạch", "bánh sừng bò", "sữa yến mạch", "bánh mè", "hóa đơn", "bao bột"],
    where: ["chợ", "quán cà phê bến cảng", "trường học", "khách sạn", "xưởng", "lò cũ"],
    say: (who, what, where, number) => `Đơn ${number}: ${who} mang ${what} đến ${where}`,
  },
  ja: {
    who: ["ノア", "愛子", "ファムさん", "トム", "夜勤のパン職人", "ソラ", "配達員", "ハナ"],
    what: ["バゲット", "ライ麦パン", "クロワッサン", "オーツミルク", "ごまパン", "請求書", "小麦粉の袋"],
    where: ["市場", "港のカフェ", "学校", "ホテル", "工房", "古い窯"],
    say: (who, what, where, number) => `注文${number}：${who}が${what}を${where}へ届けた`,
  },
};

const HOUR = 3_600_000;

/** Generates entries, an hour apart, the last one now. */
export function* manyEntries(count: number, language: Language): Generator<Draft> {
  const { who, what, where, say } = PARTS[language];
  const now = Date.now();
  const pick = (list: readonly string[], number: number) => list[number % list.length] ?? "";
  for (let number = 1; number <= count; number++) {
    yield {
      // Fixed ids: a repeated import adds nothing twice.
      id: `many-${language}-${number}`,
      content: say(
        pick(who, number * 7),
        pick(what, number * 5 + (number >> 3)),
        pick(where, number * 11 + (number >> 5)),
        number,
      ),
      namespace: "long-term",
      tags: [`batch-${Math.ceil(number / 500)}`],
      importance: (number % 10) / 10,
      at: now - (count - number) * HOUR,
    };
  }
}
