import type { Importer } from '@unrut/reading/importer';
import { isOfOpenclaw, isPiSession, readPiSession } from '../pi/transcript.ts';

/** Sessions of OpenClaw, which are written as pi writes them. */
export const openclawTranscript: Importer = {
  name: 'openclaw',
  reads: "OpenClaw's session files in `~/.openclaw/agents/*/sessions`",
  sample: 'written after its source and public descriptions of its session files (version 3)',
  version: { tried: '3', at: 'version', isFormat: true },
  recognises: (first) => isPiSession(first) && first.some(isOfOpenclaw),
  open: (source) => readPiSession(source, { repeatsPrompt: true }),
};
