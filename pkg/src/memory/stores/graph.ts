// A small knowledge graph: entities with observations, and relations between them.

import type { Graph, GraphChanges, Relation } from "../../wire/graph.js";
import type { Core } from "../core.js";

/** An entity that is still to be added. */
export interface EntityInput {
  /** Its name. One that is there gets the new observations. */
  name: string;
  /** What it is. */
  type: string;
  /** What was observed of it. Default: nothing yet. */
  observations?: readonly string[] | undefined;
}

/** Observations of an entity. */
export interface Observations {
  /** The entity's name. */
  entity: string;
  /** One sentence each. */
  contents: readonly string[];
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
