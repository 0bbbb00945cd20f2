// What the demo agent understands and says, in one language. Both are rules about memory; it knows nothing else.

/** What a language's rules are. */
export interface Words {
  /** What the user may mean. The first group is what it is about. */
  patterns: {
    greeting: RegExp;
    /** Asks what this is. */
    help: RegExp;
    /** Asks what is known of them. */
    about: RegExp;
    /** Says their name. */
    name: RegExp;
    /** Wants answers in a language; the group names it. */
    language: RegExp;
    /** Wants short answers. */
    short: RegExp;
    /** Wants long ones. */
    long: RegExp;
    /** Wants something kept as it is said. */
    remember: RegExp;
    /** Wants something forgotten. */
    forget: RegExp;
    /** Teaches a skill: what it is for, and its steps. */
    teach: RegExp;
    /** What stands between the steps. */
    between: RegExp;
    /** Goes on with the steps of a skill. */
    next: RegExp;
    /** Leaves them. */
    leave: RegExp;
    /** Says that it did not work. */
    failed: RegExp;
    /** Wants to be led through something. */
    how: RegExp;
    /** Asks something. */
    question: RegExp;
  };
  /** What the agent says. */
  says: {
    hello(name: string | undefined, entries: number): string;
    help: string;
    aboutYou: string;
    nothingAboutYou: string;
    counts(entries: number, sessions: number, skills: number): string;
    willCall(name: string): string;
    willSpeak: string;
    willBeShort: string;
    willBeLong: string;
    kept: string;
    knownAlready: string;
    nothingLasting: string;
    remindsMe: string;
    forgot: string;
    nothingToForget: string;
    learnedSkill(purpose: string, steps: number): string;
    found(name: string | undefined): string;
    unknown: string;
    related(from: string, type: string, to: string): string;
    saidBefore: string;
    notCertain: string;
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
