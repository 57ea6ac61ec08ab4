import { createGuard } from '@unrut/engine/guard';
import { describe, expect, test } from 'vitest';

const LINE = 'I will not talk in class while others want to work in peace.\n';

/** The signals while a line is streamed repeatedly after a user message. */
function signalsAfter(text: string, times: number, channel: 'answer' | 'thinking' = 'answer') {
  const guard = createGuard();
  guard.observe({ type: 'user-spoke', session: 's', at: 1, text });
  const seen: string[] = [];
  for (let i = 0; i < times; i++) {
    const { signals } = guard.observe({
      type: 'text-added',
      session: 's',
      at: 10 + i,
      channel,
      text: LINE,
    });
    seen.push(...signals.map(({ detector }) => detector));
  }
  return [...new Set(seen)];
}

describe('an answer that repeats a line', () => {
  test.each([
    'Write "I will not talk in class" 100 times.',
    'Print the sentence 100x, one per line.',
    'Make a file of placeholder text for the importer.',
    'Give me 200 lines of test data.',
  ])('is no loop if the user asked for it: %s', (asked) => {
    expect(signalsAfter(asked, 100)).toEqual([]);
  });

  test.each(['Write an essay about silence.', 'Try it 3 times at most.'])(
    'is one if not: %s',
    (asked) => {
      expect(signalsAfter(asked, 100)).toContain('chanting');
    },
  );

  test('is one far beyond what was asked for, and in thoughts', () => {
    expect(signalsAfter('Write it 20 times.', 40)).toEqual([]);
    expect(signalsAfter('Write it 20 times.', 60)).not.toEqual([]);
    expect(signalsAfter('Write it 100 times.', 100, 'thinking')).toContain('chanting');
  });
});
