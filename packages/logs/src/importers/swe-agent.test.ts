import { behavesWell } from '@unrut/test/importers/behaves-well';
import { importFixture, outline, recordsOf } from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { sweAgent } from './swe-agent/swe-agent.ts';
import { actionCall } from './swe-agent/swe-agent-action.ts';

const FIXTURES = ['swe-agent.json', 'swe-agent-attempts.json'];

describe('SWE-agent', () => {
  behavesWell(sweAgent, FIXTURES, [
    {
      trajectory: [null, 3, { action: 'ls', observation: null, response: 3 }],
      history: 3,
      info: null,
    },
    { trajectory: [{ action: 'ls', observation: '', thought: '', state: 'no json' }] },
  ]);
  survivesSpoiling(sweAgent, FIXTURES);

  it('reads commands as calls of its tools, and of the shell', () => {
    expect(outline(importFixture(sweAgent, 'swe-agent.json'))).toEqual([
      '0 person "ISSUE: the sum is wrong."',
      '1 thinks "I look for the file."',
      '1 calls find_file {"text":"\\"sum.py\\""}',
      '1 find_file returns "Found 1 matches for \\"sum.py\\":\\n/home/dev/project/sum.py\\n"',
      '2 thinks "I open it."',
      '2 calls open {"path":"sum.py","line_number":4}',
      '2 open returns "[File: /home/dev/project/sum.py (10 lines total)]"',
      '3 thinks "I mend the sum."',
      '3 calls edit {"path":"/home/dev/project/sum.py","start_line":4,"end_line":5,"replacement":"def add(a, b):\\n    return a + b"}',
      '3 edit returns "File updated."',
      '4 says "I think that is it."',
      '5 thinks "I run it."',
      '5 calls bash {"command":"python sum.py"}',
      '5 bash returns "3\\n"',
      '6 thinks "Done."',
      '6 calls submit {}',
      '6 submit returns "\\ndiff --git a/sum.py b/sum.py\\n"',
      '7 session-ended',
    ]);
  });

  it('reads each attempt as a run, with calls in the words of the model where the history has them', () => {
    const { events } = importFixture(sweAgent, 'swe-agent-attempts.json');
    const calls = events.flatMap(({ event }) =>
      event.type === 'call-proposed'
        ? [[event.session.slice(-9), event.call.tool, event.call.args]]
        : [],
    );
    const path = '/home/dev/project/sum.py';
    expect(calls.slice(0, 4)).toEqual([
      ['attempt-1', 'str_replace_editor', { command: 'view', path }],
      ['attempt-1', 'edit', { path, search: 'a - b', replace: 'a + b' }],
      [
        'attempt-1',
        'str_replace_editor',
        { command: 'str_replace', path, options: "--old_str 'a' --new_str 'b'" },
      ],
      ['attempt-2', 'str_replace_editor', { command: 'view', path }],
    ]);
    const attempts = (
      recordsOf('swe-agent-attempts.json')[0] as { attempts: { trajectory: unknown[] }[] }
    ).attempts;
    expect(calls).toHaveLength(
      attempts.reduce((sum, { trajectory }) => sum + trajectory.length, 0),
    );
  });

  it('tells how long a step took, how the run ended and what it cost in all', () => {
    const { events } = importFixture(sweAgent, 'swe-agent-attempts.json');
    const finished = events.find(({ event }) => event.type === 'call-finished');
    expect(finished!.event).toMatchObject({ durationMs: 250 });
    expect(importFixture(sweAgent, 'swe-agent.json').events.at(-1)!.event).toMatchObject({
      outcome: 'submitted',
      cost: { tokens: 9300, usd: 0.5 },
    });
  });

  it.each<[string, string, unknown]>([
    ['ls -la\n', 'bash', { command: 'ls -la' }],
    ['openssl version', 'bash', { command: 'openssl version' }],
    ['goto 12', 'goto', { path: '/a.py', text: '12' }],
    ['scroll_down\n', 'scroll_down', { path: '/a.py' }],
    ['open "my file.py"', 'open', { path: 'my file.py' }],
    ['create b.py', 'create', { path: 'b.py' }],
    [
      'edit 3:3\nend_of_edit',
      'edit',
      { path: '/a.py', start_line: 3, end_line: 3, replacement: '' },
    ],
    ['edit "old" "new"', 'edit', { path: '/a.py', text: '"old" "new"' }],
    ['search_dir "def add" src', 'search_dir', { text: '"def add" src' }],
    ['cat <<EOF > a.py\nedit 1:2\nEOF', 'bash', { command: 'cat <<EOF > a.py\nedit 1:2\nEOF' }],
  ])('reads %j as a call of %s', (action, tool, args) => {
    expect(actionCall(action, '/a.py')).toEqual({ tool, args });
  });
});
