import type { JsonObject } from '@unrut/engine/json';
import { hookAddress } from './hook-address.ts';
import type { HookReach } from './order.ts';

/** Where the token of `unrut serve` stands. */
export const TOKEN_VARIABLE = 'UNRUT_TOKEN';

/** Seconds, in every agent that has such handlers. */
const TIMEOUT = 10;

/**
 * A handler that calls the server. The agent puts the token in from its own environment, so it is
 * in no file; where the server asks for none, the variable need not be there.
 */
export const httpHandler = (agent: string, call: HookReach): JsonObject => ({
  type: 'http',
  url: hookAddress(agent, call),
  headers: { Authorization: `Bearer $${TOKEN_VARIABLE}` },
  allowedEnvVars: [TOKEN_VARIABLE],
  timeout: TIMEOUT,
});
