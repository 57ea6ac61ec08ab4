import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import { describe, expect, test } from 'vitest';
import { sessionFiguresOf } from '../figures/count-session.ts';
import { stateOf } from '../figures/session-figures.ts';
import type { LedgerEntry } from '../ledger-entry.ts';
import { entriesOf } from '../record.ts';
import { stallText } from './stall.ts';

const START = 1_760_000_000_000;
const MINUTE = 60_000;

type Told = Partial<AgentEvent> & { type: AgentEvent['type'] };

/** The summary of a session after these events, each with its minute. */
function after(...events: [minute: number, event: Told][]) {
  const guard = createGuard();
  const entries: LedgerEntry[] = events.flatMap(([minute, told], i) => {
    const event = { session: 's', at: START + minute * MINUTE, ...told } as AgentEvent;
    const origin = event.type === 'user-spoke' ? { turns: true as const } : {};
    return entriesOf(event, guard.observe(event), i, { host: 'claude-code', ...origin });
  });
  const summary = sessionFiguresOf('s', entries);
  return {
    summary,
    at: (minute: number) => stateOf(summary, START + minute * MINUTE),
    says: (minute: number) => summary.stall && stallText(summary.stall, START + minute * MINUTE),
  };
}

const asks: Told = { type: 'user-spoke', text: 'Fetch the figures.' };
const call = (tool: string, args: object, id = 'c1') => ({ call: { id, tool, args } });
const fetches = call('mcp__web__fetch', { url: 'https://figures.example/2026' });
const proposed = (made: ReturnType<typeof call>): Told => ({ type: 'call-proposed', ...made });
const finished = (made: ReturnType<typeof call>): Told => ({
  type: 'call-finished',
  ...made,
  result: 'Some figures.',
});
const message: Told = {
  type: 'text-added',
  channel: 'answer',
  done: true,
  text: 'Here they are.',
  rest: 'idle',
};

describe('a call that never returns', () => {
  test('is a stall after fifteen minutes, in words that name it', () => {
    const session = after([0, asks], [1, proposed(fetches)]);
    expect([session.at(10), session.at(15), session.at(17)]).toEqual([
      'silent',
      'silent',
      'stalled',
    ]);
    expect(session.says(61)).toMatch(
      /^the call `.*fetch.*` has been open for 60 minutes: it hangs/,
    );
  });

  test.each<[string, [number, Told][]]>([
    [
      'has returned, and the turn has ended',
      [
        [1, proposed(fetches)],
        [2, finished(fetches)],
        [2, message],
      ],
    ],
    ['is a wait', [[1, proposed(call('Bash', { command: 'sleep 3600' }))]]],
    ['is a build', [[1, proposed(call('Bash', { command: 'cargo build --release' }))]]],
    ['runs the tests', [[1, proposed(call('Bash', { command: 'npm test' }))]]],
    ['asks a person', [[1, proposed(call('AskUserQuestion', { questions: ['Which?'] }))]]],
    [
      'was interrupted by the user',
      [
        [1, proposed(fetches)],
        [2, { ...finished(fetches), refusedBy: 'user' } as Told],
      ],
    ],
    [
      'is followed by a message',
      [
        [1, proposed(fetches)],
        [3, message],
      ],
    ],
  ])('is none if it %s', (_, events) => {
    expect(after([0, asks], ...events).at(90)).toBe('silent');
  });

  test('of a nested agent stalls the session, and a parent that waits for a working one does not', () => {
    const starts = call('Agent', { prompt: 'Fetch all of the figures' }, 'a');
    const nested = (event: Told): Told => ({ ...event, agent: 'helper' });
    const opening: [number, Told][] = [
      [0, asks],
      [1, proposed(starts)],
    ];
    const hanging = after(...opening, [2, nested(proposed(fetches))]);
    expect(hanging.at(30)).toBe('stalled');
    const working = after(
      ...opening,
      [2, nested(proposed(fetches))],
      [3, nested(finished(fetches))],
      [28, nested(proposed(call('Read', { file_path: 'a.ts' }, 'r')))],
      [29, nested(finished(call('Read', { file_path: 'a.ts' }, 'r')))],
    );
    expect(working.at(30)).toBe('running');
    expect(working.at(50)).toBe('stalled');
    // The nested agent has a session of its own.
    expect(after(...opening).at(90)).toBe('silent');
  });
});

describe('silence', () => {
  const opening: [number, Told][] = [
    [0, asks],
    [1, proposed(fetches)],
    [2, finished(fetches)],
  ];

  test('in the middle of a turn is a stall after ten minutes', () => {
    const session = after(...opening);
    expect([session.at(4), session.at(11), session.at(13)]).toEqual([
      'running',
      'silent',
      'stalled',
    ]);
    expect(session.says(20)).toBe(
      'nothing has come from it for 18 minutes, in the middle of a turn',
    );
  });

  test('after the end of a turn is none, and after a day nobody looks any more', () => {
    expect(after(...opening, [3, message]).at(60)).toBe('silent');
    expect(after(...opening).at(25 * 60)).toBe('silent');
    expect(after(...opening, [3, { type: 'session-ended' }]).at(60)).toBe('ended');
  });

  test('of a session whose host does not report the end of turns is none', () => {
    const events = opening.slice(1);
    expect(after(...events).at(60)).toBe('silent');
  });
});
