import { describe, expect, test } from 'vitest';
import { type Detector, defineDetector } from '../detectors/detector.ts';
import { type Capability, RUNGS, type Rung } from '../event.ts';
import { defineRecovery, type Recovery } from '../recoveries/recovery.ts';
import type { Evidence } from '../signal.ts';
import { type LadderConfig, reach, recoveryFor } from './ladder.ts';
import { paceOf } from './ladder-conditions.ts';

const detectorOf = (first: Rung, highest: Rung, status: Detector['status'] = 'stable'): Detector =>
  defineDetector({
    name: 'd',
    status,
    watches: ['call-finished'],
    rungs: { first, highest },
    options: {},
    start: () => ({}),
    step: () => null,
    explain: () => '',
    moves: [],
  });
const evidenceOf = (cap?: Rung): Evidence => ({
  variant: 'v',
  count: 3,
  since: 0,
  keys: ['k'],
  strength: 1,
  equal: true,
  facts: {},
  ...(cap === undefined ? {} : { cap }),
});

describe('the rungs within reach', () => {
  const rows: [string, Detector, Rung | undefined, number, Rung[], string][] = [
    [
      'are those of the detector',
      detectorOf('hint', 'escalate'),
      undefined,
      0,
      [],
      'hint to escalate',
    ],
    ['end at the cap of the evidence', detectorOf('note', 'stop'), 'block', 0, [], 'note to block'],
    [
      'end where the detector ends, when the cap is higher',
      detectorOf('note', 'hint'),
      'block',
      0,
      [],
      'note to hint',
    ],
    ['begin no higher than the cap', detectorOf('escalate', 'stop'), 'hint', 0, [], 'hint to hint'],
    [
      'are a note alone on trial',
      detectorOf('hint', 'stop', 'trial'),
      undefined,
      0,
      [],
      'note to note',
    ],
    [
      'are all of them after 14 seconds of silence',
      detectorOf('note', 'stop'),
      undefined,
      14_999,
      [],
      'note to stop',
    ],
    [
      'are all of them after any silence in the closed world',
      detectorOf('note', 'stop'),
      undefined,
      60_000,
      [],
      'note to stop',
    ],
    [
      'begin lower when the first is left out',
      detectorOf('hint', 'stop'),
      undefined,
      0,
      ['hint'],
      'note to stop',
    ],
    [
      'begin below all that are left out',
      detectorOf('substitute', 'stop'),
      undefined,
      0,
      ['hint', 'substitute'],
      'note to stop',
    ],
    [
      'begin where they do when a lower one is left out',
      detectorOf('substitute', 'stop'),
      undefined,
      0,
      ['hint'],
      'substitute to stop',
    ],
    [
      'begin with the note even when that is left out',
      detectorOf('hint', 'stop'),
      undefined,
      0,
      ['note', 'hint'],
      'note to stop',
    ],
  ];
  test.each(rows)('%s', (_, detector, cap, gap, skip, expected) => {
    const { first, highest } = reach(detector, evidenceOf(cap), gap, new Set(skip));
    expect(`${RUNGS[first]} to ${RUNGS[highest]}`).toBe(expected);
  });

  test.each([
    ['closed', 0, 'note to stop'],
    ['closed', 60_000, 'note to stop'],
    ['undecided', 0, 'note to escalate'],
    ['open', 14_999, 'note to hint'],
    ['open', 15_000, 'note to note'],
  ] as const)('in the %s world after %d ms of silence are %s', (world, gap, expected) => {
    const evidence = { ...evidenceOf(), world };
    const { first, highest } = reach(detectorOf('note', 'stop'), evidence, gap, new Set());
    expect(`${RUNGS[first]} to ${RUNGS[highest]}`).toBe(expected);
  });
});

test('evidence that is not known to be equal ends at a hint', () => {
  const { first, highest } = reach(
    detectorOf('note', 'stop'),
    { ...evidenceOf(), equal: false },
    0,
    new Set(),
  );
  expect([RUNGS[first], RUNGS[highest]]).toEqual(['note', 'hint']);
});

