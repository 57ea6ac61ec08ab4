import { readFileSync } from 'node:fs';
import type { AgentEvent } from '../../src/event.ts';
import type { Importer } from '../../src/hosts/reading/importer.ts';
import { createSource } from '../../src/importers/source.ts';

const FIXTURES = new URL('../fixtures/transcripts/', import.meta.url);

/** The records of a fixture: the lines of JSON lines, the elements of an array, or the one object that it is. */
export function recordsOf(fixture: string): unknown[] {
  const text = readFileSync(new URL(fixture, FIXTURES), 'utf8');
  if (!fixture.endsWith('.jsonl')) {
    const document: unknown = JSON.parse(text);
    return Array.isArray(document) ? document : [document];
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown);
}

export interface ImportedFile {
  events: { step: number; event: AgentEvent }[];
  unknown: string[];
}

/** What an importer makes of records. */
export function importRecords(importer: Importer, records: readonly unknown[], name = 'file'): ImportedFile {
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

/** One line an event: its step, type, and what it is about. */
export const outline = ({ events }: ImportedFile): string[] =>
  events.map(({ step, event }) => {
    const who = event.agent === undefined ? '' : `${event.agent} `;
    switch (event.type) {
      case 'call-proposed':
        return `${step} ${who}calls ${event.call.tool} ${JSON.stringify(event.call.args)}`;
      case 'call-finished': {
        const { call, result, error, exitCode, refusedBy } = event;
        const failed = error === undefined || error === false ? '' : ` error ${JSON.stringify(error)}`;
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
