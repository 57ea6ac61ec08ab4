import { dataFolder, joinOn } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { ampInstall } from './install.ts';
import { ampPlugin } from './payload.ts';
import { ampTranscript } from './transcript.ts';

/** Amp, by way of `plugin.ts`. A plugin of it can refuse a call and change a result, and cannot end a run. */
export const amp = defineHost({
  name: 'amp',
  label: 'Amp',
  programs: ['amp'],
  runs: (at) => [joinOn(at)(dataFolder(at), 'amp', 'threads')],
  transcripts: [ampTranscript],
  hooks: {
    can: ['note', 'hint', 'block'],
    callsHaveIds: true,
    signs: { form: ampPlugin.isOwn },
    payload: ampPlugin.payload,
    answer: ({ hook }) =>
      hook === 'tool.call'
        ? { does: ['block'], say: (_, { toModel, toHuman }) => ({ refuse: toModel, show: toHuman }) }
        : hook === 'tool.result'
          ? { does: ['note', 'hint'], say: (_, { toModel, toHuman }) => ({ append: toModel, show: toHuman }) }
          : undefined,
  },
  install: ampInstall,
});
