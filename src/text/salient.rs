//! The sentences of a text that are worth remembering: facts about the person, preferences, decisions, rules, plans.

use super::chars::{Class, class};
use super::cues::Cues;
use super::markdown::{Blocks, Kind};
use super::sentences::Sentences;
use super::terms::terms;
use super::traits::Traits;
use super::worth::has_title;

/// The sentences of `text` that are worth remembering, in order.
///
/// Recognised by phrases of English, Vietnamese, Japanese and Chinese; in any language by names, numbers and dates if
/// there is more than one kind of them. Questions, greetings and code do not count.
pub fn salient(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for block in Blocks::new(text) {
        if matches!(block.kind, Kind::Code) {
            continue;
        }
        let prose = text.get(block.range).unwrap_or("");
        found.extend(Sentences::new(prose).map(unmarked).filter(|sentence| is_salient(sentence)));
    }
    found
}

/// A sentence without the marker of a list, a quotation or a heading before it.
pub(super) fn unmarked(sentence: &str) -> &str {
    sentence.trim().trim_start_matches(['-', '*', '+', '•', '>', '#', ' '])
}

fn is_salient(sentence: &str) -> bool {
    let cues = Cues::of(sentence);
    if cues.asks || !is_long_enough(sentence) {
        return false;
    }
    let mut traits = Traits::default();
    terms(sentence, &mut |term| traits.see(&term));
    let number = traits.has_number() || sentence.chars().any(|c| class(c) == Class::Digit);
    let points = 2 * i32::from(cues.strong)
        + i32::from(cues.weak)
        + i32::from(number)
        + i32::from(cues.time || traits.has_time())
        + i32::from(traits.has_name() || has_title(sentence))
        - 2 * i32::from(cues.small_talk);
    points >= 2
}

