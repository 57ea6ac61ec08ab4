import type { Fingerprint } from '../fingerprint/fingerprint.ts';

/** The part of a fingerprint that tells a reader what happened and what it brought, in redacted words and numbers. */
export interface SeenBriefly {
  neutral?: Fingerprint['neutral'];
  progress?: Fingerprint['progress'];
  /** `tool` is the program of a shell command, else the tool itself. */
  call?: { label: string; tool: string };
  result?: {
    known: boolean;
    run: number;
    novelty: number;
    empty: boolean;
    failures: number | null;
    error: { label: string } | null;
  };
  /** A message, or a whole thought. */
  text?: { message: { words: number } | null; channel?: 'answer' | 'thinking' };
  output?: { signature: string; moved?: boolean };
}

/** What is kept of a fingerprint in the record. */
export function seenBriefly({ neutral, progress, call, result, text, output }: Fingerprint): SeenBriefly {
  return {
    ...(neutral ? { neutral } : {}),
    ...(progress ? { progress } : {}),
    ...(call ? { call: { label: call.label, tool: call.tool } } : {}),
    ...(result ? { result: briefResult(result) } : {}),
    ...(text?.message
      ? { text: { message: { words: text.message.words }, ...(text.channel === 'thinking' ? { channel: text.channel } : {}) } }
      : {}),
    ...(output ? { output: { signature: output.signature, ...(output.moved === undefined ? {} : { moved: output.moved }) } } : {}),
  };
}

function briefResult({ known, run, novelty, empty, failures, error }: NonNullable<Fingerprint['result']>): SeenBriefly['result'] {
  return { known, run, novelty: Math.round(novelty * 100) / 100, empty, failures, error: error && { label: error.label } };
}
