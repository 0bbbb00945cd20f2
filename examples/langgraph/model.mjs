// A script in place of a chat model, so that the example needs no key. It answers questions from its instructions alone. Yours is
// `new ChatOpenAI({ model: "gpt-5-mini" })` of @langchain/openai, or any other chat model of LangChain.

import { SimpleChatModel } from "@langchain/core/language_models/chat_models";

class ScriptedModel extends SimpleChatModel {
  _llmType() {
    return "scripted";
  }

  async _call(messages) {
    if (process.env.OFFLINE) throw new Error("the model cannot be reached");
    if (!messages.at(-1).text.endsWith("?")) return "Noted.";
    const [, fact] = messages[0].text.match(/^- (.*)$/m) ?? [];
    return fact ? `You told me: ${fact}` : "I don't know.";
  }
}

export const model = new ScriptedModel({});