/// At least three words, or five characters of a script without spaces.
fn is_long_enough(sentence: &str) -> bool {
    let unspaced = sentence.chars().filter(|c| matches!(class(*c), Class::Cjk | Class::Unspaced)).count();
    unspaced >= 5 || sentence.split_whitespace().count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(keep: &[&str], leave: &[&str]) {
        let missed: Vec<_> = keep.iter().filter(|sentence| salient(sentence).is_empty()).collect();
        let taken: Vec<_> = leave.iter().filter(|sentence| !salient(sentence).is_empty()).collect();
        assert!(missed.is_empty() && taken.is_empty(), "missed {missed:#?}\ntaken {taken:#?}");
    }

    #[test]
    fn b15_english_facts_are_told_from_small_talk() {
        check(
            &[
                "My name is Priya and I'm from Pune.",
                "I live in a small flat near the harbour.",
                "I'm allergic to peanuts.",
                "My daughter starts school in September.",
                "I prefer short answers without bullet points.",
                "I don't like phone calls in the morning.",
                "We decided to use PostgreSQL instead of MongoDB.",
                "Let's go with the blue design.",
                "The report must not be longer than two pages.",
                "The deadline is 14 March.",
                "I'll fly to Oslo on Friday.",
                "We're going to launch the beta next week.",
                "From now on answer me in French.",
                "Remember that the tests need Node 20.",
                "My dog is called Biscuit.",
                "I usually run ten kilometres on Sundays.",
                "I work as a nurse on night shifts.",
                "Please call me Sam.",
                "I have two brothers.",
                "Our budget is at most 3,000 euros.",
                "I was born in 1984.",
                "She moved from Lisbon to Berlin in 2019.",
                "We switched the build to Vite yesterday.",
                "I can't stand loud restaurants.",
            ],
            &[
                "ok, thanks",
                "Hello there!",
                "Good morning, how are you?",
                "Sounds good.",
                "Can you help me with this?",
                "What is the capital of Mongolia?",
                "Haha, that's funny.",
                "No problem at all.",
                "Sure, why not.",
                "Thank you so much!",
                "I see what you mean.",
                "That makes sense.",
                "Great job on that one.",
                "Yes.",
                "I'll be right back.",
                "I'm a bit tired now.",
                "Do you like tea?",
                "Let me know if that helps.",
                "It works.",
                "Hmm, interesting.",
                "See you on Monday, Anna!",
                "I love it!",
                "Never mind.",
                "Bye!",
            ],
        );
    }

    #[test]
    fn b15_vietnamese_facts_are_told_from_small_talk() {
        check(
            &[
                "Tôi tên là Minh, năm nay 32 tuổi.",
                "Mình sống ở Đà Nẵng với bố mẹ.",
                "Tôi thích uống trà hơn cà phê.",
                "Tôi không thích ăn hành.",
                "Con gái tôi học lớp ba.",
                "Vợ tôi bị dị ứng hải sản.",
                "Chúng tôi đã quyết định thuê văn phòng mới.",
                "Từ nay hãy trả lời tôi bằng tiếng Việt.",
                "Báo cáo không được dài quá hai trang.",
                "Hạn chót là ngày 15 tháng 3.",
                "Tuần sau tôi sẽ đi công tác ở Huế.",
                "Tôi làm kỹ sư phần mềm.",
                "Đừng quên là mẹ tôi ăn chay.",
                "Sinh nhật của em là mùng 2 tháng 9.",
                "Toi thich lam viec vao buoi sang.",
                "Ngân sách tối đa 40 triệu.",
                "To\u{302}i thi\u{301}ch nha\u{323}c Tri\u{323}nh.",
                "Quê tôi ở Nghệ An.",
                "Cả nhóm thống nhất dùng Rust.",
                "Thứ sáu này sẽ họp lúc 9 giờ.",
            ],
            &[
                "Cảm ơn bạn nhiều nhé!",
                "Xin chào mọi người.",
                "Bạn khỏe không?",
                "Thời tiết đẹp quá.",
                "Ừ, được rồi.",
                "Không sao đâu.",
                "Thủ đô của Mông Cổ là gì?",
                "Hay quá đi.",
                "Đúng rồi đó.",
                "Để xem đã nào.",
                "Tạm biệt nhé, hẹn gặp lại.",
                "Ha ha vui thật.",
                "Ok bạn.",
                "Bạn giúp mình được không?",
                "Vâng ạ, em hiểu rồi.",
                "Xin lỗi vì trả lời muộn.",
                "Cũng bình thường thôi.",
                "Nghe hợp lý đấy.",
                "Bạn thích màu gì?",
                "Chào buổi sáng!",
            ],
        );
    }

    #[test]
    fn b15_japanese_and_chinese_facts_are_told_from_small_talk() {
        check(
            &[
                "私の名前は佐藤です。",
                "大阪に住んでいます。",
                "そばアレルギーがあります。",
                "コーヒーより紅茶が好きです。",
                "辛いものは苦手です。",
                "娘は小学三年生です。",
                "犬を二匹飼っています。",
                "来週から出張の予定です。",
                "会議は3月5日です。",
                "デザインは青に決めました。",
                "新しいサーバーを使うことにしました。",
                "報告書は金曜日までに出してください。",
                "今後は英語で答えてください。",
                "パスワードを絶対に表示しないでください。",
                "予算は五万円以内です。",
                "病院で看護師として働いています。",
                "誕生日は8月12日です。",
                "明日の会議で発表するつもりです。",
                "出身は北海道です。",
                "妻はベジタリアンです。",
                "好き嫌いは特にないけど、納豆は食べられない。",
                "我叫王芳，住在杭州。",
                "我对花生过敏。",
                "我们决定用新的方案。",
            ],
            &[
                "ありがとうございます。",
                "おはようございます！",
                "お元気ですか？",
                "了解です。",
                "はい、そうです。",
                "なるほど、面白いですね。",
                "今日は何曜日ですか。",
                "モンゴルの首都はどこですか？",
                "よろしくお願いします。",
                "すごい！",
                "ちょっと待ってください。",
                "そうかもしれません。",
                "うん、いいよ。",
                "お疲れ様でした。",
                "手伝ってもらえますか。",
                "いい天気ですね。",
                "わかりました。",
                "楽しかったです。",
                "谢谢你的帮助！",
                "今天天气怎么样？",
                "你好，很高兴认识你。",
                "好的，没问题。",
            ],
        );
    }

    #[test]
    fn b15_names_numbers_and_dates_tell_in_any_language() {
        check(
            &[
                "Meine Schwester Anna wohnt seit 2015 in Köln.",
                "Встреча с Иваном 12 мая в Казани.",
                "El tren a Sevilla sale a las 9:30.",
                "佐藤さんは3時に来ます。",
                "김 과장님은 3층에 있습니다.",
            ],
            &["Das ist sehr schön.", "Спасибо большое за помощь!", "¿Cómo estás hoy?", "例を3つ挙げてみて。"],
        );
    }

    #[test]
    fn sentences_are_picked_out_of_a_text_and_code_is_not_read() {
        let text = "Hi! I live in Oslo. Nice weather.\n\n```\nI must never be kept.\n```\n- I'm allergic to nuts\n";
        assert_eq!(salient(text), ["I live in Oslo.", "I'm allergic to nuts"]);
        assert_eq!(salient(""), Vec::<&str>::new());
    }
}
