import type { AgentEvent } from '@unrut/engine/event';
import { noColours } from '@unrut/ledger/text/paint';
import { runFrom } from '@unrut/test/explain-run';
import { describe, expect, test } from 'vitest';
import { callText, explainCall } from './explain-call.ts';
import { explainRun } from './explain-run.ts';
import { explainStep } from './explain-step.ts';
import { runText } from './run-text.ts';
import { explainedStepText } from './step-text.ts';

/** Secrets of each shape, with the part that must not be printed. */
const SECRETS: Record<string, { said: (secret: string) => string; secret: string }> = {
  'a token of GitHub': {
    secret: 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5',
    said: (secret) => secret,
  },
  'a key under the name apiKey': {
    secret: 'violet-otter-42',
    said: (secret) => `apiKey: "${secret}"`,
  },
  'a key under the name api_key': {
    secret: 'violet-otter-42',
    said: (secret) => `api_key=${secret}`,
  },
  'a key under the name API-KEY': {
    secret: 'violet-otter-42',
    said: (secret) => `API-KEY: ${secret}`,
  },
  'a bearer': { secret: 'mellow.kiwi.9000', said: (secret) => `Authorization: Bearer ${secret}` },
  'a cookie': { secret: 'sid=moonlit-canoe-77', said: (secret) => `Cookie: ${secret}` },
  'credentials in a URL': {
    secret: 'quiet-harbour-5',
    said: (secret) => `https://bob:${secret}@host.example/x`,
  },
  'a long random string': { secret: 'q8Zr4TnW2xKp9VbLs7YdHm3JcFg6RtEu', said: (secret) => secret },
  'a PEM block': {
    secret: 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
    said: (secret) =>
      `-----BEGIN PRIVATE KEY-----\n${secret}\n${secret}\n-----END PRIVATE KEY-----`,
  },
};

let calls = 0;
const finished = (tool: string, args: unknown, rest: object) => ({
  type: 'call-finished',
  call: { id: `c${calls++}`, tool, args },
  ...rest,
});

/**
 * Where an agent, a tool or a host could put a secret. `i` makes neighbouring steps differ, so that
 * differences are shown, too.
 */
const PLACES: Record<string, (said: string, i: number) => object> = {
  'an argument': (said, i) =>
    finished(
      'fetch_page',
      { note: said, page: 1, nonce: i },
      { result: 'the same page of the catalogue' },
    ),
  'arguments that are near': (said, i) =>
    finished('fetch_page', { note: `${said} ${i}` }, { result: 'the same page of the catalogue' }),
  'arguments without names': (said, i) =>
    finished('run', `${said} and ${i}`, { result: 'the same page of the catalogue' }),
  'a shell command': (said, i) =>
    finished(
      'Bash',
      { command: `curl -v '${said}' # ${i}` },
      { exitCode: 1, result: `curl: refused in ${i}ms` },
    ),
  'a result': (said, i) =>
    finished('lookup', { id: 1 }, { result: `It took ${i}ms.\n${said}\nand nothing else` }),
  'results that differ': (said, i) =>
    finished(
      'lookup',
      { id: 1 },
      { result: `Part ${i} of 90:\n${said} ${'ab'.repeat(i)}\nand nothing else` },
    ),
  'a result as an object': (said, i) =>
    finished('lookup', { id: 1 }, { result: { took: i, text: said } }),
  'an error': (said, i) => finished('lookup', { id: i }, { error: `Error: ${said} was refused` }),
  'a message': (said) => ({
    type: 'text-added',
    channel: 'answer',
    text: `I will now go on with ${said} and then look at it once more.`,
    done: true,
  }),
  'a thought': (said) => ({
    type: 'text-added',
    channel: 'thinking',
    text: `I should go on with ${said} and then look at it once more.`,
    done: true,
  }),
  'an output': (said, i) => ({
    type: 'output-finished',
    output: `Iteration ${i} took ${i}s\nError: ${said} was refused at auth.ts:45`,
  }),
};

/** All texts about a run and its steps. */
function everythingSaid(events: readonly AgentEvent[]): string {
  const run = runFrom(events);
  const explained = explainRun(run);
  const steps = [...new Set(run.events.map(({ step }) => step))]
    .slice(-3)
    .map((step) => explainStep(run, step));
  const options = { paint: noColours, width: 4000 };
  return [
    JSON.stringify(explained),
    runText(explained, options).join('\n'),
    ...steps.flatMap((each) => [JSON.stringify(each), explainedStepText(each, options).join('\n')]),
  ].join('\n');
}

const eventsOf = (place: (i: number) => object): AgentEvent[] =>
  Array.from(
    { length: 6 },
    (_, i) => ({ session: 's', at: (i + 1) * 5000, ...place(i + 1) }) as AgentEvent,
  );

describe.each(Object.entries(PLACES))('a secret in %s', (_, place) => {
  test.each(Object.entries(SECRETS))('is in no explanation: %s', (_, { secret, said }) => {
    const text = everythingSaid(eventsOf((i) => place(said(secret), i)));
    expect(text, 'it is shown that something was there').toContain('<secret>');
    expect(text).not.toContain(secret);
  });
});

describe('a value that was typed', () => {
  test.each([
    [
      'into a field',
      (i: number) =>
        finished(
          'browser_type',
          { ref: 'e4', text: `plain words of mine ${i}` },
          { result: 'the page is as it was' },
        ),
    ],
    [
      'as one of many',
      (i: number) =>
        finished(
          'fill_form',
          { fields: [{ name: 'city', value: `plain words of mine ${i}` }] },
          { result: 'the page is as it was' },
        ),
    ],
  ])('%s is shown by its length only', (_, place) => {
    const text = everythingSaid(eventsOf(place));
    expect(text).not.toContain('plain words of mine');
    expect(text).toMatch(/<value:\d+ chars>/);
  });
});

test.each(Object.entries(SECRETS))(
  'a secret in a call that is shown by itself is masked: %s',
  (_, { secret, said }) => {
    for (const args of [
      { note: said(secret) },
      said(secret),
      { command: `curl '${said(secret)}'` },
    ]) {
      const call = explainCall(
        `${typeof args === 'object' && 'command' in args ? 'Bash' : 'lookup'} ${JSON.stringify(args)}`,
      );
      expect(
        `${JSON.stringify(call)}${callText([call], { paint: noColours }).join('')}`,
      ).not.toContain(secret);
    }
  },
);

test('a secret in the name of a tool, a run or an argument is in no explanation, and in no setting', () => {
  const secret = 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5';
  const text = everythingSaid(
    eventsOf((i) =>
      finished(
        `run_${secret}`,
        { [secret]: `v${i}`, request_id: `r${i}`, other: 1 },
        { result: 'the same page of the catalogue' },
      ),
    ),
  );
  expect(text).not.toContain(secret);
});
