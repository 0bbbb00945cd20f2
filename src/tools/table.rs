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
    /// Its purpose, in words for a model.
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
const OF_AGENT: Param = may(
    "agent",
    Kind::Text(LINE),
    "The agent in whose folder paths are that do not begin with /; from the root if not said",
);
const PATH: Param = must(
    "path",
    Kind::Text(LINE),
    "As list_memory_files shows it: memory/context.md is in your own folder, /team-memory/context.md is from the root",
);
const QUERY: Param = must("query", Kind::Text(TEXT), "What to look for, in words that would be in it");
const LIMIT: Param = may("limit", Kind::Count(50), "How many results at most; 5 if not said");
const NAMESPACE: Param =
    may("namespace", Kind::Namespace, "short-term for this conversation, long-term for what lasts");

/// Every tool, in display order.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "memory_add",
        title: "Remember",
        description: "Store a piece of information. Answers a reference id and a summary, never the whole content.",
        effect: Effect::Adds,
        params: &[
            must("content", Kind::Text(DOCUMENT), "What to remember; it should be understood alone"),
            NAMESPACE,
            may("tags", Kind::Texts(LINE), "Labels to find it by"),
            may("importance", Kind::Share, "How much it matters, from 0 to 1"),
            may("source", Kind::Text(LINE), "Where it comes from"),
        ],
    },
    Tool {
        name: "memory_search",
        title: "Search memory",
        description: "Search stored information. Answers reference ids and summaries, best first; use memory_get for a whole content.",
        effect: Effect::Reads,
        params: &[
            QUERY,
            NAMESPACE,
            may("tags", Kind::Texts(LINE), "Only what has at least one of these labels"),
            LIMIT,
            may("includeContent", Kind::Flag, "Whether to show the beginning of each content"),
        ],
    },
    Tool {
        name: "memory_get",
        title: "Read one memory",
        description: "Read the whole content behind a reference id.",
        effect: Effect::Reads,
        params: &[must("id", Kind::Text(LINE), "The reference id")],
    },
    Tool {
        name: "memory_stats",
        title: "Count memories",
        description: "How many memories there are, short-term and long-term.",
        effect: Effect::Reads,
        params: &[],
    },
    Tool {
        name: "memory_delete",
        title: "Forget one memory",
        description: "Delete the memory behind a reference id, for good.",
        effect: Effect::Destroys,
        params: &[must("id", Kind::Text(LINE), "The reference id")],
    },
    Tool {
        name: "query_memory",
        title: "Recall conversations",
        description: "Search all earlier conversations, their summaries and the documents that were read. Asked for an overview, for decisions or for an order, it also answers a digest of the conversations.",
        effect: Effect::Reads,
        params: &[QUERY, LIMIT],
    },
    Tool {
        name: "record_to_memory",
        title: "Record to long-term memory",
        description: "Record important info to long-term memory",
        effect: Effect::Adds,
        params: &[
            may("thinking", Kind::Text(TEXT), "Why it is worth remembering"),
            must("content", Kind::Texts(TEXT), "What to remember, each a sentence that can be understood alone"),
        ],
    },
    Tool {
        name: "retrieve_from_memory",
        title: "Retrieve from long-term memory",
        description: "Retrieve info from long-term memory",
        effect: Effect::Reads,
        params: &[must(
            "keywords",
            Kind::Texts(LINE),
            "Short and specific words to look for, such as names and topics",
        )],
    },
    Tool {
        name: "update_profile",
        title: "Update the user's profile",
        description: "Write down what the user said about themselves: name, language, preferences. Only the fields that are named change.",
        effect: Effect::Sets,
        params: &[must("changes", Kind::Object, "The fields to change, and what they are now")],
    },
    Tool {
        name: "list_memory_files",
        title: "List memory files",
        description: "List the Markdown files of the memory by their paths: those in your own folder first, then all others, which begin with /.",
        effect: Effect::Reads,
        params: &[OF_AGENT, may("folder", Kind::Text(LINE), "Only files below this folder; all if not said")],
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
        description: "Write a whole Markdown file of the memory. What it said before stays in its history.",
        effect: Effect::Sets,
        params: &[OF_AGENT, PATH, must("text", Kind::Text(DOCUMENT), "All that the file is to say")],
    },
    Tool {
        name: "update_memory_section",
        title: "Update a section",
        description: "Replace what one section of your memory says; everything else in the file stays as it is.",
        effect: Effect::Sets,
        params: &[
            AGENT,
            must("file", Kind::Choice(&["context", "decisions", "learnings"]), "Which file"),
            must(
                "section",
                Kind::Text(LINE),
                "The heading of the section, such as Active Focus; a documented one is made if it is missing",
            ),
            must("text", Kind::Text(TEXT), "What the section is to say"),
        ],
    },
    Tool {
        name: "record_decision",
        title: "Record a decision",
        description: "Append a decision that matters beyond today to the log of decisions.",
        effect: Effect::Adds,
        params: &[
            AGENT,
            must("title", Kind::Text(LINE), "The decision in a few words"),
            must("decision", Kind::Text(TEXT), "What was decided"),
            may("context", Kind::Text(TEXT), "Why there was something to decide"),
            may("reason", Kind::Text(TEXT), "Why it was decided so"),
            may("alternatives", Kind::Text(TEXT), "What else was considered"),
            may("impact", Kind::Text(TEXT), "What follows from it"),
            may("reversible", Kind::Text(LINE), "Yes or No, with a note"),
        ],
    },
    Tool {
        name: "record_learning",
        title: "Record a learning",
        description: "Append a pattern that will be useful again, with code and why it works.",
        effect: Effect::Adds,
        params: &[
            AGENT,
            must("title", Kind::Text(LINE), "The pattern in a few words"),
            must("pattern", Kind::Text(TEXT), "What to do, and when"),
            may("code", Kind::Text(TEXT), "A short example, without a fence"),
            may("language", Kind::Text(LINE), "What the example is written in"),
            may("why", Kind::Text(TEXT), "Why it works"),
        ],
    },
    Tool {
        name: "search_learnings",
        title: "Look up learnings",
        description: "Look for patterns learned earlier when a problem seems familiar.",
        effect: Effect::Reads,
        params: &[AGENT, QUERY, LIMIT],
    },
    Tool {
        name: "search_knowledge",
        title: "Look up knowledge",
        description: "Search the static knowledge that was written for you: passages of its files, with their paths.",
        effect: Effect::Reads,
        params: &[AGENT, QUERY, LIMIT],
    },
    Tool {
        name: "hand_over",
        title: "Hand work over",
        description: "Hand work over to another agent of the team.",
        effect: Effect::Adds,
        params: &[
            AGENT,
            must("toAgent", Kind::Text(LINE), "The agent that is to do it"),
            must("task", Kind::Text(TEXT), "What is to be done"),
            must("context", Kind::Text(TEXT), "What one has to know"),
            must("expectedDeliverable", Kind::Text(TEXT), "What is expected"),
            may("files", Kind::Text(TEXT), "Which files it is about"),
            may("priority", Kind::Text(LINE), "How urgent it is, or until when"),
        ],
    },
];

/// The tool of this name.
pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
