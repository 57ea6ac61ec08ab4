import { cut, printable } from '@unrut/engine/text/printable';
import type { LedgerEntry } from '../ledger.ts';
import { asRecorded, isProposal, type RecordedEntry } from '../reports/recorded-entry.ts';
import { noColours, type Paint } from '../text/paint.ts';
import { type RunEvent, wordsOf } from '../views/timeline-words.ts';
import { faultText, outcomeText, planText, signalText } from './step-text.ts';
import type { Sheet } from './table.ts';
import { clock } from './time-text.ts';

export interface EntryTextOptions extends Sheet {
  /** The name of the entry's session. */
  name: string;
}

/** An entry in one line: time, session, step and text. A `width` of `Infinity` prevents cutting. */
export function entryText(entry: LedgerEntry, { paint, width, name }: EntryTextOptions): string {
  const start = `${clock(entry.at)}  ${printable(name).padEnd(8)}  ${String(entry.step).padStart(4)}  `;
  const recorded = asRecorded(entry);
  const line = cut(start + printable(entryWords(recorded)), width);
  return `${paint.dim(line.slice(0, start.length))}${marked(recorded, paint)(line.slice(start.length))}`;
}

/** The text of an entry, without time and session. */
export function entryWords(entry: RecordedEntry): string {
  const whose = entry.agent === undefined ? '' : `[${entry.agent}] `;
  switch (entry.kind) {
    case 'event':
      return whose + eventText(entry.data);
    case 'signal':
      return whose + signalText(entry.data, noColours);
    case 'plan':
      return whose + planText(entry.data, entry.data.shadow ? ' (only recorded)' : '');
    case 'outcome':
      return whose + outcomeText(entry.data, noColours);
    case 'fault':
      return whose + faultText(entry.data, noColours);
  }
}

function eventText(event: RunEvent): string {
  if (event.type === 'plan-performed' && event.recovery === undefined)
    return event.failed ? `${event.rung} could not be performed` : `${event.rung} was performed`;
  const { what, brought } = wordsOf(event);
  if (isProposal(event)) return `is about to call ${what}`;
  return `${what || event.type}  ${brought}`.trimEnd();
}

/** The style of a whole line; colours within it would be cut with the text. */
function marked(entry: RecordedEntry, paint: Paint): (text: string) => string {
  switch (entry.kind) {
    case 'event':
      return isProposal(entry.data) || entry.data.type === 'plan-performed' ? paint.dim : String;
    case 'signal':
      return paint.yellow;
    case 'outcome':
      return entry.data.outcome === 'recovered' ? paint.green : paint.dim;
    default:
      return paint.red;
  }
}
