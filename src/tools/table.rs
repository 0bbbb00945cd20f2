//! The tools for models: one table, from which every schema is made and every call is validated.

/// The effect of a tool on the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Reads only.
    Reads,
    /// Adds something each time.
    Adds,
    /// Sets something; idempotent.
    Sets,
    /// Deletes something.
    Destroys,
}

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string of at most so many bytes.
    Text(usize),
    /// An array of strings, of at most so many bytes together.
    Texts(usize),
    /// A number from 0 to 1.
    Share,
    /// An integer from 1 to this.
    Count(u32),
    /// A boolean.
    Flag,
    /// One of these.
    Choice(&'static [&'static str]),
    /// One of the memory's namespaces.
    Namespace,
    /// An object, or its JSON as a string for models that cannot pass objects.
    Object,
}

/// An argument.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its purpose, in words for a model; empty if its name says it.
    pub description: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Whether it is required.
    pub required: bool,
}

/// A tool.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name, by which the model calls it.
    pub name: &'static str,
    /// Its title, for people.
    pub title: &'static str,
    /// Its purpose, in words for a model.
    pub description: &'static str,
    /// Its effect.
    pub effect: Effect,
    /// The arguments, in order.
    pub params: &'static [Param],
}

/// The most bytes of a fact, of a name, and of a document in one call.
const LINE: usize = 2_000;
const TEXT: usize = 50_000;
const DOCUMENT: usize = 500_000;

const fn must(name: &'static str, kind: Kind, description: &'static str) -> Param {
    Param { name, description, kind, required: true }
}

const fn may(name: &'static str, kind: Kind, description: &'static str) -> Param {
    Param { name, description, kind, required: false }
}

/// The agent whose files they are. Omitted for a model whose agent is known.
const AGENT: Param = must("agent", Kind::Text(LINE), "The agent whose memory it is");
const OF_AGENT: Param = may("agent", Kind::Text(LINE), "Whose folder a path without / at its start is in");
const PATH: Param = must("path", Kind::Text(LINE), "As list_memory_files shows it; from the root if it begins with /");
const QUERY: Param = must("query", Kind::Text(TEXT), "What to look for, in words that would be in it");
const LIMIT: Param = may("limit", Kind::Count(50), "How many results at most; default 5");
const ID: Param = must("id", Kind::Text(LINE), "");

/// The parts of the memory that `memory_search` searches.
const SCOPES: &[&str] = &["all", "memories", "conversations", "documents", "learnings", "knowledge"];

