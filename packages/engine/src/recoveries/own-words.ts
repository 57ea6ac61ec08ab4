import type { Rung } from '../event.ts';
import { WE } from './wording.ts';

/** Unrut's words that a model read, in a text that a host or a transcript shows. */
export interface OwnWords {
  rung: Rung;
  /** The text without them. Undefined if they stand in place of a result: the call did not run. */
  rest: string | undefined;
}

/** Hosts name the hook before the words: `PreToolUse:Bash hook error: `. */
const MAX_PREFIX_LENGTH = 160;
const MAX_LENGTH = 2000;
const NAME = WE.replace(/[()]/g, '\\$&');
const REFUSAL = new RegExp(
  `^(?:[^\\n]{0,${MAX_PREFIX_LENGTH}}: )?${NAME} (?:did not run |is about to stop this run: [\\s\\S]*\\bThis call was not run\\b)`,
);
const NOTE = new RegExp(
  `(?:^|\\n)\\s*(?:[^\\n]{0,${MAX_PREFIX_LENGTH}}: )?${NAME}(:| again:| has asked the user| stopped the run| is about to stop this run)[^\\n]*\\s*$`,
);
const RUNG_OF: Readonly<Record<string, Rung>> = {
  ':': 'note',
  ' again:': 'hint',
  ' has asked the user': 'escalate',
};

/** Finds what Unrut said at the beginning of a text, in place of a result, or at its end. */
export function ownWordsIn(text: string): OwnWords | null {
  const beginning = text.slice(0, MAX_LENGTH);
  if (beginning.includes(WE) && REFUSAL.test(beginning)) return { rung: 'block', rest: undefined };
  const from = Math.max(0, text.length - MAX_LENGTH);
  const end = text.slice(from);
  const note = end.includes(WE) ? NOTE.exec(end) : null;
  if (!note) return null;
  return { rung: RUNG_OF[note[1]!] ?? 'stop', rest: text.slice(0, from + note.index) };
}
