import type { AgentEvent } from '@unrut/engine/event';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger } from './memory.ts';
import { createMemoryRoom, roomIn } from './memory-room.ts';
import { createRecorder } from './recorder.ts';

describe('room in memory', () => {
  test('the least recently used goes first, in whichever store it is', () => {
    const room = createMemoryRoom(100);
    const gone: string[] = [];
    const [one, other] = ['one', 'other'].map((of) =>
      room.share((name) => void gone.push(`${of} ${name}`)),
    );
    one!.put('a', 40);
    other!.put('a', 40);
    one!.put('a', 50);
    other!.put('b', 30);
    expect([gone, room.used]).toEqual([['other a'], 80]);
    one!.put('c', 100);
    expect([gone, room.used]).toEqual([['other a', 'one a', 'other b'], 100]);
  });

  test('entries in use are not evicted', () => {
    const room = createMemoryRoom(100);
    const gone: string[] = [];
    const share = room.share((name) => void gone.push(name));
    share.put('a', 60);
    share.take('a');
    share.put('b', 90);
    expect([gone, room.used]).toEqual([[], 90]);
    share.put('a', 60);
    expect([gone, room.used]).toEqual([['b'], 60]);
  });
});

test('is an eighth of the memory, within bounds', () => {
  const MB = 1 << 20;
  expect([128, 512, 64_000].map((memory) => roomIn(memory * MB) / MB)).toEqual([32, 64, 128]);
});

/** Three agents take turns; each repeats the same lookup. */
const event = (i: number): AgentEvent => ({
  type: 'call-finished',
  session: `s${i % 3}`,
  at: 1_790_000_000_000 + i * 1000,
  id: `e${i}`,
  call: { id: `c${i}`, tool: 'lookup_order', args: { order: i % 3 } },
  result: 'It was not found.',
});

async function signals(most: number) {
  const room = createMemoryRoom(most);
  const recorders = [1, 2].map(() => createRecorder(createMemoryLedger(), {}, { room }));
  const seen: string[][] = [];
  let usedAtMost = 0;
  for (let i = 0; i < 36; i++)
    for (const recorder of recorders) {
      const { signals } = await recorder.observe(event(i));
      seen.push(signals.map(({ detector }) => detector));
      usedAtMost = Math.max(usedAtMost, room.used);
    }
  return { seen, usedAtMost };
}

test('recorders without room see the same as those with room, and keep less', async () => {
  const ample = await signals(10 << 20);
  const scarce = await signals(30_000);
  expect(scarce.seen).toEqual(ample.seen);
  expect(ample.seen.flat().length).toBeGreaterThan(0);
  expect(ample.usedAtMost).toBeGreaterThan(60_000);
  expect(scarce.usedAtMost).toBeLessThanOrEqual(30_000);
});
