import type { AgentEvent } from '@unrut/engine/event';
import { EVENT_TYPES, whyNotAnEvent } from '@unrut/engine/read-event';
import fc from 'fast-check';
import { is } from 'valibot';
import { expect, test } from 'vitest';
import { eventSchema } from './event-schema.ts';

const base = { session: 's', at: 5 };
const call = { id: '1', tool: 'lookup', args: {} };
const EXAMPLES: readonly AgentEvent[] = [
  { ...base, type: 'call-proposed', call, batch: 'b' },
  { ...base, type: 'call-finished', call, result: null },
  { ...base, type: 'text-added', text: 'so', channel: 'thinking' },
  { ...base, type: 'iteration-started', iteration: 1 },
  { ...base, type: 'output-finished', output: 'done' },
  { ...base, type: 'action-proposed', action: { type: 'click', x: 1 } },
  { ...base, type: 'action-finished', action: { type: 'click' }, agent: 'a' },
  {
    ...base,
    type: 'task-attempted',
    task: 'T1',
    status: 'done',
    blockers: [],
    work: ['a'],
    attemptSession: 's1',
  },
  { ...base, type: 'idle', reason: 'nothing to do', id: 'e1' },
  { ...base, type: 'plan-performed', plan: 'p', rung: 'hint' },
  { ...base, type: 'user-spoke', speaker: 'me', parent: 'p' },
  { ...base, type: 'tools-listed', tools: [{ name: 'lookup' }] },
  {
    ...base,
    type: 'context-compacted',
    origin: { host: 'h', model: 'm', release: '1', repo: 'r', team: 't', person: 'p' },
  },
  { ...base, type: 'session-ended' },
];

test('every type of event has an example that both accept', () => {
  expect(EXAMPLES.map(({ type }) => type)).toEqual(EVENT_TYPES);
  for (const event of EXAMPLES)
    expect([event.type, is(eventSchema, event), whyNotAnEvent(event)]).toEqual([
      event.type,
      true,
      undefined,
    ]);
});

test('the quick check of events and their schema accept and reject the same values', () => {
  const FIELDS = [
    ...[
      'type',
      'session',
      'at',
      'agent',
      'parent',
      'speaker',
      'id',
      'batch',
      'call',
      'text',
      'channel',
      'iteration',
      'output',
      'action',
    ],
    ...[
      'task',
      'status',
      'blockers',
      'work',
      'attemptSession',
      'reason',
      'plan',
      'rung',
      'tools',
      'result',
      'origin',
    ],
  ];
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      undefined,
      null,
      '',
      'answer',
      'hint',
      0,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      true,
      [],
      {},
      ...EVENT_TYPES,
    ),
    fc.constantFrom<unknown>(
      { model: 'm' },
      { person: 'p'.repeat(100), team: null },
      { repo: 'r'.repeat(101) },
      { host: 7 },
      { id: '1', tool: 2 },
      { id: '1', tool: 't' },
      { type: 1 },
      { type: 'click' },
      ['a', 1],
      ['a'],
      [{ name: 1 }],
      [null],
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const changed = fc
    .tuple(
      fc.constantFrom(...EXAMPLES),
      fc.dictionary(fc.constantFrom(...FIELDS), odd, { maxKeys: 3 }),
      fc.subarray(FIELDS, { maxLength: 2 }),
    )
    .map(([event, changes, dropped]) =>
      Object.fromEntries(
        Object.entries({ ...event, ...changes }).filter(([field]) => !dropped.includes(field)),
      ),
    );
  const verdicts = { accepted: 0, rejected: 0 };
  fc.assert(
    fc.property(
      fc.oneof({ weight: 9, arbitrary: changed }, { weight: 1, arbitrary: odd }),
      (value) => {
        const accepts = whyNotAnEvent(value) === undefined;
        verdicts[accepts ? 'accepted' : 'rejected']++;
        expect(is(eventSchema, value)).toBe(accepts);
      },
    ),
    { numRuns: 3000 },
  );
  expect(Math.min(verdicts.accepted, verdicts.rejected)).toBeGreaterThan(300);
});
