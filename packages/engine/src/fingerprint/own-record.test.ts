import { expect, test } from 'vitest';
import { reportsLoop } from './own-record.ts';

const record = (inLoop: unknown, progress: unknown): string =>
  JSON.stringify(
    {
      is_request_satisfied: { answer: false, reason: 'no' },
      is_in_loop: inLoop,
      is_progress_being_made: progress,
    },
    null,
    2,
  );

test.each([
  [
    'answer before reason',
    record({ answer: true, reason: 'again' }, { answer: false, reason: 'no' }),
    true,
  ],
  [
    'reason before answer',
    record({ reason: 'the "same" page', answer: true }, { reason: 'no', answer: false }),
    true,
  ],
  ['bare values', record(true, false), true],
  ['within other words', `Updated ledger:\n\`\`\`json\n${record(true, false)}\n\`\`\``, true],
  ['no word on progress', '{"is_in_loop": {"answer": true}}', true],
  [
    'in a loop that gets on',
    record({ answer: true, reason: 'again' }, { answer: true, reason: 'other pages' }),
    false,
  ],
  [
    'in no loop',
    record({ answer: false, reason: 'true progress' }, { answer: true, reason: 'yes' }),
    false,
  ],
  ['the last of two records', `${record(true, false)}\n${record(false, true)}`, false],
  ['a record that is cut off', '{"is_in_loop": {"reason": "we have', null],
  ['an answer that is none', '{"is_in_loop": {"answer": "maybe"}}', null],
  ['no record', 'I am in a loop.', null],
])('%s', (_, text, expected) => {
  expect(reportsLoop(text)).toBe(expected);
});
