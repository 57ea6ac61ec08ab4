import { createGuard } from '@unrut/engine/guard';
import { describe, expect, test } from 'vitest';

/** The rungs of the plans for turns that end with these messages, after a person's prompt. */
function ends(prompt: string, messages: readonly string[]): string[] {
  const guard = createGuard({ attended: false });
  guard.observe({ type: 'user-spoke', session: 's', at: 0, text: prompt });
  return messages.map((text, i) => {
    const { plan } = guard.observe({
      type: 'text-added',
      session: 's',
      at: (i + 1) * 5000,
      channel: 'answer',
      text,
      done: true,
      rest: 'idle',
    });
    return plan?.rung ?? '';
  });
}
const five = (text: string): string[] => Array.from({ length: 5 }, () => text);
const ENDED = ['', '', 'escalate', '', 'stop'];

describe('turns that end alike', () => {
  test.each([
    ['Work until everything is done.', 'All tasks are complete. Nothing is left to do.'],
    ['Wait for the release, then tidy up.', 'Everything is done; there is nothing left to do.'],
    ['Work until the list is empty.', 'I cannot reach the task list from here, so I end here.'],
  ])('end the run after "%s"', (prompt, message) => {
    expect(ends(prompt, five(message))).toEqual(ENDED);
  });

  test.each(['Wait for the release, then tidy up.', 'Monitor the release.'])(
    'twin: an agent that was asked to wait may say that it waits ("%s")',
    (prompt) => {
      const messages = five('The release is not out yet. I will look again when you wake me.');
      expect(ends(prompt, messages)).toEqual(['', '', '', '', '']);
    },
  );
});
