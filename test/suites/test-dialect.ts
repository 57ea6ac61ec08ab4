import type { Dialect, Item } from '../../packages/adapters/src/frameworks/dialect.ts';
import { type Case, check, planOn } from '../../packages/testing/src/case.ts';

/** Recorded requests and responses of the real package. */
export interface DialectSamples<Request, Response> {
  requests: readonly Request[];
  responses: readonly Response[];
  /**
   * What a request may hold in the place of messages, parts or the whole of them. Default: values
   * of every kind.
   */
  malformed?: (value: unknown) => Request;
}

const MALFORMED: readonly unknown[] = [
  null,
  0,
  'text',
  [],
  {},
  [null],
  [[]],
  [{ role: 'user' }],
  [{ role: 'tool', content: [{}] }],
];

/** What every dialect promises. */
export function testDialect<Request, Response>(
  name: string,
  dialect: Dialect<Request, Response>,
  { requests, responses, malformed }: DialectSamples<Request, Response>,
): Case[] {
  const about = (what: string, run: () => void): Case => ({ name: `${name}: ${what}`, run });
  const results = (items: readonly Item[]) =>
    items.flatMap((item) => (item.kind === 'result' && !item.isFixed ? [item] : []));
  return [
    about('reads people, calls and results in recorded requests', () => {
      const kinds = new Set(
        requests.flatMap((request) => dialect.items(request).map(({ kind }) => kind)),
      );
      for (const kind of ['user', 'call', 'result'] as const)
        check(kinds.has(kind), `expected a ${kind} in the recorded requests`);
    }),
    about('changes nothing but the results that get a note', () => {
      for (const request of requests) {
        const before = dialect.items(request);
        const copy = JSON.stringify(request);
        const noted = dialect.withNotes(
          request,
          results(before).map(({ at }, i) => ({ at, text: `NOTE ${i}.` })),
        );
        check(JSON.stringify(request) === copy, 'expected the request itself to stay as it was');
        const after = dialect.items(noted);
        const without = (items: readonly Item[]) =>
          JSON.stringify(items.map((item) => (item.kind === 'result' ? item.at : item)));
        check(without(after) === without(before), 'expected the same items, each in its place');
        for (const [i, result] of results(after).entries())
          check(
            JSON.stringify(result).includes(`NOTE ${i}.`),
            `expected the note in result ${i}, got ${JSON.stringify(result)}`,
          );
        check(
          JSON.stringify(dialect.withNotes(request, [])) === copy,
          'expected no change without notes',
        );
      }
    }),
    about('takes calls out of a response, or answers each of them with a refusal', () => {
      const request = requests[0]!;
      let isTried = false;
      for (const response of responses) {
        const calls = dialect.calls(response);
        if (calls.length === 0) continue;
        isTried = true;
        const refused = calls.map((call, index) => ({ index, call, text: `REFUSED ${index}.` }));
        check(
          dialect.calls(dialect.without(response, refused)).length === 0,
          'expected no call when all are taken out',
        );
        const rest = dialect.calls(dialect.without(response, refused.slice(0, 1)));
        check(
          JSON.stringify(rest) === JSON.stringify(calls.slice(1)),
          'expected the other calls to stay',
        );
        const again = dialect
          .items(dialect.askAgain(request, response, refused))
          .slice(dialect.items(request).length);
        const told = again.flatMap((item) =>
          item.kind === 'call'
            ? [`call ${item.id}`]
            : item.kind === 'result'
              ? [`result ${item.id}`]
              : [],
        );
        const expected = [
          ...calls.map(({ id }) => `call ${id}`),
          ...calls.map(({ id }) => `result ${id}`),
        ];
        check(
          told.join() === expected.join(),
          `expected each call and then each refusal, got ${told.join()}`,
        );
        for (const [i, result] of results(again).entries())
          check(
            JSON.stringify(result).includes(`REFUSED ${i}.`),
            `expected the words of refusal ${i}`,
          );
      }
      check(isTried, 'expected calls in the recorded responses');
    }),
    about('ends a run with an answer that has no calls', () => {
      const answer = dialect.finalAnswer(requests[0]!, planOn('stop', { toHuman: 'STOPPED.' }));
      check(dialect.calls(answer).length === 0, 'expected no calls');
      check(
        dialect.said(answer).some(({ text }) => text.includes('STOPPED.')),
        'expected the plan’s words for a person',
      );
    }),
    about('reads nothing from malformed input, and does not throw', () => {
      for (const value of MALFORMED) {
        if (!malformed) continue;
        for (const item of dialect.items(malformed(value)))
          check(
            item.kind === 'user' || item.kind === 'result',
            `expected nothing, got ${item.kind}`,
          );
      }
    }),
  ];
}
