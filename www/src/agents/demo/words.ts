// The patterns and answers of the demo agent in one language. They are rules about memory; it has no other knowledge.

/** The rules of a language. */
export interface Words {
  /** The intents of the user. The first group is the subject. */
  patterns: {
    greeting: RegExp;
    /** Asks what this page is. */
    help: RegExp;
    /** Asks what is known about the user. */
    about: RegExp;
    /** Gives a name. */
    name: RegExp;
    /** Wants answers in another language; the group names it. */
    language: RegExp;
    /** Wants short answers. */
    short: RegExp;
    /** Wants long answers. */
    long: RegExp;
    /** Wants something stored literally. */
    remember: RegExp;
    /** Wants something forgotten. */
    forget: RegExp;
    /** What is forgotten is the user's name. */
    ownName: RegExp;
    /** Wants the changes of the last message taken back. */
    undo: RegExp;
    /** Teaches a skill: its purpose, and its steps. */
    teach: RegExp;
    /** The separator of steps. */
    between: RegExp;
    /** Continues with the steps of a skill. */
    next: RegExp;
    /** Stops the steps. */
    leave: RegExp;
    /** Says that it did not work. */
    failed: RegExp;
    /** Asks how to do something. */
    how: RegExp;
    /** Asks a question. */
    question: RegExp;
  };
  /** The answers of the agent. */
  says: {
    /** A text of a memory or a message, in quotation marks. */
    quoted(text: string): string;
    hello(name: string | undefined, entries: number): string;
    help: string;
    aboutYou: string;
    /** A field of the profile as a sentence. */
    field(path: string, value: string): string;
    /** A statement of the user as a sentence. */
    toldMe(text: string): string;
    /** A standing instruction of the user as a sentence. */
    askedMe(text: string): string;
    /** A statement that a newer one replaced. */
    before(text: string): string;
    /** How many messages were cleared. */
    clearedMessages(count: number): string;
    nothingAboutYou: string;
    counts(entries: number, sessions: number, skills: number): string;
    willCall(name: string): string;
    willSpeak: string;
    willBeShort: string;
    willBeLong: string;
    kept: string;
    knownAlready: string;
    nothingLasting: string;
    forgot: string;
    nothingToForget: string;
    /** The texts that were taken back. */
    undone(texts: readonly string[]): string;
    /** An entry that is true again. */
    trueAgain(text: string): string;
    nothingToUndo: string;
    forgettingIsFinal: string;
    /** Other things have changed since. */
    tooLateToUndo: string;
    learnedSkill(purpose: string, steps: number): string;
    found(name: string | undefined): string;
    unknown: string;
    related(from: string, type: string, to: string): string;
    saidBefore: string;
    notCertain: string;
    /** The passage is from a file, not from the user. */
    fromFile: string;
    skill(purpose: string): string;
    step(number: number, of: number, text: string): string;
    sayNext: string;
    mind(text: string): string;
    skillDone: string;
    skillLeft: string;
    skillFailed: string;
    noSkill: string;
  };
}
