import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { opencodeTranscript } from './transcript.ts';

interface Part {
  type: string;
  text?: string;
  callID?: string;
  synthetic?: boolean;
}
interface Session {
  info: { id: string };
  messages: { info: { role: string; cost?: number }; parts: Part[] }[];
}

const sessionIn = (fixture: string): Session => recordsOf(fixture)[0] as Session;
const partsOf = (fixture: string, role: string): Part[] =>
  sessionIn(fixture).messages.flatMap(({ info, parts }) => (info.role === role ? parts : []));
const lines = (fixture: string): string[] => outline(importFixture(opencodeTranscript, fixture));

describe('sessions of OpenCode', () => {
  behavesWell(
    opencodeTranscript,
    ['opencode.json', 'opencode-nested.json', 'opencode-compacted.json'],
    [
      { info: {}, messages: [{}] },
      {
        info: { id: 'ses_1' },
        messages: [
          null,
          3,
          {
            info: { role: 'assistant' },
            parts: [null, {}, { type: 'tool' }, { type: 'tool', state: 3 }],
          },
        ],
      },
      {
        info: { role: 'assistant' },
        parts: [
          { type: 'tool', tool: 'invalid', state: { status: 'completed' } },
          { type: 'step-finish', tokens: 3 },
        ],
      },
      { info: { role: 'user' }, parts: [{ type: 'text' }, { type: 'subtask' }] },
      { info: { role: 'system' }, parts: [] },
    ],
  );

  it('lose no call, no message and no cost', () => {
    const { events } = importFixture(opencodeTranscript, 'opencode.json');
    const said = partsOf('opencode.json', 'assistant');
    const ids = said.filter(({ type }) => type === 'tool').map(({ callID }) => callID);
    expect(
      events.flatMap(({ event }) => (event.type === 'call-proposed' ? [event.call.id] : [])),
    ).toEqual(ids);
    expect(
      events.flatMap(({ event }) => (event.type === 'call-finished' ? [event.call.id] : [])).sort(),
    ).toEqual([...ids].sort());
    expect(events.filter(({ event }) => event.type === 'text-added')).toHaveLength(
      said.filter(({ type }) => type === 'text' || type === 'reasoning').length,
    );
    expect(events.filter(({ event }) => event.type === 'user-spoke')).toHaveLength(2);
    const usd = sessionIn('opencode.json').messages.reduce(
      (sum, { info }) => sum + (info.cost ?? 0),
      0,
    );
    expect(events.reduce((sum, { event }) => sum + (event.cost?.usd ?? 0), 0)).toBeCloseTo(usd, 9);
    expect(events.find(({ event }) => event.cost)?.event.cost).toEqual({
      tokens: 202 + 17 + 5,
      usd: 0.000326,
    });
  });

  it('tell what was called and what came back', () => {
    expect(lines('opencode.json')).toEqual(
      expect.arrayContaining([
        '1 thinks "Let me look at both files first."',
        '1 says "I look at both files."',
        '4 calls bash {"command":"node test.mjs","description":"Run the test"}',
        '4 bash returns "FAIL add(1, 2) = -1\\n" exit 1',
        '14 edit returns "Edit applied successfully."',
      ]),
    );
  });

  it.each([
    [6, undefined],
    [7, 'schema'],
    [8, 'unknown-tool'],
    [9, 'schema'],
    [11, 'host'],
    [12, 'user'],
  ])('tell that call %i failed, and refused by whom', (step, refusedBy) => {
    const { events } = importFixture(opencodeTranscript, 'opencode.json');
    const event = events.find(
      (each) => each.step === step && each.event.type === 'call-finished',
    )?.event;
    expect(event).toMatchObject({ error: true, durationMs: expect.any(Number) });
    expect(event).toHaveProperty(
      'call.tool',
      { 8: 'run_tests', 9: 'read' }[step] ?? expect.any(String),
    );
    expect((event as { refusedBy?: string }).refusedBy).toBe(refusedBy);
  });

  it('put parallel calls into one batch, and let them return as they are done', () => {
    const { events } = importFixture(opencodeTranscript, 'opencode.json');
    const batches = events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event.batch] : [],
    );
    expect(batches[0]).toBe(batches[1]);
    expect(new Set(batches).size).toBe(batches.length - 1);
    expect(
      lines('opencode.json')
        .slice(3, 7)
        .map((line) => line.slice(0, 7)),
    ).toEqual(['2 calls', '3 calls', '3 read ', '2 read ']);
  });

  it('belong to the session that started them, in which nobody types', () => {
    const { events } = importFixture(opencodeTranscript, 'opencode-nested.json');
    const { id } = sessionIn('opencode-nested.json').info;
    expect(new Set(events.map(({ event }) => `${event.session}/${event.agent}`))).toEqual(
      new Set([`${sessionIn('opencode.json').info.id}/${id}`]),
    );
    expect(events.map(({ event }) => event.type)).not.toContain('user-spoke');
  });

  it('tell what a person typed and ran, and when the history was summarised', () => {
    expect(lines('opencode-compacted.json')).toEqual([
      '0 person "run the test"',
      '1 calls bash {"command":"node test.mjs","description":"Run the test"}',
      '1 bash returns "ok\\n" exit 0',
      '2 says "It is fine."',
      '3 person "!ls"',
      '4 context-compacted',
      '4 person "and now?"',
      '5 says "It is fine."',
      '6 person "look"',
      '7 calls task {"prompt":"look","description":"look","subagent_type":"general"}',
      expect.stringContaining('7 task returns "<task id='),
      '8 says "Yes 4."',
    ]);
  });

  it('are read alike from a list of their messages', () => {
    const { messages } = sessionIn('opencode.json');
    expect(outline(importRecords(opencodeTranscript, messages))).toEqual(lines('opencode.json'));
  });

  it('split an old message into its responses', () => {
    const call = (callID: string) => ({
      type: 'tool',
      tool: 'read',
      callID,
      state: { status: 'completed', input: {}, output: '' },
    });
    const parts = [
      { type: 'step-start' },
      call('a'),
      call('b'),
      { type: 'step-finish' },
      { type: 'step-start' },
      call('c'),
      { type: 'step-finish' },
    ];
    const { events } = importRecords(opencodeTranscript, [
      { info: { id: 'ses_1' }, messages: [{ info: { id: 'msg_1', role: 'assistant' }, parts }] },
    ]);
    const batches = events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event.batch] : [],
    );
    expect(batches).toEqual([batches[0], batches[0], expect.not.stringMatching(batches[0]!)]);
  });
});

it('a result belongs to the call of its part, though ids repeat', () => {
  const tool = (filePath: string, end: number) => ({
    type: 'tool',
    callID: 'REDACTED',
    tool: 'read',
    state: { status: 'completed', input: { filePath }, output: filePath, time: { start: 1, end } },
  });
  const message = (...parts: object[]) => ({ info: { role: 'assistant', id: 'm' }, parts });
  const open = { ...tool('open', 1), state: { status: 'running', input: { filePath: 'open' } } };
  const told = outline(
    importRecords(opencodeTranscript, [
      message(tool('a', 9), tool('b', 8)),
      message(open),
      message(tool('c', 20), tool('d', 21)),
    ]),
  ).filter((line) => line.includes('returns'));
  expect(told).toEqual([
    '1 read returns "b"',
    '0 read returns "a"',
    '3 read returns "c"',
    '4 read returns "d"',
  ]);
});
