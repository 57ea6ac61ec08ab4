import { readFileSync } from 'node:fs';
import type { AgentEvent } from '@unrut/engine/event';
import { createSource } from '@unrut/logs/importers/source';
import type { Importer } from '@unrut/reading/importer';
import { createRecordReader } from '../../packages/logs/src/scan/records.ts';

const FIXTURES = new URL('../fixtures/transcripts/', import.meta.url);

/** The records of a fixture, cut as a scan cuts them. */
export function recordsOf(fixture: string): unknown[] {
  const records: unknown[] = [];
  const reader = createRecordReader({
    record: (value) => void records.push(value),
    broken: (why) => {
      throw new Error(`${fixture}: ${why}`);
    },
  });
  reader.write(readFileSync(new URL(fixture, FIXTURES)));
  reader.end();
  return records;
}

export interface ImportedFile {
  events: { step: number; event: AgentEvent }[];
  unknown: string[];
}

/** The result of importing records. */
export function importRecords(
  importer: Importer,
  records: readonly unknown[],
  name = 'file',
): ImportedFile {
  const file: ImportedFile = { events: [], unknown: [] };
  const reading = importer.open(
    createSource(name, {
      event: ({ step, event }) => void file.events.push({ step, event }),
      unknown: (kind) => void file.unknown.push(kind),
    }),
  );
  for (const record of records) reading.read(record);
  reading.end?.();
  return file;
}

export const importFixture = (importer: Importer, fixture: string): ImportedFile =>
  importRecords(importer, recordsOf(fixture), fixture.replace(/\..*/, ''));

/** One line per event: its step, type and subject. */
export const outline = ({ events }: ImportedFile): string[] =>
  events.map(({ step, event }) => {
    const who = event.agent === undefined ? '' : `${event.agent} `;
    switch (event.type) {
      case 'call-proposed':
        return `${step} ${who}calls ${event.call.tool} ${JSON.stringify(event.call.args)}`;
      case 'call-finished': {
        const { call, result, error, exitCode, refusedBy } = event;
        const failed =
          error === undefined || error === false ? '' : ` error ${JSON.stringify(error)}`;
        const marks = `${failed}${exitCode === undefined ? '' : ` exit ${exitCode}`}${refusedBy === undefined ? '' : ` refused by ${refusedBy}`}`;
        return `${step} ${who}${call.tool} returns ${JSON.stringify(result) ?? 'nothing known'}${marks}`;
      }
      case 'text-added':
        return `${step} ${who}${event.channel === 'thinking' ? 'thinks' : 'says'} ${JSON.stringify(event.text)}`;
      case 'user-spoke':
        return `${step} ${who}person ${JSON.stringify(event.text)}`;
      default:
        return `${step} ${who}${event.type}`;
    }
  });

/**
 * How many calls, results, failures among them, and messages (of a person or the agent) an importer
 * found.
 */
export interface Contents {
  calls: number;
  results: number;
  errors: number;
  messages: number;
}

/** The content of each sample, also counted by `count-raw.ts`. */
export const SAMPLES = JSON.parse(
  readFileSync(new URL('../fixtures/contents.json', import.meta.url), 'utf8'),
) as Record<string, Contents>;

/** The importer that a sample is named after: the longest name that it begins with. */
export const sampleOwner = (sample: string, names: readonly string[]): string | undefined =>
  names
    .filter((name) => sample.startsWith(name))
    .sort((one, other) => other.length - one.length)[0];

export function contentsOf({ events }: ImportedFile): Contents {
  const finished = events.flatMap(({ event }) => (event.type === 'call-finished' ? [event] : []));
  const isFailed = ({ error, exitCode, refusedBy }: (typeof finished)[number]): boolean =>
    (error !== undefined && error !== false) ||
    (exitCode !== undefined && exitCode !== 0) ||
    refusedBy !== undefined;
  const proposed = events.flatMap(({ event }) =>
    event.type === 'call-proposed' ? [event.call.id] : [],
  );
  return {
    calls: proposed.length + finished.filter(({ call }) => !proposed.includes(call.id)).length,
    results: finished.filter((event) => event.result !== undefined || isFailed(event)).length,
    errors: finished.filter(isFailed).length,
    messages: events.filter(
      ({ event }) =>
        event.type === 'user-spoke' || (event.type === 'text-added' && event.channel === 'answer'),
    ).length,
  };
}
