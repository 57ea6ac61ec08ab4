import { describe, expect, it } from 'vitest';
import type { Detector, Status } from '../detectors/detector.ts';
import { hear } from './hear.ts';
import type { Sighting } from './moment.ts';

const sighting = (name: string, status: Status, changes: Partial<Detector> = {}): Sighting => ({
  detector: {
    name,
    status,
    watches: [],
    rungs: { first: 'note', highest: 'stop' },
    options: {},
    declared: {},
    moves: [],
    start: () => ({}),
    step: () => null,
    explain: () => '',
    ...changes,
  },
  evidence: { variant: 'v', count: 3, since: 0, keys: [name], strength: 1, facts: {} },
});
const FIRM = sighting('firm', 'stable');
const NET = sighting('net', 'stable', { yields: true });
const WITNESS = sighting('witness', 'stable', { variants: { v: 'witness' } });
const TRIAL = sighting('trial', 'trial');

/** What is heard, and after a slash what is not. */
function steps(...given: [tick: number, ...sightings: Sighting[]][]): string[] {
  const session = { spoke: null as number | null };
  const names = (some: readonly Sighting[]): string =>
    some.map(({ detector }) => detector.name).join(' ');
  return given.map(([tick, ...sightings]) => {
    const { heard, unheard } = hear(session, sightings, tick);
    return `${names(heard)}/${names(unheard)}`;
  });
}

describe('which signals count', () => {
  it('does not include a safety net while a stable detector speaks and for three steps after', () => {
    expect(steps([0, NET], [1, FIRM, NET], [4, NET], [5, NET])).toEqual([
      'net/',
      'firm/',
      '/',
      'net/',
    ]);
  });

  it('includes a witness only if a stable detector speaks at the same step or up to three steps before', () => {
    expect(steps([0, WITNESS], [1, FIRM, WITNESS], [4, WITNESS], [5, WITNESS])).toEqual([
      '/witness',
      'firm witness/',
      'witness/',
      '/witness',
    ]);
  });

  it('does not include a witness that has only a safety net for company, another witness or a trial', () => {
    expect(steps([0, WITNESS, NET, TRIAL], [1, WITNESS, WITNESS])).toEqual([
      'net trial/witness',
      '/witness witness',
    ]);
  });

  it('includes a safety net together with a trial or a witness', () => {
    expect(steps([0, TRIAL, NET], [1, WITNESS, NET])).toEqual(['trial net/', 'net/witness']);
  });
});