/// Every tool, in display order.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "memory_add",
        title: "Remember",
        description: "Store a piece of information. Answers a reference id and a summary.",
        effect: Effect::Adds,
        params: &[
            must("content", Kind::Text(DOCUMENT), "What to remember, understandable alone"),
            may("namespace", Kind::Namespace, "short-term for this conversation, long-term for what lasts"),
            may("tags", Kind::Texts(LINE), "Labels to find it by"),
            may("importance", Kind::Share, ""),
            may("source", Kind::Text(LINE), "Where it comes from"),
        ],
    },
    Tool {
        name: "memory_search",
        title: "Search memory",
        description: "Search what is remembered. Answers short texts with references, best first; memory_get reads a whole memory. Asked for an overview, decisions or an order of events, it also answers a digest.",
        effect: Effect::Reads,
        params: &[
            QUERY,
            may(
                "scope",
                Kind::Choice(SCOPES),
                "Where: memories (stored information), earlier conversations, documents that were read, recorded learnings, knowledge written for you; default all",
            ),
            may("namespace", Kind::Namespace, "Only memories and documents in it"),
            may("tags", Kind::Texts(LINE), "Only memories and documents with one of these labels"),
            LIMIT,
            may("agent", Kind::Text(LINE), "Whose learnings and knowledge"),
        ],
    },
    Tool {
        name: "memory_get",
        title: "Read one memory",
        description: "Read the whole content behind a reference id.",
        effect: Effect::Reads,
        params: &[ID],
    },
    Tool {
        name: "memory_stats",
        title: "Count memories",
        description: "Count the memories, short-term and long-term.",
        effect: Effect::Reads,
        params: &[],
    },
    Tool {
        name: "memory_delete",
        title: "Forget one memory",
        description: "Delete the memory behind a reference id for good.",
        effect: Effect::Destroys,
        params: &[ID],
    },
    Tool {
        name: "record_to_memory",
        title: "Record to long-term memory",
        description: "Record important info to long-term memory",
        effect: Effect::Adds,
        params: &[
            may("thinking", Kind::Text(TEXT), "Why it is worth remembering"),
            must("content", Kind::Texts(TEXT), "Sentences to remember, each understandable alone"),
        ],
    },
    Tool {
        name: "update_profile",
        title: "Update the user's profile",
        description: "Write down what the user said about themselves: name, language, preferences.",
        effect: Effect::Sets,
        params: &[must("changes", Kind::Object, "The fields that change, and their new values")],
    },
    Tool {
        name: "list_memory_files",
        title: "List memory files",
        description: "List the paths of the memory's Markdown files: those in your own folder, then all others, which begin with /.",
        effect: Effect::Reads,
        params: &[OF_AGENT, may("folder", Kind::Text(LINE), "Only files below it")],
    },
    Tool {
        name: "read_memory_file",
        title: "Read a memory file",
        description: "Read a Markdown file of the memory.",
        effect: Effect::Reads,
        params: &[OF_AGENT, PATH],
    },
    Tool {
        name: "write_memory_file",
        title: "Write a memory file",
        description: "Write a whole Markdown file of the memory. Earlier versions are kept.",
        effect: Effect::Sets,
        params: &[OF_AGENT, PATH, must("text", Kind::Text(DOCUMENT), "The whole text")],
    },
    Tool {
        name: "update_memory_section",
        title: "Update a section",
        description: "Replace one section of your memory; the rest of the file stays.",
        effect: Effect::Sets,
        params: &[
            AGENT,
            must("file", Kind::Choice(&["context", "decisions", "learnings"]), ""),
            must("section", Kind::Text(LINE), "Its heading, such as Active Focus"),
            must("text", Kind::Text(TEXT), ""),
        ],
    },
    Tool {
        name: "record_decision",
        title: "Record a decision",
        description: "Append a decision that matters beyond today to the log of decisions.",
        effect: Effect::Adds,
        params: &[
            AGENT,
            must("title", Kind::Text(LINE), ""),
            must("decision", Kind::Text(TEXT), ""),
            may("context", Kind::Text(TEXT), "Why a decision was needed"),
            may("reason", Kind::Text(TEXT), ""),
            may("alternatives", Kind::Text(TEXT), ""),
            may("impact", Kind::Text(TEXT), ""),
            may("reversible", Kind::Text(LINE), "Yes or No, with a note"),
        ],
    },
    Tool {
        name: "record_learning",
        title: "Record a learning",
        description: "Append a pattern that will be useful again.",
        effect: Effect::Adds,
        params: &[
            AGENT,
            must("title", Kind::Text(LINE), ""),
            must("pattern", Kind::Text(TEXT), "What to do, and when"),
            may("code", Kind::Text(TEXT), "A short example, without a fence"),
            may("language", Kind::Text(LINE), ""),
            may("why", Kind::Text(TEXT), ""),
        ],
    },
    Tool {
        name: "hand_over",
        title: "Hand work over",
        description: "Hand work over to another agent of the team.",
        effect: Effect::Adds,
        params: &[
            AGENT,
            must("toAgent", Kind::Text(LINE), ""),
            must("task", Kind::Text(TEXT), ""),
            must("context", Kind::Text(TEXT), "What one has to know"),
            must("expectedDeliverable", Kind::Text(TEXT), ""),
            may("files", Kind::Text(TEXT), ""),
            may("priority", Kind::Text(LINE), ""),
        ],
    },
];

/// Former tools, which `memory_search` replaces: still run when a model calls them, never listed.
pub const FORMER: &[Tool] = &[
    former("query_memory", &[QUERY, LIMIT]),
    former("retrieve_from_memory", &[must("keywords", Kind::Texts(LINE), "Words to look for")]),
    former("search_learnings", &[AGENT, QUERY, LIMIT]),
    former("search_knowledge", &[AGENT, QUERY, LIMIT]),
];

const fn former(name: &'static str, params: &'static [Param]) -> Tool {
    Tool { name, title: "Search memory", description: "Use memory_search.", effect: Effect::Reads, params }
}

/// The tool of this name; a former one, too.
pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().chain(FORMER).find(|tool| tool.name == name)
}

/// The name under which a tool is listed: that of its successor for a former one.
pub fn listed(name: &str) -> &str {
    if FORMER.iter().any(|tool| tool.name == name) { "memory_search" } else { name }
}
