import { dataFolder, joinOn } from '../../settings-files/places.ts';
import { defineHost } from '../define-host.ts';
import { ampInstall } from './install.ts';
import { ampPayload, isOfAmp } from './payload.ts';
import { ampTranscript } from './transcript.ts';

/**
 * Amp, by way of `plugin.ts`. It only hears refusals: notes and hints reach nobody but the person and are reported so, but are climbed all the
 * same, so that a refusal comes no sooner than elsewhere.
 */
export const amp = defineHost({
  name: 'amp',
  label: 'Amp',
  programs: ['amp'],
  runs: (at) => [joinOn(at)(dataFolder(at), 'amp', 'threads')],
  transcripts: [ampTranscript],
  hooks: {
    can: ['note', 'hint', 'block'],
    callsHaveIds: true,
    signs: { form: isOfAmp },
    payload: ampPayload,
    answer: ({ hook }) =>
      hook === 'tool.call' ? { does: ['block'], say: (_, { toModel, toHuman }) => ({ refuse: toModel, show: toHuman }) } : undefined,
  },
  install: ampInstall,
});
