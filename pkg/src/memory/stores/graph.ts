// A small knowledge graph: entities with observations, and relations between them.

import type { Core } from "../core.js";

/** Something that is known by a name. */
export interface Entity {
  /** Its name. */
  name: string;
  /** What it is: a person, a project … */
  type: string;
  /** What was observed of it, one sentence each. */
  observations: string[];
}

/** An entity that is still to be added. */
export interface EntityInput {
  /** Its name. One that is there gets the new observations. */
  name: string;
  /** What it is. */
  type: string;
  /** What was observed of it. Default: nothing yet. */
  observations?: readonly string[] | undefined;
}

/** How one entity stands to another. */
export interface Relation {
  /** The name of the one. */
  from: string;
  /** The name of the other. */
  to: string;
  /** How, in the active voice: `"works at"`. */
  type: string;
}

/** Observations of an entity. */
export interface Observations {
  /** The entity's name. */
  entity: string;
  /** One sentence each. */
  contents: readonly string[];
}

/** A part of a graph. */
export interface Graph {
  /** The entities. */
  entities: Entity[];
  /** The relations between them. */
  relations: Relation[];
}

/** How much of a graph was changed. */
export interface GraphChanges {
  /** How many entities. */
  entities: number;
  /** How many relations. */
  relations: number;
  /** How many observations. */
  observations: number;
}

/** The knowledge graph of one user. `memory.semantic.search` walks it from what it finds. */
export class KnowledgeGraph {
  readonly #core: Core;

  /** @internal Use `memory.semantic.graph`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Adds to the graph, all or nothing. Answers how much of it is new. */
  async add(additions: {
    /** New entities, or more about those that are there. Default: none. */
    entities?: readonly EntityInput[] | undefined;
    /** Relations. An entity that one names and that is not there yet is made. Default: none. */
    relations?: readonly Relation[] | undefined;
    /** More about entities. One that is not there yet is made. Default: none. */
    observations?: readonly Observations[] | undefined;
  }): Promise<GraphChanges> {
    return this.#core.remember("graphAdd", { ...additions });
  }

  /** Takes away. An entity goes with its relations. Answers how much was there. */
  async delete(deletions: {
    /** Names of entities. Default: none. */
    entities?: readonly string[] | undefined;
    /** Relations. Default: none. */
    relations?: readonly Relation[] | undefined;
    /** Observations. Default: none. */
    observations?: readonly Observations[] | undefined;
  }): Promise<GraphChanges> {
    return this.#core.write("graphDelete", { ...deletions });
  }

  /** The entities of these names, and the relations between them. */
  async open(names: readonly string[]): Promise<Graph> {
    return this.#core.calls.ask("graphOpen", { names });
  }

  /** All of it. */
  async read(): Promise<Graph> {
    return this.#core.calls.ask("graphRead", {});
  }

  /** Entities that bear on a query, and those up to `steps` relations away. Default: 0 steps, 10 entities. */
  async search(
    query: string,
    options: { steps?: 0 | 1 | 2 | undefined; limit?: number | undefined } = {},
  ): Promise<Graph> {
    return this.#core.calls.ask("graphSearch", { ...options, query });
  }
}
