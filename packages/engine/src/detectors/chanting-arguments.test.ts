import { describe, expect, it } from 'vitest';
import { createGuard } from '../guard.ts';

const PHRASE = 'I will now write the summary of the meeting. ';

/** What the guard says of one call with this command, after what the user asked for. */
function seenIn(command: string, asked = 'Write the summary of the meeting.') {
  const guard = createGuard();
  const at = 1_794_800_000_000;
  guard.observe({ type: 'user-spoke', session: 's', at, text: asked });
  const call = { id: 'c1', tool: 'Bash', args: { command } };
  guard.observe({ type: 'call-proposed', session: 's', at: at + 1000, call });
  return guard.observe({
    type: 'call-finished',
    session: 's',
    at: at + 2000,
    call,
    result: '',
    exitCode: 0,
  });
}
const heredoc = (text: string): string => `cat > notes.md <<'END'\n${text}\nEND`;
const chants = (command: string, asked?: string): boolean =>
  seenIn(command, asked).signals.some(({ variant }) => variant === 'in-arguments');

describe('a call whose argument is one sentence again and again', () => {
  it('is reported at once, in a note that quotes the sentence', () => {
    const { signals, plan } = seenIn(heredoc(PHRASE.repeat(340)));
    expect(signals).toMatchObject([{ detector: 'chanting', variant: 'in-arguments' }]);
    expect(plan?.rung).toBe('note');
    expect(plan?.toModel).toContain('write the summary of the meeting');
  });

  it('is found too if its lines are wrapped or the last sentence is cut off', () => {
    expect(chants(heredoc(PHRASE.trim().concat('\n').repeat(340)))).toBe(true);
    expect(chants(heredoc(PHRASE.repeat(340)).slice(0, 15_017))).toBe(true);
  });

  it('is found too if it is a single word, but not if that may be padding', () => {
    expect(chants(heredoc('court '.repeat(2500)))).toBe(true);
    expect(chants(heredoc('padding '.repeat(1250)))).toBe(false);
  });

  it.each([
    ['it is short', PHRASE.repeat(100)],
    ['each line differs', Array.from({ length: 400 }, (_, n) => `${PHRASE}${n}`).join('\n')],
    ['it is a table with equal rows', '| open | nobody | never |\n'.repeat(600)],
    ['it is generated data', 'INSERT INTO users VALUES (NULL, "nobody", 0);\n'.repeat(400)],
    ['it is markup', '<td class="empty cell"></td>\n'.repeat(600)],
    ['it is a ruler', '- '.repeat(8000)],
    [
      'the sentence is a small part of it',
      `${Array.from({ length: 3000 }, (_, n) => `line ${n * 7919} of the log`).join('\n')}\n${PHRASE.repeat(200)}`,
    ],
  ])('is not reported if %s', (_, text) => {
    expect(chants(heredoc(text))).toBe(false);
  });

  it.each([
    'Write "I will now write the summary of the meeting." 340 times into notes.md.',
    'Make a large file with dummy text, I want to test the upload.',
    'Fill notes.md with 15 KB of text.',
    'Repeat the sentence until the file is full.',
  ])('is not reported if the user asked for it: %s', (asked) => {
    expect(chants(heredoc(PHRASE.repeat(340)), asked)).toBe(false);
  });
});
