import { isObject, type JsonObject } from '@unrut/engine/json';
import { withoutExitLine } from '@unrut/reading/exit-line';
import type { HookDialect } from '@unrut/reading/hook-payload';
import { claudePayload } from '../claude-code/payload.ts';

/** For a command without output, the ending is reported twice. */
const EXIT = /(?:^Process exited with code \d+)?\s*Command failed with exit code: (\d+)\.$/;

/** Kimi's payloads: Claude Code's, but the last line of the error has the command's exit code. */
export const kimiPayload: HookDialect = (payload) => {
  const read = claudePayload(payload);
  if (payload.hook_event_name !== 'PostToolUseFailure' || !read) return read;
  const ended = withoutExitLine(errorOf(payload), EXIT);
  if (ended.exitCode === undefined) return read;
  return {
    ...read,
    told: read.told.map((told) =>
      told.what === 'returned' ? { ...told, returned: { ...told.returned, ...ended } } : told,
    ),
  };
};

const errorOf = ({ error }: JsonObject): unknown => (isObject(error) ? error.message : error);
