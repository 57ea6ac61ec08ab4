import { createHash } from 'node:crypto';
import type { AgentEvent, CallFinished } from '@unrut/engine/event';
import type { Screen } from '@unrut/engine/event-parts';
import { type Peer, strongest } from '../../bench/peers/peer.ts';

/** One call with what came back. */
export interface Turn extends Partial<Pick<CallFinished, 'batch' | 'refusedBy'>> {
  tool: string;
  args: unknown;
  result?: unknown;
  failed?: boolean;
}

/** An event: a call, or a text or action. */
export type Happening =
  | Turn
  | { say: string; by?: string }
  | { stream: string }
  | { think: string }
  | { output: string }
  | { click: string; screen: Screen }
  | 'a person speaks'
  | 'compaction';

/** Text unlike any other. */
export const fresh = (i: number): string =>
  createHash('sha256').update(String(i)).digest('hex').slice(0, 40);

/** Something made several times, counted from 0. */
export const list = <T>(n: number, make: (i: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i));

/** A text of this length without a repeated sequence of 49 characters. */
export const sentence = (length: number): string =>
  `${list(30, fresh)
    .join('')
    .slice(0, length - 2)}. `;

/** Repeats an event. */
export const times = (n: number, happening: (i: number) => Happening | Happening[]): Happening[] =>
  list(n, happening).flat();

export const turn = (tool: string, args: unknown, result?: string): Turn => ({
  tool,
  args,
  result,
});
export const shell = (command: string, i: number): Turn => turn('Bash', { command }, fresh(i));
export const lookup: Turn = turn('lookup', { name: 'job' }, 'still waiting');
export const failing: Turn = { ...lookup, result: 'not found', failed: true };
const fixed = (tool: string): Turn => turn(tool, { name: tool }, `this is ${tool}`);
const edit = (i: number): Turn => turn('edit', { path: 'a.ts', text: fresh(i) }, fresh(i + 1000));
const other = (i: number): Turn =>
  turn(['one', 'two', 'three'][(i / 2) % 3]!, { name: fresh(i) }, fresh(i + 1000));

/** The calls of each scenario, the first of them 1. */
export const SCENARIOS: Record<string, (call: number) => Turn> = {
  'S1 same call, same result': () => lookup,
  'S2 same call, new result each time': (i) => ({ ...lookup, result: fresh(i) }),
  'S3 A-B': (i) => fixed(['beta', 'alpha'][i % 2]!),
  'S4 A-B-C': (i) => fixed(['gamma', 'alpha', 'beta'][i % 3]!),
  'S5 new arguments, same error': (i) => ({ ...failing, args: { name: fresh(i) } }),
  'S5b new arguments, same text': (i) => turn('lookup', { name: fresh(i) }, 'nothing here'),
  'S6 new cursor, new page': (i) => turn('page', { cursor: fresh(i) }, fresh(i + 1000)),
  'S7 edit, test': (i) => (i % 2 === 1 ? edit(i) : turn('test', { path: 'a.ts' }, fresh(i))),
  'S8 same call at every other position': (i) => (i % 2 === 1 ? lookup : other(i)),
};

/** The peer's reaction to each event; an exclamation mark means that it acts. */
export function play(peer: Peer, happenings: readonly Happening[]): (string | null)[] {
  const watch = peer.start();
  return happenings.map((happening, i) => {
    const alarm = strongest(...eventsOf(happening, i).map(watch));
    return alarm && alarm.word + (alarm.level === 'act' ? '!' : '');
  });
}

/** The peer's first reaction, after its position from 1; `-` if it stays silent. */
export function first(peer: Peer, happenings: readonly Happening[]): string {
  const said = play(peer, happenings);
  const at = said.findIndex((word) => word !== null);
  return at < 0 ? '-' : `${at + 1} ${said[at]}`;
}

/** At which call each word is first said, over 120 calls: `3/5`, `-` for a word that is not. */
export function firstSaid(
  peer: Peer,
  words: readonly string[],
  turns: (call: number) => Turn,
): string {
  const said = play(
    peer,
    times(120, (i) => turns(i + 1)),
  );
  return words.map((word) => (said.includes(word) ? said.indexOf(word) + 1 : '-')).join('/');
}

function eventsOf(happening: Happening, i: number): AgentEvent[] {
  const base = { session: 's', at: i * 1000 };
  if (happening === 'a person speaks') return [{ ...base, type: 'user-spoke' }];
  if (happening === 'compaction') return [{ ...base, type: 'context-compacted' }];
  if ('say' in happening) {
    const speaker = happening.by === undefined ? {} : { speaker: happening.by };
    return [
      {
        ...base,
        ...speaker,
        type: 'text-added',
        channel: 'answer',
        text: happening.say,
        done: true,
      },
    ];
  }
  if ('stream' in happening)
    return [{ ...base, type: 'text-added', channel: 'answer', text: happening.stream }];
  if ('think' in happening)
    return [
      { ...base, type: 'text-added', channel: 'thinking', text: happening.think, done: true },
    ];
  if ('output' in happening)
    return [{ ...base, type: 'output-finished', output: happening.output }];
  if ('click' in happening)
    return [
      {
        ...base,
        type: 'action-finished',
        action: { type: 'click', index: happening.click },
        screen: happening.screen,
      },
    ];
  const { tool, args, result, failed, batch, refusedBy } = happening;
  const made = { ...base, call: { id: `call ${i}`, tool, args }, ...(batch ? { batch } : {}) };
  return [
    { ...made, type: 'call-proposed' },
    {
      ...made,
      at: base.at + 500,
      type: 'call-finished',
      result,
      ...(failed ? { error: true } : {}),
      ...(refusedBy ? { refusedBy } : {}),
    },
  ];
}
