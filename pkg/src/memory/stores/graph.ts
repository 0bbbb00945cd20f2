// A small knowledge graph: entities with observations, and relations between them.

import type { Graph, GraphChanges, Relation } from "../../wire/graph.js";
import type { Core } from "../core.js";

/** An entity to add. */
export interface EntityInput {
  /** The name. An existing entity with this name gets the new observations. */
  name: string;
  /** The entity type. */
  type: string;
  /** The observations. Default: none. */
  observations?: readonly string[] | undefined;
}

/** Observations of an entity. */
export interface Observations {
  /** The entity's name. */
  entity: string;
  /** The observations, one sentence each. */
  contents: readonly string[];
}

/** One user's knowledge graph. `memory.semantic.search` follows its relations from each hit. */
export class KnowledgeGraph {
  readonly #core: Core;

  /** @internal Use `memory.semantic.graph`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Adds to the graph atomically. Returns how many entities, relations and observations were new. */
  async add(additions: {
    /** New entities, or new observations for existing ones. Default: none. */
    entities?: readonly EntityInput[] | undefined;
    /** Relations. Missing entities are created. Default: none. */
    relations?: readonly Relation[] | undefined;
    /** Observations. Missing entities are created. Default: none. */
    observations?: readonly Observations[] | undefined;
  }): Promise<GraphChanges> {
    return this.#core.remember("graphAdd", { ...additions });
  }

  /** Deletes from the graph. An entity is deleted with its relations. Returns how much was deleted. */
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

  /** Returns the entities with these names, and the relations between them. */
  async open(names: readonly string[]): Promise<Graph> {
    return this.#core.calls.ask("graphOpen", { names });
  }

  /** Returns the whole graph. */
  async read(): Promise<Graph> {
    return this.#core.calls.ask("graphRead", {});
  }

  /**
   * Returns the entities that match a query, and entities up to `steps` relations away. Default for `steps`: 0. Default
   * for `limit`: 10.
   */
  async search(
    query: string,
    options: {
      /** How many relations away entities may be. Default: 0. */
      steps?: 0 | 1 | 2 | undefined;
      /** The maximum number of entities that match. Default: 10. */
      limit?: number | undefined;
    } = {},
  ): Promise<Graph> {
    return this.#core.calls.ask("graphSearch", { ...options, query });
  }
}
