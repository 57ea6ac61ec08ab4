import type { JsonObject } from '../../json.ts';
import { claudeLike } from '../claude-code/payload.ts';
import { claudeCodeResult } from '../claude-code/result.ts';
import { withoutExitLine } from '../reading/exit-line.ts';
import type { HookDialect } from '../reading/hook-payload.ts';
import type { Returned } from '../reading/importer.ts';

const EXIT = /\s*\[Process exited with code (\d+)\]$/;

const claude = claudeLike({ ofCall: returnedBy, inBatch: ({ tool_response: response }) => claudeCodeResult(response) });

/** The payloads of Droid: Claude Code's, but calls have no ids, and there is no hook after one that failed. */
export const factoryPayload: HookDialect = (payload) => {
  const told = claude(payload);
  return told && { ...told, hidesFailures: true };
};

function returnedBy({ tool_response: response }: JsonObject): Returned {
  return { ...withoutExitLine(response, EXIT), error: false };
}
