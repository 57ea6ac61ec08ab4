import { textOf } from '@unrut/engine/json';
import type { Machine } from '@unrut/engine/machine';
import { clineTools as tools } from '@unrut/engine/tools/families';
import { editorsFolder, joinOn, placeVariable } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { clineInstall } from './install.ts';
import { clinePayload, isOfCline } from './payload.ts';

/** The task folder of Cline, or of an extension derived from it, in VS Code and derived editors. */
export const editorTasks = (at: Machine, extension: string): string =>
  joinOn(at)(
    editorsFolder(at),
    '*',
    'User',
    'globalStorage',
    extension,
    'tasks',
    '*',
    'api_conversation_history.json',
  );

const AROUND_CALLS = new Set(['tool_call', 'PreToolUse', 'tool_result', 'PostToolUse']);

export const cline = defineHost({
  name: 'cline',
  label: 'Cline',
  tools,
  programs: ['cline'],
  folders: (at) => [clineInstall.folder(at), joinOn(at)(at.home, 'Documents', 'Cline')],
  runs(at) {
    const join = joinOn(at);
    const data = placeVariable(at, 'CLINE_DATA_DIR') ?? join(clineInstall.folder(at), 'data');
    const sessions = placeVariable(at, 'CLINE_SESSION_DATA_DIR') ?? join(data, 'sessions');
    return [join(sessions, '*', '*.messages.json'), editorTasks(at, 'saoudrizwan.claude-dev')];
  },
  hooks: {
    can: ['note', 'hint', 'stop'],
    callsHaveIds: true,
    shell: 'run_commands',
    reports: ['subagents'],
    signs: { form: isOfCline, precedence: 1 },
    payload: clinePayload,
    // Cancelling ends the run, before a call as well as after it; a single call cannot be blocked.
    answer: ({ hookName: name }) =>
      AROUND_CALLS.has(textOf(name))
        ? {
            does: ['note', 'hint', 'stop'],
            say: (rung, { toModel, toHuman }) =>
              rung === 'stop'
                ? { cancel: true, errorMessage: toHuman }
                : { cancel: false, contextModification: toModel },
          }
        : undefined,
  },
  install: clineInstall,
});
