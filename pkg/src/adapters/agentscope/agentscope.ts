/**
 * `keepsake/agentscope`: short-term memory and sessions with the names of AgentScope.
 *
 * @module keepsake/agentscope
 */

export {
  AutoContextConfig,
  type AutoContextConfigBuilder,
  AutoContextMemory,
  type AutoContextOptions,
} from "./auto-context.js";
export {
  estimateTokens,
  fromJSON,
  InMemoryMemory,
  keepsakeSession,
  type MessageList,
  SessionManager,
  type State,
  type StateMessage,
  type StateModule,
  type StateSession,
  toJSON,
} from "./state.js";
