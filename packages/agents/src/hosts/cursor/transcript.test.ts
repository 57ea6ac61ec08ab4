import { behavesWell } from '@unrut/test/importers/behaves-well';
import { importFixture, outline } from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { cursorTranscript } from './transcript.ts';

describe("Cursor's transcripts", () => {
  behavesWell(
    cursorTranscript,
    ['cursor.jsonl'],
    [
      { role: 'assistant', message: {} },
      { role: 'assistant', message: { content: [null, 3, {}, { type: 'tool_use' }] } },
      { role: 'user', message: { content: [] } },
    ],
  );

  it('tell of messages and calls, and do not know their outcomes', () => {
    expect(outline(importFixture(cursorTranscript, 'cursor.jsonl'))).toEqual([
      '0 person "the test fails, please fix add.js"',
      '1 says "I look at both files.\\n\\nThe test calls add, so I read both."',
      '2 calls Read {"path":"/home/dev/project/add.js"}',
      '3 calls Read {"path":"/home/dev/project/test.mjs"}',
      '2 Read returns nothing known',
      '3 Read returns nothing known',
      '4 calls Shell {"command":"node test.mjs","description":"Run the test"}',
      '4 Shell returns nothing known',
      '5 calls Shell {"command":"node test.mjs","description":"Run the test again"}',
      '5 Shell returns nothing known',
      '6 calls StrReplace {"path":"/home/dev/project/add.js","old_string":"a - b","new_string":"a + b"}',
      '6 StrReplace returns nothing known',
      '7 says "Done: add adds."',
      '8 person "[Image]\\nIs this what you meant?"',
      '9 says "Yes."',
    ]);
  });

  it('put the calls of one message into one batch', () => {
    const { events } = importFixture(cursorTranscript, 'cursor.jsonl');
    const batches = events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event.batch] : [],
    );
    expect([batches[0] === batches[1], new Set(batches).size]).toEqual([true, 4]);
  });
});