test.each([
  ['hint', true, 1],
  ['hint', false, 2],
  ['escalate', true, 1],
  ['stop', true, 3],
  ['stop', false, 3],
] as [Rung, boolean, number][])(
  'a %s comes, where the results are known to be equal (%j), after %i occurrences',
  (rung, equal, occurrences) => {
    expect(paceOf(rung, { ...evidenceOf(), equal })).toBe(occurrences);
  },
);

describe('the recovery of a rung', () => {
  const recovery = (
    name: string,
    answers: string[],
    changes: Partial<Recovery> = {},
  ): Recovery => ({
    ...defineRecovery({
      name,
      rung: 'hint',
      answers,
      needs: [],
      safety: 'advisory',
      options: {},
      plan: () => ({}),
      toModel: () => '',
      toHuman: () => '',
    }),
    ...changes,
  });
  const configOf = (
    recoveries: Recovery[],
    changes: Partial<Record<'can' | 'skip' | 'allow', string[]>> = {},
  ): LadderConfig => ({
    recoveries,
    can: new Set((changes.can ?? ['hint']) as Capability[]),
    skip: new Set(changes.skip as Rung[]),
    allow: new Set(changes.allow),
  });
  const chosen = (config: LadderConfig): string | undefined =>
    recoveryFor(config, 'hint', 'd', 'v')?.name;

  const any = recovery('any', ['*']);
  const ofDetector = recovery('of-detector', ['d']);
  const ofVariant = recovery('of-variant', ['d/v']);

  const fits: [string, Recovery[], string | undefined][] = [
    ['that answers any detector, where there is no other', [any], 'any'],
    ['that names the detector beats one for any', [any, ofDetector], 'of-detector'],
    [
      'that names the detector beats one for any, also when it comes first',
      [ofDetector, any],
      'of-detector',
    ],
    [
      'that names the variant beats one that names the detector',
      [ofDetector, ofVariant],
      'of-variant',
    ],
    [
      'that names the variant beats one that names the detector, also when it comes first',
      [ofVariant, ofDetector],
      'of-variant',
    ],
    ['comes first among equals', [recovery('first', ['*']), recovery('second', ['*'])], 'first'],
    ['may answer several detectors', [recovery('several', ['x', 'd'])], 'several'],
    ['of another detector is none', [recovery('other', ['x', 'd/w'])], undefined],
    ['of another rung is none', [recovery('other', ['*'], { rung: 'note' })], undefined],
  ];
  test.each(fits)('%s', (_, recoveries, expected) => {
    expect(chosen(configOf(recoveries))).toBe(expected);
  });

  const hosts: [string, LadderConfig, string | undefined][] = [
    ['needs a host that can do the rung', configOf([any], { can: ['note'] }), undefined],
    ['is not used when the rung is left out', configOf([any], { skip: ['hint'] }), undefined],
    ['is used when another rung is left out', configOf([any], { skip: ['note'] }), 'any'],
    [
      'needs everything that it says',
      configOf([recovery('r', ['*'], { needs: ['note', 'stop'] })], { can: ['hint', 'note'] }),
      undefined,
    ],
    [
      'is used where all of that is there',
      configOf([recovery('r', ['*'], { needs: ['note'] })], { can: ['hint', 'note'] }),
      'r',
    ],
    [
      'that is irreversible is not used unasked',
      configOf([recovery('r', ['*'], { safety: 'irreversible' })]),
      undefined,
    ],
    [
      'that is irreversible is not used when another is allowed',
      configOf([recovery('r', ['*'], { safety: 'irreversible' })], { allow: ['x'] }),
      undefined,
    ],
    [
      'that is irreversible is used when it is allowed by name',
      configOf([recovery('r', ['*'], { safety: 'irreversible' })], { allow: ['r'] }),
      'r',
    ],
    [
      'that can be undone needs no permission',
      configOf([recovery('r', ['*'], { safety: 'reversible' })]),
      'r',
    ],
    [
      'that is not allowed leaves the place to the next best',
      configOf([recovery('r', ['d'], { safety: 'irreversible' }), any]),
      'any',
    ],
  ];
  test.each(hosts)('%s', (_, config, expected) => {
    expect(chosen(config)).toBe(expected);
  });
});
