import { createMemoryLedger } from '@unrut/ledger/memory';
import { LOOPING } from '@unrut/test/hosts/looping-host';
import { expect, test } from 'vitest';
import { answerHook, hookRecorder } from './answer-hook.ts';

test('what a ledger did not save is forgotten', async () => {
  const ledger = createMemoryLedger();
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
  const recorder = hookRecorder(failing);
  const answers: string[] = [];
  for (const [n, isFull] of [false, true, true, false, false].entries()) {
    full = isFull;
    for (const payload of LOOPING['claude-code'].after(n)) {
      const at = 1_794_800_000_000 + n * 5000;
      const { stdout } = await answerHook(payload, {
        environment: {},
        ledger: failing,
        settings: { guard: {} },
        at,
        recorder,
      });
      if (stdout !== '') answers.push(stdout);
    }
  }
  expect(answers).toEqual([expect.stringContaining('3 times')]);
});
