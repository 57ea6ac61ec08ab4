import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';
import { createSource, type Imported } from '@unrut/logs/importers/source';
import { neutralSteps } from '../../packages/logs/src/importers/neutral-steps.ts';
import { readLabel, wrong } from './label.ts';
import type { Run } from './run.ts';

/**
 * Reads the labels of a folder: its own, or those of each folder in it. Every label must have its
 * trajectory.
 */
export function readCorpus(folder: string): Run[] {
  const sets = setsIn(folder);
  if (sets.length === 0) {
    throw new UnrutError(
      'usage',
      `${folder} holds no labels.jsonl, nor does a folder in it. Expected labels.jsonl and trajectories/.`,
    );
  }
  return sets.flatMap(readSet);
}

function setsIn(folder: string): string[] {
  const isSet = (path: string): boolean => existsSync(join(path, 'labels.jsonl'));
  if (isSet(folder)) return [folder];
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isSet(join(folder, entry.name)))
    .map((entry) => join(folder, entry.name))
    .sort();
}

function readSet(folder: string): Run[] {
  const set = basename(resolve(folder));
  const seen = new Set<string>();
  return linesOf(join(folder, 'labels.jsonl')).map(({ value, where }) => {
    const { id, source, round, truth } = readLabel(value, where, set);
    if (seen.has(id)) throw wrong(where, 'one label for each id', id);
    seen.add(id);
    const file = join(folder, 'trajectories', `${id}.jsonl`);
    const steps = linesOf(file).length;
    const stretches = truth.kind === 'spans' ? [...truth.loops, ...truth.borderline] : [];
    const late = stretches.find(({ end }) => end >= steps);
    if (late) throw wrong(where, `steps under ${steps}, as many as ${id} has`, late.end);
    return { id: `${set}/${id}`, source, round, steps, truth, file };
  });
}

/** The events of a run, each with its step, as the importer makes them for every command. */
export function readEvents({ id, file }: Pick<Run, 'id' | 'file'>): Imported[] {
  const events: Imported[] = [];
  let where = '';
  const reading = neutralSteps.open(
    createSource(id, {
      event: (imported) => void events.push(imported),
      unknown(kind) {
        throw wrong(where, 'a step of kind tool_call, ui_action or message', kind);
      },
    }),
  );
  for (const [i, line] of linesOf(file).entries()) {
    where = line.where;
    const given = (line.value as { i?: unknown } | null)?.i;
    if (given !== i) throw wrong(where, `i ${i}`, given);
    reading.read(line.value);
  }
  reading.end?.();
  return events;
}

interface Line {
  value: unknown;
  /** File and line, for messages. */
  where: string;
}

function linesOf(file: string): Line[] {
  const lines: Line[] = [];
  for (const [i, text] of read(file).split('\n').entries()) {
    if (text.trim() === '') continue;
    const where = `${file}:${i + 1}`;
    try {
      lines.push({ value: JSON.parse(text) as unknown, where });
    } catch {
      throw wrong(where, 'JSON', text);
    }
  }
  return lines;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnrutError(
      'unreadable',
      `Cannot read ${file}: ${code ?? message}. Every label needs trajectories/<id>.jsonl beside it.`,
    );
  }
}
