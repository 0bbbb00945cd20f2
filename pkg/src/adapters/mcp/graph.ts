// The nine tools of the reference memory server, with its names and answers, on the knowledge graph.

import type { Memory } from "../../memory/memory.js";
import type { KnowledgeGraph } from "../../memory/stores/graph.js";
import type { Entity, Graph, Relation } from "../../wire/graph.js";
import type { Json } from "../../wire/types.js";

/** The definition of a tool, and its function. */
export interface GraphTool {
  description: string;
  reads: boolean;
  destroys: boolean;
  properties: { [name: string]: Json };
  call(graph: KnowledgeGraph, args: Record<string, unknown>): Promise<unknown>;
}

interface TheirEntity {
  name: string;
  entityType: string;
  observations: string[];
}

interface TheirRelation {
  from: string;
  to: string;
  relationType: string;
}

const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };
const list = (properties: { [name: string]: Json }): Json => ({
  type: "array",
  items: { type: "object", properties, required: Object.keys(properties) },
});
const ENTITIES = list({ name: TEXT, entityType: TEXT, observations: TEXTS });
const RELATIONS = list({ from: TEXT, to: TEXT, relationType: TEXT });

const theirs = ({ entities, relations }: Graph) => ({
  entities: entities.map(
    ({ name, type, observations }: Entity): TheirEntity => ({ name, entityType: type, observations }),
  ),
  relations: relations.map(
    ({ from, to, type }: Relation): TheirRelation => ({ from, to, relationType: type }),
  ),
});
const ours = ({ from, to, relationType }: TheirRelation): Relation => ({ from, to, type: relationType });
const key = ({ from, to, relationType }: TheirRelation) => JSON.stringify([from, to, relationType]);

/** An argument, validated against the tool's schema. */
const items = <T>(args: Record<string, unknown>, name: string): T[] => args[name] as T[];

/** The used part of JSON Schema. */
interface Schema {
  type?: "string" | "array" | "object";
  items?: Schema;
  properties?: { [name: string]: Schema };
}

/** Throws if a value does not match its schema, with its path. */
function check(value: unknown, schema: Schema, place: string): void {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const { type = "object", items = {}, properties = {} } = schema;
  const fits = { string: typeof value === "string", array: Array.isArray(value), object: isObject }[type];
  if (!fits) {
    const what = type === "string" ? "a string" : `an ${type}`;
    throw new Error(`\`${place}\` must be ${what}. Correct the arguments and call the tool again.`);
  }
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) check(item, items, `${place}[${at}]`);
  }
  for (const [name, inner] of Object.entries(properties)) {
    check((value as Record<string, unknown>)[name], inner, `${place}.${name}`);
  }
}

export const GRAPH_TOOLS: { readonly [name: string]: GraphTool } = {
  create_entities: {
    description: "Create multiple new entities in the knowledge graph",
    reads: false,
    destroys: false,
    properties: { entities: ENTITIES },
    async call(graph, args) {
      const given = items<TheirEntity>(args, "entities");
      const known = new Set(
        (await graph.open(given.map(({ name }) => name))).entities.map(({ name }) => name),
      );
      const fresh = given.filter(({ name }) => !known.has(name));
      await graph.add({ entities: fresh.map(({ entityType, ...rest }) => ({ ...rest, type: entityType })) });
      return fresh;
    },
  },
  create_relations: {
    description: "Create multiple new relations between entities in the knowledge graph, in active voice",
    reads: false,
    destroys: false,
    properties: { relations: RELATIONS },
    async call(graph, args) {
      const given = items<TheirRelation>(args, "relations");
      const known = new Set(theirs(await graph.read()).relations.map(key));
      const fresh = given.filter((relation) => !known.has(key(relation)));
      await graph.add({ relations: fresh.map(ours) });
      return fresh;
    },
  },
  add_observations: {
    description: "Add new observations to existing entities in the knowledge graph",
    reads: false,
    destroys: false,
    properties: { observations: list({ entityName: TEXT, contents: TEXTS }) },
    async call(graph, args) {
      const given = items<{ entityName: string; contents: string[] }>(args, "observations");
      const { entities } = await graph.open(given.map(({ entityName }) => entityName));
      const known = new Map(entities.map(({ name, observations }) => [name, observations]));
      const answer = given.map(({ entityName, contents }) => {
        const before = known.get(entityName);
        if (!before) throw new Error(`Entity with name ${entityName} not found`);
        return { entityName, addedObservations: contents.filter((text) => !before.includes(text)) };
      });
      await graph.add({
        observations: given.map(({ entityName, contents }) => ({ entity: entityName, contents })),
      });
      return answer;
    },
  },
  delete_entities: {
    description: "Delete multiple entities and their associated relations from the knowledge graph",
    reads: false,
    destroys: true,
    properties: { entityNames: TEXTS },
    async call(graph, args) {
      await graph.delete({ entities: items<string>(args, "entityNames") });
      return "Entities deleted successfully";
    },
  },
  delete_observations: {
    description: "Delete specific observations from entities in the knowledge graph",
    reads: false,
    destroys: true,
    properties: { deletions: list({ entityName: TEXT, observations: TEXTS }) },
    async call(graph, args) {
      const given = items<{ entityName: string; observations: string[] }>(args, "deletions");
      const observations = given.map(({ entityName, observations }) => ({
        entity: entityName,
        contents: observations,
      }));
      await graph.delete({ observations });
      return "Observations deleted successfully";
    },
  },
  delete_relations: {
    description: "Delete multiple relations from the knowledge graph",
    reads: false,
    destroys: true,
    properties: { relations: RELATIONS },
    async call(graph, args) {
      await graph.delete({ relations: items<TheirRelation>(args, "relations").map(ours) });
      return "Relations deleted successfully";
    },
  },
  read_graph: {
    description: "Read the entire knowledge graph",
    reads: true,
    destroys: false,
    properties: {},
    call: async (graph) => theirs(await graph.read()),
  },
  search_nodes: {
    description: "Search for nodes in the knowledge graph by words of their names, types and observations",
    reads: true,
    destroys: false,
    properties: { query: TEXT },
    call: async (graph, { query }) => theirs(await graph.search(query as string)),
  },
  open_nodes: {
    description: "Open specific nodes in the knowledge graph by their names",
    reads: true,
    destroys: false,
    properties: { names: TEXTS },
    call: async (graph, args) => theirs(await graph.open(items<string>(args, "names"))),
  },
};

/** Calls one of the nine tools. */
export async function callGraph(
  memory: Memory,
  tool: GraphTool,
  args: Record<string, unknown>,
): Promise<string> {
  for (const [name, schema] of Object.entries(tool.properties)) check(args[name], schema as Schema, name);
  const answer = await tool.call(memory.semantic.graph, args);
  return typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
}
