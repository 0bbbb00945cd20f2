// The demo agent's English.

import type { Words } from "./words.js";

export const en: Words = {
  patterns: {
    greeting: /^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b/i,
    help: /\b(?:what can you do|how do you work|who are you|what are you|are you an? (?:ai|llm|model))\b|^help[.!?]?$/i,
    about: /\bwhat do you (?:know|remember)(?: about me)?\s*\??$|\bwho am i\b|\bwhat is my profile\b/i,
    name: /\b(?:[Mm]y name is|[Cc]all me|I am called|I'm called)\s+(\p{L}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*)/u,
    language: /\b(?:answer|reply|speak|talk|respond|write)\b.*\bin (english|vietnamese|japanese)\b/i,
    short: /\b(?:be brief|keep (?:it|your answers) short|short answers?|be concise)\b/i,
    long: /\b(?:more detail|longer answers?|long answers|be thorough)\b/i,
    remember: /^(?:please )?(?:remember|note|keep in mind|don['’]t forget)(?: that)?[:,]?\s+(.+)/is,
    forget: /^(?:please )?forget (?:about |that |what i said about )?(.+)/is,
    ownName: /^(?:what )?(?:my )?name(?: is\b.*)?\W*$/i,
    undo: /^(?:please )?(?:undo(?: (?:that|this|it|the last (?:one|change|message)))?|take (?:that|it) back)(?:,? please)?[.!]?$/i,
    teach: /^(?:how to|to|skill:)\s+([^:\n]{3,120}):\s*(.+)$/is,
    between: /\s*(?:[;\n]|,? then )\s*/i,
    next: /^(?:next|done|ok(?:ay)?|continue|go on|yes)[.!]?$/i,
    leave: /^(?:stop|cancel|quit|leave|never mind)[.!]?$/i,
    failed: /\b(?:failed|didn['’]t work|did not work|doesn['’]t work|does not work)\b/i,
    how: /\bhow (?:do|can|should|to)\b|\bhelp me\b|\bwalk me through\b|\bsteps? (?:for|to)\b/i,
    question:
      /\?\s*$|^(?:what|who|whose|when|where|why|which|how|do|does|did|is|are|am|was|were|can|could|have|has|tell me|show me)\b/i,
  },
  says: {
    quoted: (text) => `“${text}”`,
    hello: (name, entries) =>
      `Hello${name ? `, ${name}` : ""}. ${
        entries === 0
          ? "My memory is empty so far. Tell me something about you, and ask me later."
          : `I have ${entries} ${entries === 1 ? "memory" : "memories"} to look through.`
      }`,
    help: "I am a demo agent made of rules, not a language model. I remember lasting facts from what you tell me, find them when you ask, and show which memories an answer is based on. Say “remember that …” to save something, “forget …” to delete it, “undo” to take back your last message, “how to make tea: boil water; steep; pour” to teach me steps. I know nothing else about the world. A real model can answer instead: see the settings.",
    aboutYou: "This is what I know about you:",
    field: (path, value) =>
      path === "name" ? `Your name is ${value}.` : `Your ${path.split(".").at(-1)}: ${value}.`,
    toldMe: (text) => `You told me: “${text}”`,
    askedMe: (text) => `You asked me: “${text}”`,
    before: (text) => `Before, it was “${text}”.`,
    clearedMessages: (count) => `I also cleared ${count === 1 ? "a message" : `${count} messages`} about it.`,
    nothingAboutYou: "I know nothing about you yet. Tell me your name, or what you like.",
    counts: (entries, sessions, skills) =>
      `In all: ${entries} ${entries === 1 ? "memory" : "memories"}, ${sessions} ${sessions === 1 ? "conversation" : "conversations"}, ${skills} ${skills === 1 ? "skill" : "skills"}.`,
    willCall: (name) => `I will call you ${name}.`,
    willSpeak: "I will answer in English from now on.",
    willBeShort: "I will keep answers short.",
    willBeLong: "I will give longer answers.",
    kept: "I will remember:",
    knownAlready: "I already know that:",
    nothingLasting:
      "I found nothing lasting in that, so I kept it only in this conversation. Say “remember that …” to keep it.",
    forgot: "I have forgotten it for good.",
    nothingToForget: "I found nothing like that to forget.",
    undone: (texts) => `I took back ${texts.map((text) => `“${text}”`).join(", ")}.`,
    trueAgain: (text) => `“${text}” is true again.`,
    nothingToUndo: "There is nothing to undo: your last message changed nothing in my memory.",
    forgettingIsFinal: "I cannot undo that: forgetting is final.",
    tooLateToUndo:
      "I cannot undo that any more: other things have changed in my memory since. Say “forget …” to delete it.",
    learnedSkill: (purpose, steps) =>
      `I know how to ${purpose} now, in ${steps} ${steps === 1 ? "step" : "steps"}. Ask me “how do I ${purpose}?”`,
    found: (name) => (name ? `${name}, this is what I remember:` : "This is what I remember:"),
    unknown:
      "I don’t know. Nothing in my memory matches that, and I do not guess. Tell me, and I will remember it.",
    related: (from, type, to) => `${from} ${type} ${to}.`,
    saidBefore: "It is not among my memories, but you said this before:",
    notCertain: "not certain",
    fromFile: "from a file",
    skill: (purpose) => `I have a skill for that: ${purpose}.`,
    step: (number, of, text) => `Step ${number} of ${of}: ${text}`,
    sayNext: "Say “next” when it is done, or “stop”.",
    mind: (text) => `Note what went wrong before: ${text}`,
    skillDone: "That was the last step. I noted that it went well.",
    skillLeft: "All right, we stop here.",
    skillFailed: "I noted that it failed. A skill that keeps failing is no longer offered.",
    noSkill: "I have no skill for that. Teach me: “how to make tea: boil water; steep; pour”.",
  },
};
