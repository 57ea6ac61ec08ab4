import { claudeHooks } from '../../adapters/claude-code/read.ts';
import { codexHooks } from '../../adapters/codex/read.ts';
import { copilotHooks } from '../../adapters/copilot/read.ts';
import { cursorHooks } from '../../adapters/cursor/read.ts';
import { geminiHooks } from '../../adapters/gemini-cli/read.ts';
import type { HookDialect, HookPayload } from '../../adapters/hook-payload.ts';
import { isObject } from '../../json.ts';
import type { Importer, Run } from '../importer.ts';
import { createHookThread } from './hook-thread.ts';
import { opencodeHooks } from './opencode-hooks.ts';

/** That of Claude Code comes last: it takes every event that has a name. */
const DIALECTS: readonly HookDialect[] = [geminiHooks, cursorHooks, copilotHooks, opencodeHooks, codexHooks, claudeHooks];

/** What hooks were given, logged by someone as it came. */
export const hookPayloads: Importer = {
  name: 'hook-payloads',
  reads: 'logged input of hooks: Claude Code, Codex, Gemini CLI, OpenCode, Copilot, Cursor and those who speak like them',
  recognises: (first) => first.some((record) => readPayload(record).unknown === undefined),
  open(source) {
    const threads = new Map<Run, (payload: HookPayload) => void>();
    let session: string | undefined;
    return {
      read(record) {
        const payload = readPayload(record);
        if (payload.unknown !== undefined) return source.unknown(payload.unknown);
        session = payload.session ?? session;
        const run = source.run(session, payload.agent);
        const thread = threads.get(run) ?? createHookThread(run);
        threads.set(run, thread);
        thread(payload);
      },
    };
  },
};

function readPayload(record: unknown): HookPayload {
  if (!isObject(record)) return { told: [], unknown: typeof record };
  for (const dialect of DIALECTS) {
    const payload = dialect(record);
    if (payload) return payload;
  }
  return { told: [], unknown: 'payload of no known hook' };
}
