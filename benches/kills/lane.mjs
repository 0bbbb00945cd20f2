// A lane makes operations one after the other, each with the changes that it makes to the stored state. Lanes change things
// of their own, so the state after any acknowledged operation is known; a shared session is only appended to.

/** The most entries, and the most messages of a session, that one lane keeps. */
const MOST = 24;

const WORDS =
  "amber basil cedar delta ember fjord grove heron ivory jetty kayak lotus maple north otter pearl".split(
    " ",
  );

/** The weight of each kind of operation. */
const EVERYWHERE = {
  add: 6,
  update: 5,
  delete: 2,
  append: 6,
  share: 3,
  deleteSession: 1,
  pair: 4,
  dropPairs: 1,
  count: 2,
  search: 2,
  context: 1,
};

/** These verbs are not in the HTTP API. */
const LOCAL = {
  ...EVERYWHERE,
  writeFile: 3,
  appendFile: 2,
  moveFile: 1,
  deleteFile: 1,
  profile: 2,
  ingest: 2,
  addFleeting: 2,
  compress: 1,
  cleanup: 1,
};

/** One operation: a verb of `verbs.mjs`, its arguments, and the new value of each thing, `null` if it is gone. */
const operation = (verb, args, changes = {}) => ({ verb, args, changes });

export class Lane {
  #name;
  #dice;
  #world;
  #kinds;
  #sweeps;
  #made = 0;

  /**
   * `world` has the `state` by the names of things, the `ids` of entries, the `shared` session, and those that were shared
   * before, which the lane that `sweeps` deletes.
   */
  constructor(name, { dice, world, isLocal, sweeps = false }) {
    this.#name = name;
    this.#dice = dice;
    this.#world = world;
    this.#sweeps = sweeps;
    const weights = Object.entries(isLocal ? LOCAL : EVERYWHERE);
    this.#kinds = weights.flatMap(([kind, weight]) => Array(weight).fill(kind));
  }

