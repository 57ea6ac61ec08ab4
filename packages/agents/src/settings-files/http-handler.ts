import type { JsonObject } from '@unrut/engine/json';
import { hookAddress } from './hook-address.ts';
import type { HookReach } from './order.ts';

/** The variable with the token of `unrut serve`. */
export const TOKEN_VARIABLE = 'UNRUT_TOKEN';

/** Timeout in seconds, in every agent with such handlers. */
const TIMEOUT = 10;

/**
 * A handler that calls the server. The agent inserts the token from its environment, so no file
 * contains it; without a token, the variable may be missing.
 */
export const httpHandler = (agent: string, call: HookReach): JsonObject => ({
  type: 'http',
  url: hookAddress(agent, call),
  headers: { Authorization: `Bearer $${TOKEN_VARIABLE}` },
  allowedEnvVars: [TOKEN_VARIABLE],
  timeout: TIMEOUT,
});
