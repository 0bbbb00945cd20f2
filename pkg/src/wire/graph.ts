// The knowledge graph.

/** Something that is known by a name. */
export interface Entity {
  /** Its name. */
  name: string;
  /** What it is: a person, a project … */
  type: string;
  /** What was observed of it, one sentence each. */
  observations: string[];
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
