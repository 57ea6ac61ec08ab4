import { editorsFolder, joinOn, placeVariable } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { cursorAnswer } from './answer.ts';
import { cursorChat } from './chat.ts';
import { cursorInstall } from './install.ts';
import { cursorPayload, isOfCursor } from './payload.ts';
import { cursorStream } from './stream.ts';
import { cursorTranscript } from './transcript.ts';

export const cursor = defineHost({
  name: 'cursor',
  label: 'Cursor',
  programs: ['cursor', 'cursor-agent'],
  runs(at) {
    const join = joinOn(at);
    return [
      join(
        placeVariable(at, 'CURSOR_DATA_DIR') ?? cursorInstall.folder(at),
        'projects',
        '*',
        'agent-transcripts',
      ),
      join(editorsFolder(at), 'Cursor', 'User', 'globalStorage', 'state.vscdb'),
    ];
  },
  transcripts: [cursorTranscript, cursorStream, cursorChat],
  hooks: {
    can: ['note', 'hint', 'block'],
    callsHaveIds: true,
    shell: 'Shell',
    // Cursor also runs other hosts' hooks, whose variables may then be set, too.
    signs: { form: isOfCursor, folder: '.cursor', variable: 'CURSOR_VERSION', precedence: 2 },
    payload: cursorPayload,
    answer: cursorAnswer,
  },
  install: cursorInstall,
});
