import type { JsonObject } from '@unrut/engine/json';
import { withoutExitLine } from '@unrut/reading/exit-line';
import type { HookDialect } from '@unrut/reading/hook-payload';
import type { Returned } from '@unrut/reading/importer';
import { claudeLike } from '../claude-code/payload.ts';
import { claudeCodeResult } from '../claude-code/result.ts';

const EXIT = /\s*\[Process exited with code (\d+)\]$/;

const claude = claudeLike({
  ofCall: returnedBy,
  inBatch: ({ tool_response: response }) => claudeCodeResult(response),
});

/** Droid's payloads: Claude Code's, but calls have no ids, and failed calls have no hook. */
export const factoryPayload: HookDialect = (payload) => {
  const told = claude(payload);
  return told && { ...told, hidesFailures: true };
};

function returnedBy({ tool_response: response }: JsonObject): Returned {
  return { ...withoutExitLine(response, EXIT), error: false };
}
