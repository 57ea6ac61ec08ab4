import { expect, test } from 'vitest';
import { answerHook } from '../../src/hook/answer-hook.ts';
import { createKeptGuards, type HookGuard } from '../../src/hook/kept-guards.ts';
import { createGuard } from '../../src/index.ts';
import { createMemoryLedger } from '../../src/ledger/memory.ts';
import { LOOPING } from '../hosts/looping-host.ts';

const guard = (): HookGuard => ({ guard: createGuard(), memory: [] });

test('a guard is given once, and only for the state and the options that it has', () => {
  const kept = createKeptGuards();
  const mine = guard();
  kept.keep('a', 7, { shadow: false }, mine);
  expect(kept.take('b', 7, { shadow: false })).toBeUndefined();
  expect(kept.take('a', 7, { shadow: false })).toBe(mine);
  expect(kept.take('a', 7, { shadow: false })).toBeUndefined();
  kept.keep('a', 8, { shadow: false }, mine);
  expect(kept.take('a', 9, { shadow: false })).toBeUndefined();
  kept.keep('a', 9, { shadow: false }, mine);
  expect(kept.take('a', 9, { shadow: true })).toBeUndefined();
});

test('those that were not used for longest go first', () => {
  const kept = createKeptGuards(2);
  for (const session of ['a', 'b', 'a', 'c']) kept.keep(session, 1, {}, guard());
  expect(['a', 'b', 'c'].map((session) => kept.take(session, 1, {}) !== undefined)).toEqual([true, false, true]);
});

test('what a ledger did not save is forgotten', async () => {
  const ledger = createMemoryLedger();
  const guards = createKeptGuards();
  let full = false;
  const failing: typeof ledger = {
    ...ledger,
    async update(sessions, change) {
      const versions = await ledger.update(sessions, (saved) => {
        const changed = change(saved);
        if (full) throw new Error('the disk is full');
        return changed;
      });
      return versions;
    },
  };
  const answers: string[] = [];
  for (const [n, isFull] of [false, true, true, false, false].entries()) {
    full = isFull;
    for (const payload of LOOPING['claude-code'].after(n)) {
      const at = 1_794_800_000_000 + n * 5000;
      const { stdout } = await answerHook(payload, { environment: {}, ledger: failing, settings: { guard: {} }, at, guards });
      if (stdout !== '') answers.push(stdout);
    }
  }
  expect(answers).toEqual([expect.stringContaining('3 times')]);
});
