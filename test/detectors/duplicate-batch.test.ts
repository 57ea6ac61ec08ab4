import type { AgentEvent } from '@unrut/engine/event';
import { expect, test } from 'vitest';
import { createGuard } from '../../packages/cli/src/core.ts';
import { duplicateBatch } from '../../packages/engine/src/detectors/duplicate-batch/detector.ts';

/**
 * How many responses in a row it spoke of, call by call, while each response makes these calls at
 * once.
 */
function spoken(
  responses: readonly (readonly string[])[],
  options: object = {},
): (number | undefined)[][] {
  const guard = createGuard({
    preset: { detectors: [duplicateBatch], recoveries: [] },
    options: { 'duplicate-batch': options },
  });
  let id = 0;
  return responses.map((paths, response) =>
    paths.map((path) => {
      const call = {
        id: `c${id++}`,
        tool: 'Read',
        args: { file_path: path },
        batch: `r${response}`,
      };
      const event: AgentEvent = {
        type: 'call-finished',
        session: 's',
        at: 1000 + response * 5000,
        call,
        result: `what stands in ${path}`,
      };
      return guard.observe(event).signals.find(({ detector }) => detector === 'duplicate-batch')
        ?.count;
    }),
  );
}
const none = undefined;

test('a call made twice in one response, and again in the next, is reported from the second response on', () => {
  expect(spoken([['a', 'a'], ['a', 'a'], ['a', 'a']])).toEqual([[none, none], [none, 2], [none, 3]]); // biome-ignore format: one response, one list
});

test('twin: equal reads in one response, once', () => {
  expect(spoken([['a', 'a', 'a'], ['b', 'c'], ['a']])).toEqual([[none, none, none], [none, none], [none]]); // biome-ignore format: one response, one list
});

test('twin: the same call once in every response is left to other detectors', () => {
  expect(spoken([['a'], ['a'], ['a'], ['a']]).flat()).toEqual([none, none, none, none]);
});

test('twin: another call is doubled in each response', () => {
  expect(
    spoken([
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
      ['d', 'd'],
    ]).flat(),
  ).toEqual(new Array(8).fill(none));
});

test('a response without a duplicate in between resets the count', () => {
  expect(spoken([['a', 'a'], ['a', 'b'], ['a', 'a'], ['a', 'a']])).toEqual([[none, none], [none, none], [none, none], [none, 2]]); // biome-ignore format: one response, one list
});

test('the number of responses can be configured', () => {
  expect(
    spoken(
      [
        ['a', 'a'],
        ['a', 'a'],
        ['a', 'a'],
      ],
      { batches: 3 },
    ).flat(),
  ).toEqual([none, none, none, none, none, 3]);
});
