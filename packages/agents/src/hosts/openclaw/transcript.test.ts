import { behavesWell } from '@unrut/test/importers/behaves-well';
import { importFixture, importRecords, outline } from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { piTranscript } from '../pi/transcript.ts';
import { openclaw } from './host.ts';
import { openclawTranscript } from './transcript.ts';

const header = { type: 'session', version: 3, id: 's', cwd: '/w' };
const entry = (id: string, parentId: string | null, message: object) => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2026-04-08T19:00:00Z',
  message: { ...message, timestamp: 1 },
});
const calls = (id: string, name: string, args: object) => ({
  role: 'assistant',
  content: [{ type: 'toolCall', id, name, arguments: args }],
});
const returns = (toolCallId: string, toolName: string, text: string, more: object = {}) => ({
  role: 'toolResult',
  toolCallId,
  toolName,
  content: [{ type: 'text', text }],
  isError: false,
  ...more,
});
const asked = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

/** Reads one tool call and its result. */
const read = (tool: string, text: string, more: object = {}, importer = openclawTranscript) =>
  outline(
    importRecords(importer, [
      header,
      entry('a', null, calls('c', tool, {})),
      entry('b', 'a', returns('c', tool, text, more)),
    ]),
  ).at(-1);

describe("OpenClaw's sessions", () => {
  behavesWell(
    openclawTranscript,
    ['openclaw.jsonl'],
    [
      { type: 'custom', customType: 3 },
      entry('a', 'missing', { role: 'toolResult', toolName: 3, content: '{"status":"error"}' }),
      entry('a', 'a', asked('x')),
    ],
  );

  it('are read along the active branch, with every failure', () => {
    expect(outline(importFixture(openclawTranscript, 'openclaw.jsonl'))).toEqual([
      '0 person "Mend the build."',
      '1 says "I run the tests."',
      '2 calls exec {"command":"npm test"}',
      '2 exec returns "1 failed: page.test.ts" exit 1',
      expect.stringMatching(/^3 calls edit .*src\/page\.ts/),
      expect.stringMatching(/^3 edit returns .*Could not find the exact text.* error true$/),
      '4 calls exec {"command":"npm run build","background":true}',
      expect.stringMatching(/^4 exec returns "Command still running .*"$/),
      '5 calls process {"action":"poll","sessionId":"calm-reef"}',
      '5 process returns "error TS2322 in src/page.ts" exit 2',
      '6 calls process {"action":"poll","sessionId":"calm-reef"}',
      '6 process returns "No session found for calm-reef" error true',
      '7 context-compacted',
      '7 calls exec {"command":"npm test"}',
      '7 exec returns "all passed"',
      '8 says "The build is mended."',
    ]);
  });

  it.each([
    ['exec', 'no\n\n(Command exited with code 2)', {}, '0 exec returns "no" exit 2'],
    ['exec', '(no output)\n\n(Command exited with code 1)', {}, '0 exec returns "" exit 1'],
    ['exec', 'no', { details: { status: 'completed', exitCode: 3 } }, '0 exec returns "no" exit 3'],
    ['process', 'x\n\nProcess exited with code 1.', {}, '0 process returns "x" exit 1'],
    ['process', 'x\nProcess exited with signal SIGTERM.', {}, '0 process returns "x" error true'],
    [
      'process',
      'No session found for 7',
      {},
      '0 process returns "No session found for 7" error true',
    ],
    ['process', 'gone', { details: { status: 'failed' } }, '0 process returns "gone" error true'],
  ])('tell that %s failed: %j', (tool, text, more, told) => {
    expect(read(tool, text, more)).toBe(told);
  });

  it.each([
    ['read', 'The log ends so:\n(Command exited with code 1)', {}],
    ['read', '{"status": "ok", "error": null}', {}],
    ['exec', 'see "(Command exited with code 1)" above', {}],
    ['exec', 'fine', { details: { status: 'completed', exitCode: 0 } }],
  ])('tell no failure of %s that returned %j', (tool, text, more) => {
    expect(read(tool, text, more)).toMatch(/returns ".*"(?: exit 0)?$/);
  });

  it('tell a refused edit also in a session that looks like one of pi', () => {
    const refused = '{"status":"error","tool":"edit","error":"Could not find the exact text"}';
    expect(read('edit', refused, {}, piTranscript)).toMatch(/error true$/);
  });

  it('do not tell the prompt again that is sent after a compaction', () => {
    const compaction = { type: 'compaction', id: 'k', parentId: 'a', summary: 's' };
    const after = (text: string, importer = openclawTranscript) =>
      outline(
        importRecords(importer, [
          header,
          entry('a', null, asked('fix it')),
          compaction,
          entry('b', 'k', asked(text)),
        ]),
      );
    expect(after('fix it')).toEqual(['0 person "fix it"', '1 context-compacted']);
    expect(after('and now this')).toContain('1 person "and now this"');
    expect(after('fix it', piTranscript)).toContain('1 person "fix it"');
  });

  it('lie in a database of each agent, and in a folder in older versions', () => {
    const at = { home: '/home/dev', project: '/p', platform: 'linux', variables: {} } as const;
    expect(openclaw.runs?.(at)).toEqual([
      '/home/dev/.openclaw/agents/*/agent/openclaw-agent.sqlite',
      '/home/dev/.openclaw/agents/*/sessions/*.jsonl',
      '/home/dev/.clawdbot/agents/*/agent/openclaw-agent.sqlite',
      '/home/dev/.clawdbot/agents/*/sessions/*.jsonl',
    ]);
    expect(openclaw.runs?.({ ...at, variables: { OPENCLAW_STATE_DIR: '/state' } })).toEqual([
      '/state/agents/*/agent/openclaw-agent.sqlite',
      '/state/agents/*/sessions/*.jsonl',
    ]);
  });
});

