import { hash32 } from './hash.ts';
import { redact } from './redact/redact.ts';

/** Compares sessions in which the guard acts with others in which it only records. */
export interface TrialOptions {
  /** The share of sessions in which it only records, between 0 and 1. */
  share: number;
  /** Another name begins another trial, in which each session is drawn anew. */
  name?: string;
}

/** What is done in a session of a trial. */
export type TrialArm = 'guarded' | 'recorded';

/** Which trial a session is in, and its arm there. */
export interface Drawn {
  /** The trial's name and share: another share is another trial. */
  trial: string;
  arm: TrialArm;
}

/** Characters of a trial's name. */
const MAX_NAME = 60;

/** The arm of a session: the same wherever it is drawn with the same seed. */
export function draw({ share, name }: TrialOptions, session: string, seed: number): Drawn {
  const begins = name === undefined ? '' : `${redact(name).slice(0, MAX_NAME).trim()}, `;
  const trial = `${begins}${Math.round(share * 1000) / 10}%`;
  const place = hash32(`${trial} ${session}`, seed) / 2 ** 32;
  return { trial, arm: place < share ? 'recorded' : 'guarded' };
}
