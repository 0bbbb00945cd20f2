//! Irregular English verbs and nouns, which no suffix rule reaches, each with its dictionary form.

use super::listed::Listed;

/// The dictionary form of an irregular word.
pub(super) fn lemma(word: &str) -> Option<&'static str> {
    IRREGULAR.find(word)
}

static IRREGULAR: Listed = Listed::new(
    "\
    ate:eat became:become been:be began:begin begun:begin best:good better:good bought:buy bred:breed \
    broke:break broken:break brought:bring built:build came:come caught:catch children:child chose:choose \
    chosen:choose did:do does:do done:do drank:drink drawn:draw drew:draw driven:drive drove:drive drunk:drink \
    dug:dig eaten:eat fallen:fall fed:feed feet:foot fell:fall felt:feel flew:fly flown:fly forgot:forget \
    forgotten:forget fought:fight found:find gave:give geese:goose given:give goes:go gone:go got:get \
    gotten:get grew:grow grown:grow had:have halves:half has:have heard:hear held:hold hid:hide hidden:hide \
    hung:hang kept:keep knew:know knives:knife known:know leaves:leaf led:lead left:leave lent:lend lives:life \
    lost:lose made:make meant:mean men:man met:meet mice:mouse paid:pay people:person ran:run rang:ring \
    ridden:ride risen:rise rode:ride rose:rise said:say sang:sing sat:sit saw:see seen:see selves:self \
    sent:send shelves:shelf shot:shoot slept:sleep sold:sell sought:seek spent:spend spoke:speak spoken:speak \
    stole:steal stolen:steal stood:stand struck:strike stuck:stick sung:sing swam:swim swum:swim taken:take \
    taught:teach teeth:tooth thought:think threw:throw thrown:throw told:tell took:take tore:tear torn:tear \
    understood:understand was:be went:go were:be wives:wife woke:wake woken:wake wolves:wolf women:woman \
    won:win wore:wear worn:wear worse:bad worst:bad written:write wrote:write",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn irregular_forms_have_their_dictionary_form() {
        assert_eq!(["went", "ate", "wrote"].map(lemma), [Some("go"), Some("eat"), Some("write")]);
        assert_eq!(lemma("walked"), None);
    }
}
