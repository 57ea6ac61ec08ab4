import { expect, test } from 'vitest';
import type { LedgerEntry } from '../ledger.ts';
import { timelineOf } from './timeline.ts';

const said = (agent: string | undefined, at: number, step: number): LedgerEntry =>
  ({
    id: at,
    kind: 'event',
    session: 's',
    at,
    step,
    ...(agent === undefined ? {} : { agent }),
    data: { type: 'user-spoke' },
  }) as unknown as LedgerEntry;

const fault = (agent: string | undefined, at: number, step: number): LedgerEntry =>
  ({
    id: at,
    kind: 'fault',
    session: 's',
    at,
    step,
    ...(agent === undefined ? {} : { agent }),
    data: { where: 'x', message: 'y' },
  }) as unknown as LedgerEntry;

test('what is said about a step that never came stays with its agent', () => {
  const moments = timelineOf([said('child', 1, 0), said(undefined, 2, 0), fault('child', 3, 1)]);
  expect(moments.map(({ agent, faults }) => [agent, faults.length])).toEqual([
    ['child', 1],
    [undefined, 0],
  ]);
  // The twin: of the parent itself.
  const own = timelineOf([said('child', 1, 0), said(undefined, 2, 0), fault(undefined, 3, 1)]);
  expect(own.map(({ faults }) => faults.length)).toEqual([0, 1]);
});
