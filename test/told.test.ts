import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Detector, movesAfter } from '@unrut/engine/detectors/detector';
import { momentsOf, type Trace, tracesIn } from '@unrut/testing/trace';
import { expect, test } from 'vitest';
import { createGuard, detectors, recommended } from '../packages/cli/src/index.ts';
import { asSpeaker } from '../packages/testing/src/test-detector.ts';
import { root } from './structure/tree.ts';

/**
 * All that a detector declares, and all that it says of the traces in its README. Wording and
 * certainty are behaviour.
 */
function toldBy(detector: Detector): string {
  const {
    name,
    status,
    variants,
    watches,
    alsoNeutral,
    rungs,
    yields,
    everyTime,
    advises,
    declared,
  } = detector;
  const readme = readFileSync(
    join(root, 'packages/engine/src/detectors', name, 'README.md'),
    'utf8',
  );
  return [
    ...Object.entries({
      status,
      variants,
      watches,
      alsoNeutral,
      rungs,
      yields,
      everyTime,
      advises,
    }).flatMap(([field, value]) =>
      value === undefined ? [] : [`${field} ${JSON.stringify(value)}`],
    ),
    ...Object.entries(declared).map(([option, each]) => `option ${option} ${JSON.stringify(each)}`),
    ...tracesIn(readme).flatMap((trace) =>
      trace.fires ? ['', trace.name, ...saidOf(detector, trace)] : [],
    ),
    '',
  ].join('\n');
}

function saidOf(detector: Detector, { lines }: Trace): string[] {
  const guard = createGuard({ preset: { ...recommended, detectors: [asSpeaker(detector)] } });
  return momentsOf(lines).flatMap(({ events }, i) =>
    events
      .flatMap((event) => guard.observe(event).signals)
      .flatMap(({ rung, text, evidence: { keys, target, facts, world: _world, ...evidence } }) => [
        `  event ${i + 1}: ${text}`,
        `    ${rung} ${JSON.stringify({ ...evidence, keys: keys.length, target: target !== undefined, facts })}`,
        `    ${movesAfter(detector, { keys, facts, ...evidence }).join('; ')}`,
      ]),
  );
}

test.each(detectors.map((detector) => [detector.name, detector] as const))(
  '%s says of its traces what it said',
  async (name, detector) => {
    await expect(toldBy(detector)).toMatchFileSnapshot(
      join(root, 'test/fixtures/told', `${name}.txt`),
    );
  },
);
