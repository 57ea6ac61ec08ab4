import { join } from 'node:path';
import type { AgentEvent } from '@unrut/engine/event';
import type { ExplainedRun } from '@unrut/logs/explain/read-run';
import { createSource } from '@unrut/logs/importers/source';
import { momentsOf } from '@unrut/testing';
import { root } from './structure/tree.ts';

/** A run as `unrut explain` reads it, written as in the READMEs of the detectors. */
export function runOf(...lines: string[]): ExplainedRun {
  return runFrom(momentsOf(lines).flatMap(({ events }) => events));
}

/** A run of these events. */
export function runFrom(given: readonly AgentEvent[]): ExplainedRun {
  const events: ExplainedRun['events'] = [];
  const source = createSource('trace', {
    event: (each) => void events.push(each),
    unknown: () => {},
  });
  for (const event of given) source.run(event.session, event.agent).observed(event);
  return { id: 'trace', file: 'trace.jsonl', format: 'unrut-events', events, limits: [] };
}

/** The README of a detector. */
export const readmePath = (detector: string): string =>
  join(root, 'packages/engine/src/detectors', detector, 'README.md');
