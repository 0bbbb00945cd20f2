// The sample memory in Vietnamese: Mai, who runs a bakery.

import type { Sample } from "./person.js";

export const vi: Sample = {
  profile: {
    name: "Mai",
    "về tôi": { "nơi ở": "Đà Nẵng", "công việc": "chủ tiệm bánh Lò Gạch", "gia đình": ["Aiko", "Nam"] },
    "cách nói": { giọng: "giản dị, thân thiện" },
    "lưu ý": { "buổi sáng": "không gọi trước 10 giờ, lò đang chạy" },
  },
  entries: [
    {
      id: "sample-allergy",
      content: "Nam dị ứng với mè và luôn mang bút tiêm EpiPen trong cặp đi học.",
      tags: ["gia đình", "sức khỏe"],
      importance: 1,
      days: 80,
      trust: "high",
    },
    {
      id: "sample-flour",
      content: "Cô Phạm giao bột mì vào thứ Ba và thứ Sáu, trước sáu giờ sáng.",
      tags: ["tiệm bánh", "nguồn hàng"],
      importance: 0.8,
      days: 61,
      before: "Cô Phạm giao bột mì vào thứ Ba.",
    },
    {
      id: "sample-oven",
      content: "Lò cũ nóng hơn 15 °C so với màn hình.",
      tags: ["tiệm bánh", "lò"],
      importance: 0.7,
      days: 55,
    },
    {
      id: "sample-starter",
      content: "Men chua tên là Quýt, để trên kệ phía trên bồn rửa.",
      tags: ["tiệm bánh", "men chua"],
      importance: 0.6,
      days: 54,
    },
    {
      id: "sample-aiko",
      content: "Sinh nhật Aiko là ngày 3 tháng 3; cô ấy muốn bánh chiffon matcha, không phải sô-cô-la.",
      tags: ["gia đình"],
      importance: 0.9,
      days: 47,
    },
    {
      id: "sample-rent",
      content: "Tiền thuê tiệm tăng lên 18 triệu đồng từ tháng Một.",
      tags: ["tiền bạc"],
      importance: 0.8,
      days: 40,
      before: "Tiền thuê tiệm là 15 triệu đồng một tháng.",
    },
    {
      id: "sample-hotel",
      content: "Khách sạn bến cảng đặt 60 bánh mì que mỗi thứ Bảy và trả tiền cuối tháng.",
      tags: ["tiệm bánh", "khách hàng"],
      importance: 0.8,
      days: 33,
    },
    {
      id: "sample-tom",
      content: "Anh Tâm, thợ ca đêm, không làm được thứ Tư vì đi học tiếng Anh.",
      tags: ["tiệm bánh", "nhân sự"],
      importance: 0.7,
      days: 30,
    },
    {
      id: "sample-price",
      content: "Bánh sừng bò giá 32.000 đồng từ khi bơ tăng giá.",
      tags: ["tiệm bánh", "tiền bạc"],
      importance: 0.5,
      days: 26,
    },
    {
      id: "sample-kyoto",
      content: "Cả nhà bay đi Kyoto ngày 20 tháng 12 và về ngày 4 tháng 1; tiệm đóng cửa.",
      tags: ["gia đình", "du lịch"],
      importance: 0.9,
      days: 21,
    },
    {
      id: "sample-school",
      content: "Vở kịch ở trường của Nam diễn ngày 12 tháng 12 lúc 17:30; cháu đóng mặt trăng.",
      tags: ["gia đình"],
      importance: 0.8,
      days: 17,
    },
    {
      id: "sample-rumour",
      content: "Có thể hè tới sẽ có siêu thị mới mở đối diện tiệm.",
      tags: ["tiệm bánh"],
      importance: 0.4,
      days: 13,
      trust: "low",
    },
    {
      id: "sample-rye",
      content: "Tháng này khách hỏi bánh lúa mạch đen mười một lần.",
      tags: ["tiệm bánh", "ý tưởng"],
      importance: 0.6,
      days: 9,
    },
    {
      id: "sample-mixer",
      content: "Máy trộn bột do chú Đức sửa; số điện thoại dán trên tủ điện.",
      tags: ["tiệm bánh", "sửa chữa"],
      importance: 0.6,
      days: 5,
    },
    {
      id: "sample-dinner",
      content: "Ăn tối với Sora thứ Năm lúc bảy giờ, ở quán mì cạnh cầu.",
      tags: ["bạn bè"],
      importance: 0.5,
      days: 2,
    },
  ],
  long: {
    id: "sample-planning",
    title: "Chuẩn bị kỳ nghỉ đông",
    days: 6,
    turns: [
      [
        "Mùa đông này nhà tôi muốn đóng tiệm để đi Kyoto. Bạn giúp tôi ghi nhớ nhé?",
        "Hãy cho tôi biết ngày và những việc phải làm trước, tôi sẽ ghi nhớ.",
      ],
      [
        "Chúng tôi bay ngày 20 tháng 12 và về ngày 4 tháng 1.",
        "Tôi sẽ nhớ: đóng cửa từ 20 tháng 12 đến 4 tháng 1.",
        "sample-kyoto",
      ],
      ["Bố mẹ Aiko đón ở ga nên không cần thuê xe.", "Đã ghi: không thuê xe ở Kyoto."],
      [
        "Phải báo sớm cho khách sạn. Họ đặt sáu mươi bánh mì que mỗi thứ Bảy.",
        "Họ sẽ lỡ ba thứ Bảy: 20 và 27 tháng 12, và 3 tháng 1.",
        "sample-hotel",
      ],
      [
        "Tôi có thể nhờ tiệm ở Hội An làm thay ba tuần đó.",
        "Đó là thỏa thuận mới. Tôi giữ như một ý tưởng cho đến khi chị quyết.",
      ],
      [
        "Quyết rồi: Hội An làm bánh cho khách sạn khi chúng tôi đi vắng, theo giá của mình.",
        "Tôi sẽ nhớ Hội An nhận các thứ Bảy của khách sạn theo giá của chị.",
      ],
      [
        "Mấy tuần đó cô Phạm đừng giao bột.",
        "Cô giao thứ Ba và thứ Sáu, nên lần giao bột cuối là thứ Sáu, 18 tháng 12.",
        "sample-flour",
      ],
      [
        "Ai nuôi men khi chúng tôi đi?",
        "Chưa có ai. Anh Tâm làm ca đêm và biết cách.",
        "sample-tom",
        "sample-starter",
      ],
      [
        "Anh Tâm sẽ cho men ăn hai lần mỗi tuần. Tôi để chìa khóa lại.",
        "Tôi sẽ nhớ: anh Tâm nuôi Quýt hai lần mỗi tuần và giữ chìa khóa.",
      ],
      [
        "Kịch của Nam ngày 12 nên tối đó tôi không làm được.",
        "Kịch bắt đầu lúc 17:30. Hôm đó người khác đóng tiệm.",
        "sample-school",
      ],
      ["Aiko đóng tiệm ngày 12 rồi đến sau.", "Đã ghi: Aiko đóng tiệm ngày 12 tháng 12."],
      [
        "Nhắc tôi những gì phải trả trước khi đi.",
        "Tiền thuê tháng Một theo mức mới, và tiền công chú Đức sửa máy trộn.",
        "sample-rent",
        "sample-mixer",
      ],
      ["Tôi sẽ trả cả hai vào ngày 15.", "Tôi sẽ nhớ: cả hai khoản vào ngày 15 tháng 12."],
      [
        "Vậy chỉ còn thiếu tấm biển trên cửa.",
        "Có thể ghi: nghỉ từ 20 tháng 12 đến 4 tháng 1, bánh mì có ở khách sạn bến cảng.",
      ],
    ],
  },
  short: {
    id: "sample-today",
    title: "Nam ăn được gì",
    days: 1,
    turns: [
      [
        "Công thức mới cho thứ Bảy: bánh nhân sốt mè đen. Nam ăn được không?",
        "Không. Sốt đó làm từ mè, và Nam dị ứng với mè.",
        "sample-allergy",
      ],
      [
        "Đúng rồi, cảm ơn. Mai ai mang bột đến?",
        "Cô Phạm, nếu mai là thứ Ba hoặc thứ Sáu, trước sáu giờ sáng.",
        "sample-flour",
      ],
      [
        "Muốn 230 độ thì chỉnh lò cũ bao nhiêu?",
        "Chỉnh 215. Lò nóng hơn 15 độ so với màn hình.",
        "sample-oven",
      ],
    ],
  },
  documents: [
    {
      id: "house-rules.md",
      title: "Nội quy",
      tags: ["tiệm bánh"],
      content:
        "# Nội quy tiệm Lò Gạch\n\n## Mở cửa\n\nTiệm mở lúc bảy giờ và đóng khi hết bánh, muộn nhất sáu giờ chiều.\n\n## Chất gây dị ứng\n\nBánh có hạt hoặc mè chỉ làm ở bàn bên trái. Sau đó rửa bàn bằng nước nóng.\n\n## Bán sỉ\n\nĐơn cho thứ Bảy phải đến trước trưa thứ Năm. Ai gửi đơn phải kiểm tra kho trước.",
    },
  ],
  skills: [
    {
      id: "sample-feed",
      use: "nuôi men chua",
      steps: [
        "lấy 50 g Quýt, phần còn lại cho vào tô bột bánh kếp",
        "trộn với 50 g bột và 50 g nước ấm",
        "đánh dấu chiều cao trên hũ",
        "để trên bồn rửa sáu tiếng",
      ],
      mind: "Mùa nóng chỉ cần ba tiếng.",
    },
    {
      id: "sample-close",
      use: "đóng tiệm buổi tối",
      steps: [
        "để bột ngày mai cạnh máy trộn",
        "rửa bàn bên trái bằng nước nóng",
        "tắt lò cũ ở ổ điện tường",
        "khóa cửa sau trước",
      ],
    },
    {
      id: "sample-invoice",
      use: "viết hóa đơn cho khách sạn",
      steps: ["đếm số thứ Bảy trong tháng", "nhân với sáu mươi bánh mì que", "gửi trước ngày 28"],
    },
  ],
  entities: [
    { name: "Mai", type: "người", observations: ["chủ tiệm Lò Gạch"] },
    { name: "Aiko", type: "người", observations: ["đến từ Kyoto", "muốn bánh matcha"] },
    { name: "Nam", type: "người", observations: ["dị ứng với mè", "bảy tuổi"] },
    { name: "Tâm", type: "người", observations: ["làm bánh ca đêm", "đang học tiếng Anh"] },
    { name: "cô Phạm", type: "nhà cung cấp", observations: ["giao bột mì"] },
    { name: "Lò Gạch", type: "tiệm bánh", observations: ["mở lúc bảy giờ"] },
    { name: "Khách sạn bến cảng", type: "khách hàng", observations: ["đặt 60 bánh mì que mỗi tuần"] },
    { name: "Quýt", type: "men", observations: ["ở trên bồn rửa"] },
    { name: "Kyoto", type: "thành phố", observations: [] },
  ],
  relations: [
    { from: "Mai", to: "Aiko", type: "kết hôn với" },
    { from: "Nam", to: "Mai", type: "là con của" },
    { from: "Mai", to: "Lò Gạch", type: "làm chủ" },
    { from: "Tâm", to: "Lò Gạch", type: "làm việc ở" },
    { from: "cô Phạm", to: "Lò Gạch", type: "cung cấp cho" },
    { from: "Khách sạn bến cảng", to: "Lò Gạch", type: "mua của" },
    { from: "Tâm", to: "Quýt", type: "nuôi" },
    { from: "Aiko", to: "Kyoto", type: "đến từ" },
  ],
  outOfStock: "Kho không đủ cho đơn hàng",
  task: "đơn bán sỉ",
  files: [
    {
      path: "recipes/country-loaf.md",
      text: "# Bánh mì quê\n\n- 800 g bột mì, 200 g lúa mạch đen\n- 720 g nước, 20 g muối, 200 g men\n\nGấp bốn lần trong hai giờ. Nướng 230 °C, tức 215 trên lò cũ.\n",
    },
    {
      path: "notes/rye.md",
      text: "# Bánh lúa mạch đen?\n\nTháng này mười một khách hỏi. Thử mười ổ vào thứ Năm, bán theo nửa ổ.\n",
    },
  ],
  decisions: [
    {
      title: "Hội An làm bánh cho khách sạn mùa đông",
      decision: "Ba thứ Bảy, theo giá của mình",
      reason: "Khách sạn không phải tìm tiệm khác",
    },
    {
      title: "Mè chỉ ở bàn bên trái",
      decision: "Một bàn, rửa sau khi dùng",
      reason: "Vì Nam và những khách như cháu",
    },
  ],
  focus: ["Nghỉ đông từ 20 tháng 12", "Mẻ bánh lúa mạch đen đầu tiên"],
  next: ["Hỏi anh Tâm giờ làm tháng 12", "Viết tấm biển trên cửa"],
};
