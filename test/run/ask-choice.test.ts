import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { askChoice } from '../../packages/cli/src/run-prompt.ts';

function ask(signal = new AbortController().signal) {
  const input = new PassThrough();
  const output = new PassThrough();
  const chosen = askChoice({ input, output }, signal);
  return { chosen, input };
}

it.each([
  ['1', 'continue'],
  [' 2 ', 'escalate'],
  ['3', 'stop'],
  ['4\nno\n\n1', 'continue'],
])('%j means %s', async (typed, choice) => {
  const { chosen, input } = ask();
  for (const line of typed.split('\n')) {
    input.write(`${line}\n`);
    await new Promise(setImmediate);
  }
  expect(await chosen).toBe(choice);
});

it('a terminal that closes means nothing', async () => {
  const { chosen, input } = ask();
  input.end();
  expect(await chosen).toBeUndefined();
});

it('an interruption means nothing', async () => {
  const stop = new AbortController();
  const { chosen } = ask(stop.signal);
  stop.abort();
  expect(await chosen).toBeUndefined();
});
