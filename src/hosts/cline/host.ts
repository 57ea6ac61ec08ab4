import type { Machine } from '../../machine.ts';
import { configFolder, joinOn, placeVariable, settingsFolder } from '../../settings-files/places.ts';
import { clineTools as tools } from '../../tools/cline.ts';
import { defineHost } from '../define-host.ts';
import { clineAnswer } from './answer.ts';
import { clineInstall } from './install.ts';
import { clinePayload, isOfCline } from './payload.ts';

/** Where an extension of VS Code, or of an editor made from it, that descends from Cline keeps a folder for each task. */
export function editorTasks(at: Machine, extension: string): string {
  const { home, platform } = at;
  const join = joinOn(at);
  const editors =
    platform === 'win32'
      ? settingsFolder(at, 'APPDATA', 'AppData', 'Roaming')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : configFolder(at);
  return join(editors, '*', 'User', 'globalStorage', extension, 'tasks', '*', 'api_conversation_history.json');
}

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
    signs: { form: isOfCline, precedence: 1 },
    payload: clinePayload,
    answer: clineAnswer,
  },
  install: clineInstall,
});