describe('the tree of a session', () => {
  const step = (n: number, parent: string | null, name = `f${n}`) => [
    entry(`a${n}`, parent, calls(`c${n}`, 'read', { path: name })),
    entry(`r${n}`, `a${n}`, returns(`c${n}`, 'read', name)),
  ];
  const paths = (records: readonly unknown[], importer = piTranscript) =>
    importRecords(importer, records).events.flatMap(({ event }) =>
      event.type === 'call-finished' ? [(event.call.args as { path: string }).path] : [],
    );

  it('has steps on the active branch only', () => {
    const records = [header, ...step(1, null), ...step(2, 'r1'), ...step(3, 'r1')];
    expect(paths(records)).toEqual(['f1', 'f3']);
    expect(paths(records, openclawTranscript)).toEqual(['f1', 'f3']);
  });

  it('counts a copied call once, though the new branch repeats its id', () => {
    const copy = step(2, 'r1').map((each, i) =>
      i === 0 ? { ...each, id: 'a9' } : { ...each, id: 'r9', parentId: 'a9' },
    );
    expect(paths([header, ...step(1, null), ...step(2, 'r1'), ...copy])).toEqual(['f1', 'f2']);
  });

  it('is the whole file if nobody went back', () => {
    expect(paths([header, ...step(1, null), ...step(2, 'r1'), ...step(3, 'r2')])).toEqual([
      'f1',
      'f2',
      'f3',
    ]);
  });

  it('has its compactions, also if the next entry follows from the one before', () => {
    const compaction = { type: 'compaction', id: 'k', parentId: 'r1', summary: 's' };
    const records = [header, ...step(1, null), compaction, ...step(2, 'r1')];
    expect(outline(importRecords(piTranscript, records))).toContain('1 context-compacted');
  });

  it('is read in order if a parent is missing', () => {
    expect(paths([header, ...step(1, null), ...step(2, 'gone')])).toEqual(['f1', 'f2']);
  });

  it('is read in order if a result does not follow from its call', () => {
    const flat = [...step(1, null), ...step(2, null)].map((each) => ({ ...each, parentId: 'u' }));
    expect(paths([header, entry('u', null, asked('x')), ...flat])).toEqual(['f1', 'f2']);
  });

  it('is read in order if ids repeat', () => {
    const again = [...step(1, null), ...step(2, null)].map((each) => ({ ...each, id: 'e' }));
    expect(paths([header, ...again])).toEqual(['f1', 'f2']);
  });

  it('ends with its session, if the file holds several', () => {
    const other = { ...header, id: 'other' };
    expect(paths([header, ...step(1, null), other, ...step(2, null)])).toEqual(['f1', 'f2']);
  });
});
