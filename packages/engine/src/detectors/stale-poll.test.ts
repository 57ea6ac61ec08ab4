import { expect, test } from 'vitest';
import { createGuard } from '../guard.ts';

/** Asks for reviews every five minutes, and ends its turn after each look. */
function told(rest: 'idle' | 'waiting'): string[] {
  const guard = createGuard();
  const notes: string[] = [];
  for (let i = 0; i < 12; i++) {
    const base = { session: 's', at: 1_760_000_000_000 + i * 300_000 };
    const { plan } = guard.observe({
      ...base,
      type: 'call-finished',
      call: { id: `c${i}`, tool: 'Bash', args: { command: 'gh pr list --review-requested @me' } },
      result: '',
    });
    if (plan) notes.push(plan.reason);
    const text = `Round ${i}: no review is requested.`;
    guard.observe({ ...base, type: 'text-added', channel: 'answer', text, done: true, rest });
  }
  return notes;
}

test('an agent that a schedule wakes every five minutes is not told how often to look', () => {
  expect(told('waiting')).toEqual([]);
});

test('an agent that looks every five minutes by itself is told that nothing changes', () => {
  expect(told('idle')).toContain('stale-poll/long');
});