  next() {
    this.#made += 1;
    return { ...this[this.#pick(this.#kinds)](), key: this.#word };
  }

  add() {
    if (this.#own("entry").length >= MOST) return this.delete();
    const word = this.#word;
    const content = this.#text(word);
    const draft = { namespace: this.#pick(["short-term", "long-term"]) };
    if (this.#dice(2)) Object.assign(draft, { id: word, tags: [this.#pick(WORDS)] });
    return operation("add", { content, draft }, { [`entry ${word}`]: `v1 ${content}` });
  }

  update() {
    const [name, word, value] = this.#pickOwn("entry");
    if (!name) return this.add();
    const content = this.#text(word);
    const version = Number.parseInt(value.slice(1), 10) + 1;
    const id = this.#world.ids.get(word);
    return operation("update", { id, content }, { [name]: `v${version} ${content}` });
  }

  delete() {
    const [name, word] = this.#pickOwn("entry");
    if (!name) return this.add();
    return operation("delete", { id: this.#world.ids.get(word) }, { [name]: null });
  }

  append() {
    const session = `own-${this.#name}-${this.#dice(2)}`;
    const length = this.#named(`message ${session} `).length;
    return length >= MOST ? this.#deleted(session) : this.#appended(session, length);
  }

  share() {
    return this.#appended(this.#world.shared);
  }

  deleteSession() {
    const old = this.#sweeps ? this.#world.outdated.shift() : undefined;
    return this.#deleted(old ?? `own-${this.#name}-${this.#dice(2)}`);
  }

  /** Two values in one write, of which none may be there without the other. */
  pair() {
    const pair = `${this.#name}-${this.#dice(8)}`;
    const written = ["a", "b"].map((end) => {
      const word = `${this.#word}${end}`;
      return { key: `${pair}${end}`, value: { word }, text: `${word} ${this.#pick(WORDS)}` };
    });
    const changes = written.map(({ key, value }) => [`value ${key}`, JSON.stringify(value)]);
    return operation("values", { changes: written }, Object.fromEntries(changes));
  }

  dropPairs() {
    const prefix = `${this.#name}-`;
    return operation("values", { changes: [{ prefix, delete: true }] }, gone(this.#named(`value ${prefix}`)));
  }

  /** A counter of all lanes: its changes are counted by the judge. */
  count() {
    return operation("count", {});
  }

  search() {
    return operation("search", { query: this.#words(2) });
  }

  context() {
    const session = this.#ownSession();
    return session ? operation("context", { session }) : this.append();
  }

  compress() {
    const session = this.#ownSession();
    return session ? operation("compress", { session }) : this.append();
  }

  cleanup() {
    return operation("cleanup", {});
  }

  /** Expired at once: no read shows it, and `cleanup` removes it. */
  addFleeting() {
    return operation("add", { content: `fleeting ${this.#word}`, draft: { ttl: 1 } });
  }

  writeFile() {
    const path = `notes/${this.#name}/${this.#pick(WORDS.slice(0, 5))}.md`;
    const text = `${this.#text(this.#word)}\n`;
    return operation("writeFile", { path, text }, { [`file ${path}`]: text });
  }

  appendFile() {
    const [name, path, before] = this.#pickOwn("file");
    if (!name) return this.writeFile();
    const text = `${this.#word}\n`;
    return operation("appendFile", { path, text }, { [name]: before + text });
  }

  moveFile() {
    const [name, from, text] = this.#pickOwn("file");
    if (!name) return this.writeFile();
    const to = `notes/${this.#name}/${this.#word}.md`;
    return operation("moveFile", { from, to }, { [name]: null, [`file ${to}`]: text });
  }

  deleteFile() {
    const [name, path] = this.#pickOwn("file");
    return name ? operation("deleteFile", { path }, { [name]: null }) : this.writeFile();
  }

  profile() {
    const [one, two] = [`${this.#name}-one`, `${this.#name}-two`];
    const changes = { [one]: this.#made, [two]: this.#made };
    const value = `${this.#made}`;
    return operation("profile", { changes }, { [`profile ${one}`]: value, [`profile ${two}`]: value });
  }

  /** A document that replaces its earlier version: the passages of one version, and all of them. */
  ingest() {
    const source = `document-${this.#name}`;
    const parts = Array.from({ length: 2 + this.#dice(5) }, (_, at) => `v${this.#made}p${at}`);
    const text = parts.map((part) => `${part} ${this.#words(30)}.`).join("\n\n");
    return operation("ingest", { text, source }, { [`document ${source}`]: parts.join(" ") });
  }

  /** Up to four messages. Of a session of its own, the lane knows the place of each as well. */
  #appended(session, length) {
    const changes = {};
    const messages = Array.from({ length: 1 + this.#dice(4) }, (_, at) => {
      const word = `${this.#word}p${at}`;
      const content = this.#text(word);
      changes[`message ${session} ${word}`] = `${length === undefined ? "together" : length + at} ${content}`;
      return { role: at % 2 ? "assistant" : "user", content };
    });
    return operation("append", { session, messages }, changes);
  }

  #deleted(session) {
    return operation("deleteSession", { session }, gone(this.#named(`message ${session} `)));
  }

  #ownSession() {
    return this.#pick(this.#named(`message own-${this.#name}-`))?.split(" ")[1];
  }

  /** Unique for each operation. */
  get #word() {
    return `${this.#name}x${this.#made}`;
  }

  /** One in eight is longer than a summary, so that its content is a record of its own. */
  #text(word) {
    return `${word} ${this.#words(this.#dice(8) === 0 ? 300 : 4 + this.#dice(12))} ${this.#made}`;
  }

  #words(count) {
    return Array.from({ length: count }, () => this.#pick(WORDS)).join(" ");
  }

  #pick(list) {
    return list[this.#dice(Math.max(1, list.length))];
  }

  #own(kind) {
    return this.#named(kind === "file" ? `file notes/${this.#name}/` : `${kind} ${this.#name}x`);
  }

  /** A thing of this lane: its name, the name without its kind, and its value. */
  #pickOwn(kind) {
    const name = this.#pick(this.#own(kind));
    return name ? [name, name.slice(kind.length + 1), this.#world.state.get(name)] : [];
  }

  #named(prefix) {
    return [...this.#world.state.keys()].filter((name) => name.startsWith(prefix));
  }
}

function gone(names) {
  return Object.fromEntries(names.map((name) => [name, null]));
}
