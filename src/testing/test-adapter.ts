import type { Adapter } from '../adapters/adapter.ts';
import { RUNGS, type Rung, whyNotAnEvent } from '../event.ts';
import type { Verdict } from '../guard.ts';
import { type Case, check } from './case.ts';

const MALFORMED: readonly unknown[] = [
  undefined,
  null,
  0,
  '',
  'text',
  [],
  {},
  { type: 1 },
  { hook_event_name: 'X' },
  { tool_input: null },
  [[[]]],
];

/** What every adapter promises, on recorded payloads: valid events, no exception on any input, and an answer for each rung the host has. */
export function testAdapter(adapter: Adapter, payloads: readonly unknown[]): Case[] {
  return [
    {
      name: `${adapter.name}: reads valid events from its recorded payloads`,
      run: () => {
        const events = payloads.flatMap((payload) => adapter.read(payload));
        check(events.length > 0, 'expected at least one event from the recorded payloads');
        for (const event of events) check(whyNotAnEvent(event) === undefined, whyNotAnEvent(event) ?? '');
      },
    },
    {
      name: `${adapter.name}: gives no event for unknown or malformed input, and never throws`,
      run: () => {
        for (const payload of MALFORMED) check(adapter.read(payload).length === 0, `expected no event for ${JSON.stringify(payload)}`);
      },
    },
    {
      name: `${adapter.name}: answers with JSON for each rung that the host has, and with nothing without a plan`,
      run: () => {
        for (const payload of payloads) {
          check(adapter.write(verdict(null), payload) === null, 'expected no answer without a plan');
          for (const rung of RUNGS.filter((each) => adapter.can(payload).includes(each))) {
            const answer = adapter.write(verdict(rung), payload);
            check(JSON.stringify(answer) !== undefined, `expected a JSON answer for ${rung}`);
          }
        }
      },
    },
  ];
}

function verdict(rung: Rung | null): Verdict {
  const plan = rung && {
    id: 'p1',
    recovery: 'test',
    rung,
    reason: 'test/test',
    toModel: 'What the model reads.',
    toHuman: 'What a person reads.',
    budgetLeft: 5,
    streak: 's1',
  };
  return { signals: [], plan, shadow: null, outcomes: [], faults: [], step: 0, seen: null };
}
