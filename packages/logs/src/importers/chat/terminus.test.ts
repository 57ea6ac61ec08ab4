import { importFixture, importRecords, outline } from '@unrut/test/importers/import-file';
import { expect, it } from 'vitest';
import { openaiMessages } from './chat-messages.ts';
import { textCalls } from './text-calls.ts';

it('the keystrokes of Terminus are calls, and what the terminal shows are their results', () => {
  expect(outline(importFixture(textCalls, 'text-calls-terminus.json'))).toEqual([
    expect.stringMatching(/^0 person "You are an AI assistant/),
    '1 thinks "Nothing is known yet.\\nLook, then mend."',
    '1 calls bash {"command":"cd /app\\nls"}',
    expect.stringMatching(/^1 bash returns "New Terminal Output:.*b\.ts"$/),
    '2 thinks "Two files.\\nLook, then mend."',
    '2 calls bash {"command":"make"}',
    expect.stringMatching(/^2 bash returns ".*Error 2"$/),
    '3 thinks "It goes on.\\nLook, then mend."',
    '3 calls wait {}',
    expect.stringMatching(/^3 wait returns "New Terminal Output:/),
    expect.stringMatching(/^4 says .*task_complete/),
  ]);
});

it('keystrokes in tags are calls too', () => {
  const typed = (keys: string) => ({
    role: 'assistant',
    content: `<response>\n<commands>\n<keystrokes duration="0.1">${keys}\n</keystrokes>\n</commands>\n</response>`,
  });
  const shown = { role: 'user', content: 'New Terminal Output:\n\nx' };
  const records = [{ role: 'user', content: 'Go.' }, typed('ls'), shown, typed('pwd'), shown];
  expect(textCalls.recognises(records)).toBe(true);
  expect(outline(importRecords(textCalls, records)).filter((line) => /calls/.test(line))).toEqual([
    '1 calls bash {"command":"ls"}',
    '2 calls bash {"command":"pwd"}',
  ]);
});

it('an answer about commands in JSON is no call', () => {
  const records = [
    { role: 'user', content: 'What does it want?' },
    { role: 'assistant', content: 'A list under `"commands": ["ls"]`, and no keystrokes.' },
  ];
  expect(textCalls.recognises(records)).toBe(false);
  expect(openaiMessages.recognises(records)).toBe(true);
});
