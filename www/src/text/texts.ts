// The keys of all texts of the page.

import type { FailureReason } from "../agents/agent.js";
import type { AgentChoice } from "../shell/preferences.js";

/** The texts of the page. */
export interface Texts {
  app: {
    title: string;
    skip: string;
    chat: string;
    memory: string;
    sessions: string;
    settings: string;
    shortcuts: string;
    themeSwitch: string;
    inspectorShow: string;
    inspectorHide: string;
    divider: string;
    close: string;
    cancel: string;
    install: string;
  };
  status: {
    opening: string;
    memories(count: number): string;
    here: string;
    notKept: string;
    offline: string;
    offlineReady: string;
  };
  notice: {
    notPersistent(problem: string): string;
    openFailed(problem: string): string;
    superseded: string;
    quota: string;
    reload: string;
    dismiss: string;
  };
  chat: {
    label: string;
    log: string;
    input: string;
    placeholder: string;
    send: string;
    stop: string;
    you: string;
    agents: { [A in AgentChoice]: string };
    answering: string;
    references: string;
    reference(number: number, text: string): string;
    fork: string;
    forkTitle(title: string): string;
    stopped: string;
    cut: string;
    older: string;
    latest: string;
    loading: string;
  };
  empty: {
    title: string;
    body: string;
    sample: string;
    tour: string;
    importFile: string;
    tryThis: string;
    askTitle: string;
    askBody: string;
    suggestions: readonly string[];
    /** Questions that any memory can answer. */
    questions: readonly string[];
    /** Questions about the sample. */
    sampleQuestions: readonly string[];
    loadingSample: string;
  };
  sessions: {
    title: string;
    begin: string;
    none: string;
    untitled: string;
    rename(title: string): string;
    remove(title: string): string;
    name: string;
    save: string;
    count(messages: number): string;
    forked: string;
    removeTitle: string;
    removeBody(title: string): string;
    keepMemories: string;
    removeNow: string;
  };
  settings: {
    title: string;
    who: string;
    whoHint: string;
    agents: { [A in AgentChoice]: string };
    hints: { [A in AgentChoice]: string };
    url: string;
    model: string;
    key: string;
    keepKeys: string;
    keepKeysHint: string;
    absent: string;
    downloadable: string;
    look: string;
    language: string;
    theme: string;
    themes: { system: string; light: string; dark: string };
    singleKeys: string;
    browser: string;
    data: string;
    importData: string;
    sample: string;
    erase: string;
    eraseTitle: string;
    eraseBody: string;
    eraseNow: string;
    erasingTitle: string;
    erasing: string;
  };
  browser: {
    storage: string;
    storageKept: string;
    storageLost(problem: string): string;
    lasting: string;
    lastingYes: string;
    lastingNo: string;
    lastingAsk: string;
    lastingRefused: string;
    offline: string;
    offlineYes: string;
    offlineNo: string;
    offlineSoon: string;
    model: string;
    modelYes: string;
    modelNo: string;
    checking: string;
  };
  importing: {
    title: string;
    body: string;
    choose: string;
    many: string;
    working(done: number, total: number): string;
    done(added: number, skipped: number): string;
    cancelled(added: number): string;
    progress: string;
    badLine(line: number): string;
    empty: string;
  };
  tour: {
    title: string;
    next: string;
    back: string;
    leave: string;
    finish: string;
    step(number: number, of: number): string;
    steps: readonly { title: string; body: string }[];
  };
  keys: {
    title: string;
    focus: string;
    send: string;
    newline: string;
    stop: string;
    begin: string;
    inspector: string;
    theme: string;
    previous: string;
    next: string;
    settings: string;
    list: string;
    divider: string;
  };
  inspector: { label: string; loading: string; absent: string; failed: string };
  failures: { [R in FailureReason]: string };
  problems: { memory(detail: string): string; dismiss: string };
}
