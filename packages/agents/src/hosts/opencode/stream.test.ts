import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { opencodeStream } from './stream.ts';
import { opencodeTranscript } from './transcript.ts';

describe('the stream of OpenCode', () => {
  behavesWell(
    opencodeStream,
    ['opencode-stream.jsonl'],
    [
      { type: 'tool_use', part: {} },
      { type: 'tool_use', sessionID: 3, part: { type: 'tool', messageID: 'm', state: null } },
      { type: 'text', part: { type: 'text' } },
      { type: 'step_finish', part: { tokens: { input: 'x' } } },
    ],
  );

  it('tells what the export of the same session tells, but for what the person asked', () => {
    const withoutStep = (line: string): string => line.replace(/^\d+ /, '');
    const exported = outline(importFixture(opencodeTranscript, 'opencode.json')).filter(
      (line) => !line.includes(' person '),
    );
    const streamed = importFixture(opencodeStream, 'opencode-stream.jsonl');
    expect(outline(streamed).map(withoutStep)).toEqual(exported.map(withoutStep));
  });

  it('puts what a response cost on its first event', () => {
    const spent = ({ events }: ReturnType<typeof importFixture>) =>
      events.flatMap(({ event }) => (event.cost ? [`${event.type} ${event.cost.tokens}`] : []));
    const streamed = importFixture(opencodeStream, 'opencode-stream.jsonl');
    expect(spent(streamed)).toEqual(spent(importFixture(opencodeTranscript, 'opencode.json')));
    expect(streamed.events[0]!.event.cost).toEqual({ tokens: 224, usd: 0.000326 });
  });

  it('ends with an error that is no step, and keeps what came before', () => {
    const records = recordsOf('opencode-stream.jsonl').slice(0, 4);
    const error = {
      type: 'error',
      timestamp: 1,
      sessionID: 'ses_1',
      error: { name: 'UnknownError', data: { message: 'no' } },
    };
    expect(importRecords(opencodeStream, [...records, error])).toMatchObject({
      unknown: [],
      events: { length: 4 },
    });
  });
});
