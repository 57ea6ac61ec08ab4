import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { qwenCodeTranscript } from './transcript.ts';

const FIXTURE = 'qwen-code.jsonl';

interface Record {
  type: string;
  message?: {
    parts: {
      text?: string;
      thought?: boolean;
      functionCall?: { id: string };
      functionResponse?: { id: string };
    }[];
  };
}
const partsOf = (type: string) =>
  (recordsOf(FIXTURE) as Record[]).flatMap((record) =>
    record.type === type ? (record.message?.parts ?? []) : [],
  );

const record = (type: string, more: object) => ({
  uuid: 'u',
  parentUuid: null,
  sessionId: 's',
  timestamp: '2026-11-16T03:39:34Z',
  type,
  ...more,
});
const user = (more: object = {}) =>
  record('user', { message: { role: 'user', parts: [{ text: 'go on' }] }, ...more });

describe('chats of Qwen Code', () => {
  behavesWell(
    qwenCodeTranscript,
    [FIXTURE],
    [
      record('user', { message: { parts: null } }),
      record('assistant', {
        message: { parts: [null, 3, { functionCall: 3 }, { text: 3 }] },
        usageMetadata: { promptTokenCount: 'x' },
      }),
      record('assistant', {}),
      record('tool_result', { message: { parts: [{ functionResponse: {} }] }, toolCallResult: 3 }),
      record('system', { subtype: 3 }),
    ],
  );
  survivesSpoiling(qwenCodeTranscript, [FIXTURE]);

  it('lose no call, no result and no word', () => {
    const { events } = importFixture(qwenCodeTranscript, FIXTURE);
    const ids = (type: string) =>
      events.flatMap(({ event }) =>
        event.type === type && 'call' in event ? [event.call.id] : [],
      );
    expect(ids('call-proposed')).toEqual(
      partsOf('assistant').flatMap(({ functionCall }) => functionCall?.id ?? []),
    );
    expect(ids('call-finished')).toEqual(
      partsOf('tool_result').flatMap(({ functionResponse }) => functionResponse?.id ?? []),
    );
    const said = events.flatMap(({ event }) => (event.type === 'text-added' ? [event.text] : []));
    expect(said).toEqual(partsOf('assistant').flatMap(({ text }) => text ?? []));
    // Five responses with 110 input tokens, 100 of them cached, and 5 output tokens.
    expect(events.flatMap(({ event }) => event.cost?.tokens ?? [])).toEqual([15, 15, 15, 15, 15]);
  });

  it('tell what was called, its outcome, and why not', () => {
    expect(outline(importFixture(qwenCodeTranscript, FIXTURE))).toEqual(
      expect.arrayContaining([
        '0 person "try it"',
        '2 calls run_shell_command {"command":"ls /nonexistent-dir","description":"probe"}',
        expect.stringMatching(/^2 run_shell_command returns "ls: .* error true exit 2$/),
        expect.stringMatching(/^3 run_shell_command returns "one.* exit 0$/),
        expect.stringMatching(/^5 frobnicate returns .* error true refused by unknown-tool$/),
        `6 read_file returns "params must have required property 'file_path'" error true refused by schema`,
        '7 read_file returns "File not found: /home/dev/project/missing.txt" error true',
        '9 says "All done."',
      ]),
    );
  });

  it('put the calls of one response into one batch', () => {
    const { events } = importFixture(qwenCodeTranscript, FIXTURE);
    const batches = events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event.batch] : [],
    );
    expect(
      [...Map.groupBy(batches, (batch) => batch).values()].map((batch) => batch.length),
    ).toEqual([3, 2, 1, 1]);
  });

  it.each([
    ['a person', user({ provenance: 'real_user' }), ['user-spoke']],
    ['a person, in older versions', user(), ['user-spoke']],
    [
      'a person in the middle of a turn',
      user({ subtype: 'mid_turn_user_message' }),
      ['user-spoke'],
    ],
    ['a timer', user({ subtype: 'cron' }), []],
    ['a notification', user({ subtype: 'notification', provenance: 'system' }), []],
    ['another agent', user({ isSidechain: true, agentId: 'a' }), []],
    [
      'a summary',
      record('system', { subtype: 'chat_compression', systemPayload: {} }),
      ['context-compacted'],
    ],
  ])('know when %s speaks', (_, given, types) => {
    expect(
      importRecords(qwenCodeTranscript, [given]).events.map(({ event }) => event.type),
    ).toEqual(types);
  });

  it('keep nested agents apart', () => {
    const nested = record('assistant', {
      isSidechain: true,
      agentId: 'explore-7',
      message: { parts: [{ text: 'Looking.' }] },
    });
    expect(outline(importRecords(qwenCodeTranscript, [nested]))).toEqual([
      '0 explore-7 says "Looking."',
    ]);
  });
});
