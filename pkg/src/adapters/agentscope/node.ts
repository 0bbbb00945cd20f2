/**
 * `keepsake/agentscope` in Node: the same, and states in JSON files.
 *
 * @module keepsake/agentscope
 */

export * from "./agentscope.js";
export { JsonSession } from "./json-session.js";
