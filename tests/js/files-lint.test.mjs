// Advice on a context: lines that nobody could act on, in the languages that people write, and none about those that say
// what is to be done.

import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryOf } from "./support/talk.mjs";

/** The lines that were used to choose the words. */
const VAGUE = [
  "Working on stuff",
  "Maybe do auth later",
  "WIP",
  "Auth module (WIP)",
  "TBD",
  "Sửa mấy thứ linh tinh",
  "Để tính sau",
  "Sua may thu linh tinh",
  "後でやる",
  "いつか直す",
  "以后再说",
  "改天再弄",
  "나중에 하기",
  "Más tarde vemos",
  "On verra plus tard",
  "Irgendwann mal anschauen",
  "Потом разберёмся",
  "Depois eu vejo",
  "ทำทีหลัง",
  "Nanti saja",
];
const CLEAR = [
  "Fix the maybe-uninitialised warning in `parser.rs`",
  "Rename `stuff` to `queue`",
  "Move src/misc/util.rs to src/text/",
  "Handle Option.maybe_none in the decoder",
  "Replace later_than() with Instant comparison",
  "Add rate limiting to the login endpoint",
  "Deploy version 2 before Friday",
  "Sửa lỗi hết hạn token",
  "Cài máy thu phát sóng ở tầng 3",
  "午後でテストを実行する",
  "直後でエラーになるテストを直す",
  "修复登录接口的空指针",
  "把更改天数的上限设为 30",
  "部署之后再运行冒烟测试",
  "等待定时任务结束",
  "未定義の変数を直す",
  "Họp với khách vào tuần sau",
  "Faire expirer le jeton après un jour",
  "로그인 오류 수정",
  "Corregir el error de inicio de sesión",
  "Die Anmeldung beschleunigen",
  "Исправить ошибку входа",
];

/** Lines that were written down after the words were chosen. */
const VAGUE_UNSEEN = [
  "Do the rest sometime",
  "Some cleanup, maybe",
  "Other stuff from the meeting",
  "Docs etc.",
  "Look into it when there is time",
  "Khi nào rảnh thì dọn code",
  "Chắc là phải sửa gì đó",
  "Từ từ rồi tính",
  "いつか整理する",
  "あとでテストを書く",
  "なんか調子が悪い",
  "改天再优化",
  "也许要重构",
  "看情况",
  "나중에 정리",
  "아마 고쳐야 함",
  "Tal vez cambiar algo",
  "Peut-être revoir l'API",
  "Irgendwie schneller machen",
  "Возможно, переписать",
  "Mexer em algumas coisas",
  "Forse rifare i test",
  "ไว้ค่อยทำ",
  "Mungkin ganti nama",
  "Misschien opruimen",
  "Belki yeniden yazarım",
  "ربما نغير التصميم",
  "बाद में देखेंगे",
  "Kiedyś to poprawić",
  "Fix whatever breaks",
];
const CLEAR_UNSEEN = [
  "Write the later-wins merge rule as a test",
  "Support the `--whatever` flag of git",
  "Upgrade stuff-js to 4.2",
  "Send the invoice to etc@example.com",
  "Document Maybe<T> in the guide",
  "今後の計画を README に書く",
  "最後でループを抜ける処理を削除",
  "午後でも動くように時計を直す",
  "把超时设为 30 秒",
  "아마존 S3 업로드 재시도 추가",
  "Añadir pruebas al cliente HTTP",
  "Corriger la fuite mémoire du cache",
  "Timeout auf 30 Sekunden setzen",
  "Добавить индекс по дате",
  "Đặt lịch sao lưu hằng đêm lúc 2 giờ",
  "Adicionar cache ao cliente",
];

async function flagged(lines) {
  const { files } = await memoryOf();
  const text = `# Current Context\n\n## Notes\n\n${lines.map((line) => `- [ ] ${line}\n`).join("")}`;
  const found = await files.lint("agents/a/memory/context.md", text);
  const numbers = new Set(found.filter(({ rule }) => rule === "vague").map(({ line }) => line));
  return lines.filter((_, at) => numbers.has(at + 5));
}

test("A38 vague lines are told from clear ones, in the lines by which the words were chosen", async () => {
  assert.deepEqual(await flagged(VAGUE), VAGUE);
  assert.deepEqual(await flagged(CLEAR), []);
});

test("A38 of other lines, no clear one is called vague and most vague ones are", async () => {
  assert.deepEqual(await flagged(CLEAR_UNSEEN), []);
  const found = await flagged(VAGUE_UNSEEN);
  assert.ok(found.length >= 24, `${found.length} of ${VAGUE_UNSEEN.length}: ${found.join(" | ")}`);
});
