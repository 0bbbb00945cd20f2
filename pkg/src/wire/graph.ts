// The knowledge graph.

/** A named entity. */
export interface Entity {
  /** The entity's name. */
  name: string;
  /** The entity's type, such as a person or a project. */
  type: string;
  /** Observations about the entity, one sentence each. */
  observations: string[];
}

/** A directed relation between two entities. */
export interface Relation {
  /** The name of the source entity. */
  from: string;
  /** The name of the target entity. */
  to: string;
  /** The type of the relation, in the active voice: `"works at"`. */
  type: string;
}

/** A part of a graph. */
export interface Graph {
  /** The entities. */
  entities: Entity[];
  /** The relations between the entities. */
  relations: Relation[];
}

/** The number of changes to a graph. */
export interface GraphChanges {
  /** The number of changed entities. */
  entities: number;
  /** The number of changed relations. */
  relations: number;
  /** The number of changed observations. */
  observations: number;
}
