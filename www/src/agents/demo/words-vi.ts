// The demo agent's Vietnamese.

import type { Words } from "./words.js";

/** Fields that the demo agent writes. */
const FIELDS: { readonly [path: string]: string } = {
  "style.language": "ngôn ngữ",
  "style.length": "độ dài câu trả lời",
};

export const vi: Words = {
  patterns: {
    greeting: /^(?:xin )?chào(?![\p{L}])/iu,
    help: /bạn (?:làm|giúp) được gì|bạn là ai|bạn là gì|bạn hoạt động (?:thế nào|ra sao)|^(?:trợ )?giúp[.!?]?$/iu,
    about: /bạn (?:biết|nhớ) (?:gì|những gì)(?: về (?:tôi|mình|em|anh|chị))?\s*\??$|(?:^|\s)tôi là ai/iu,
    name: /(?:[Tt]ôi tên là|[Tt]ên (?:của )?tôi là|[Mm]ình tên là|[Ee]m tên là|[Gg]ọi (?:tôi|mình) là)\s+(\p{L}+(?: \p{Lu}\p{L}*)*)/u,
    language: /(?:trả lời|nói|viết).*bằng tiếng (anh|việt|nhật)/iu,
    short: /(?:trả lời|câu trả lời|nói) ngắn|ngắn gọn/iu,
    long: /chi tiết hơn|(?:trả lời|câu trả lời|nói) dài/iu,
    remember: /^(?:hãy |xin )?(?:nhớ|ghi nhớ|ghi lại|đừng quên)(?: rằng| là)?[:,]?\s+(.+)/isu,
    forget: /^(?:hãy |xin )?quên (?:đi |chuyện |rằng |về )?(.+)/isu,
    ownName: /^tên(?: (?:của )?(?:tôi|mình|em))?(?: là .*)?\W*$/iu,
    undo: /^(?:hãy |xin )?(?:hoàn tác(?: đi| lại)?|bỏ (?:cái|câu|điều) vừa (?:rồi|nãy)(?: đi)?|rút lại(?: đi)?)[.!]?$/iu,
    teach: /^(?:cách|kỹ năng:?)\s+([^:\n]{3,120}):\s*(.+)$/isu,
    between: /\s*(?:[;\n]|,? rồi |,? sau đó )\s*/iu,
    next: /^(?:tiếp|tiếp theo|tiếp tục|xong|xong rồi|rồi|được|ok)[.!]?$/iu,
    leave: /^(?:dừng|dừng lại|thôi|hủy)[.!]?$/iu,
    failed: /thất bại|không được|hỏng rồi|bị lỗi/iu,
    how: /(?:làm thế nào|làm sao|cách nào|như thế nào để|các bước|hướng dẫn|giúp tôi|giúp mình)/iu,
    question:
      /\?\s*$|(?:^|\s)(?:gì|ai|đâu|nào|sao|bao nhiêu|bao giờ|mấy giờ|khi nào|ở đâu)(?=[\s?.!]|$)|(?:^|\s)(?:có|đã) .*(?:không|chưa)\s*$/iu,
  },
  says: {
    quoted: (text) => `“${text}”`,
    hello: (name, entries) =>
      `Chào ${name ?? "bạn"}. ${
        entries === 0
          ? "Bộ nhớ của tôi còn trống. Hãy kể cho tôi điều gì đó về bạn, rồi hỏi lại sau."
          : `Tôi có ${entries} ký ức để tìm.`
      }`,
    help: "Tôi là trợ lý minh họa làm từ các quy tắc, không phải mô hình ngôn ngữ. Tôi giữ lại điều lâu dài trong lời bạn kể, tìm lại khi bạn hỏi, và cho thấy câu trả lời dựa trên ký ức nào. Nói “nhớ rằng …” để giữ một điều, “quên …” để xóa đi, “hoàn tác” để bỏ tin nhắn vừa rồi, “cách pha trà: đun nước; ủ trà; rót” để dạy tôi các bước. Ngoài ra tôi không biết gì về thế giới. Một mô hình thật có thể trả lời thay: xem phần cài đặt.",
    aboutYou: "Đây là điều tôi biết về bạn:",
    field: (path, value) =>
      path === "name" ? `Tên bạn là ${value}.` : `${FIELDS[path] ?? path.split(".").at(-1)}: ${value}.`,
    toldMe: (text) => `Bạn đã kể: “${text}”`,
    askedMe: (text) => `Bạn đã dặn: “${text}”`,
    before: (text) => `Trước đây là “${text}”.`,
    clearedMessages: (count) => `Tôi cũng đã xóa ${count} tin nhắn về điều đó.`,
    nothingAboutYou: "Tôi chưa biết gì về bạn. Hãy cho tôi biết tên, hoặc điều bạn thích.",
    counts: (entries, sessions, skills) =>
      `Tất cả: ${entries} ký ức, ${sessions} cuộc trò chuyện, ${skills} kỹ năng.`,
    willCall: (name) => `Tôi sẽ gọi bạn là ${name}.`,
    willSpeak: "Từ giờ tôi sẽ trả lời bằng tiếng Việt.",
    willBeShort: "Tôi sẽ trả lời ngắn gọn.",
    willBeLong: "Tôi sẽ kể nhiều hơn mỗi lần.",
    kept: "Tôi sẽ nhớ:",
    knownAlready: "Điều đó tôi đã biết:",
    nothingLasting:
      "Tôi không thấy điều gì lâu dài trong đó, nên chỉ giữ trong cuộc trò chuyện này. Nói “nhớ rằng …” để giữ lại.",
    forgot: "Tôi đã quên hẳn điều đó.",
    nothingToForget: "Tôi không tìm thấy điều gì như vậy để quên.",
    undone: (texts) => `Tôi đã bỏ ${texts.map((text) => `“${text}”`).join(", ")}.`,
    trueAgain: (text) => `“${text}” lại đúng như trước.`,
    nothingToUndo: "Không có gì để hoàn tác: tin nhắn vừa rồi không thay đổi gì trong bộ nhớ của tôi.",
    forgettingIsFinal: "Tôi không thể hoàn tác: điều đã quên là quên hẳn.",
    tooLateToUndo:
      "Tôi không thể hoàn tác nữa: từ đó đến nay bộ nhớ đã có thay đổi khác. Nói “quên …” để xóa điều đó.",
    learnedSkill: (purpose, steps) =>
      `Giờ tôi đã biết cách ${purpose}, gồm ${steps} bước. Hãy hỏi “làm thế nào để ${purpose}?”`,
    found: (name) => (name ? `${name}, đây là điều tôi nhớ:` : "Đây là điều tôi nhớ:"),
    unknown:
      "Tôi không biết. Không có gì trong bộ nhớ liên quan đến điều đó, và tôi không đoán. Hãy kể, tôi sẽ nhớ.",
    related: (from, type, to) => `${from} ${type} ${to}.`,
    saidBefore: "Điều đó không có trong ký ức, nhưng trước đây bạn đã nói:",
    notCertain: "chưa chắc",
    fromFile: "từ một tệp",
    skill: (purpose) => `Tôi có một kỹ năng cho việc đó: ${purpose}.`,
    step: (number, of, text) => `Bước ${number}/${of}: ${text}`,
    sayNext: "Nói “tiếp” khi xong, hoặc “dừng”.",
    mind: (text) => `Lưu ý điều từng hỏng: ${text}`,
    skillDone: "Đó là bước cuối. Tôi đã ghi rằng mọi việc ổn.",
    skillLeft: "Được, ta dừng ở đây.",
    skillFailed: "Tôi đã ghi rằng việc không ổn. Kỹ năng hỏng nhiều lần sẽ không được gợi ý nữa.",
    noSkill: "Tôi không có kỹ năng nào cho việc đó. Hãy dạy tôi: “cách pha trà: đun nước; ủ trà; rót”.",
  },
};
