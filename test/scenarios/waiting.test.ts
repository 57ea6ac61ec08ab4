import { describe, expect, test } from 'vitest';
import { name, prose } from './content.ts';
import {
  type CallStep,
  expectRun,
  type Item,
  MODES,
  plansOf,
  play,
  scenario,
  times,
  told,
} from './scenario.ts';
import { ANSWERS } from './vocabulary.ts';

describe('a pending pod looked at every 30 s', () => {
  const table = (age: string) =>
    `NAME                   READY   STATUS    RESTARTS   AGE\nweb-7d4b9c6f5-x2lqp    0/1     Pending   0          ${age}`;
  const look = (step: CallStep): CallStep => ({ ...step, wait: 30 });
  scenario('stays quiet', 'quiet', {
    'with Bash': times(8, () =>
      look({
        tool: 'Bash',
        args: { command: 'kubectl get pod web-7d4b9c6f5-x2lqp' },
        result: table('5m'),
        exitCode: 0,
      }),
    ),
    'with Bash and an age that grows': times(8, (i) =>
      look({
        tool: 'Bash',
        args: { command: 'kubectl get pod -l app=web' },
        result: table(`${i * 30}s`),
        exitCode: 0,
      }),
    ),
    'with an MCP server': times(8, () =>
      look({
        tool: 'mcp__kubernetes__kubectl_get',
        args: { resourceType: 'pod', name: 'web' },
        result: { name: 'web', status: { phase: 'Pending' } },
      }),
    ),
    'with an unknown tool': times(8, () =>
      look({
        tool: 'get_pod',
        args: { name: 'web' },
        result: 'Pod web is pending: waiting for a node with 2 free cores.',
      }),
    ),
  });
  scenario('stays quiet with a sleep between instead of a gap', 'quiet', {
    'with Bash': times(8, () => [
      { tool: 'Bash', args: { command: 'sleep 30' }, result: '', exitCode: 0, durationMs: 30_000 },
      { tool: 'Bash', args: { command: 'kubectl get pod web' }, result: table('5m'), exitCode: 0 },
    ]).flat(),
  });
});

describe('six times 429, then success', () => {
  const seconds = [3, 5, 8, 13, 21, 34];
  const answers: Record<string, (retry: number) => Partial<CallStep>> = {
    'in the error': (retry) => ({ error: `HTTP 429 Too Many Requests: retry after ${retry} s` }),
    'in the text of the result': (retry) => ({
      result: `429 Too Many Requests\nretry-after: ${retry}\nYou have exceeded the rate limit of this plan.`,
    }),
    'as an exit code and a text': (retry) => ({
      result: `curl: (22) The requested URL returned error: 429\nretry-after: ${retry}`,
      exitCode: 22,
    }),
    'in a JSON error': (retry) => ({
      error: true,
      result: {
        error: {
          type: 'rate_limit_error',
          status: 429,
          message: `Rate limit reached, try again in ${retry}s`,
        },
      },
    }),
  };
  const calls: Record<string, CallStep> = {
    'an unknown tool': { tool: 'fetch_record', args: { key: 'c-77' } },
    'a command': { tool: 'Bash', args: { command: 'curl -f https://api.example.com/orders' } },
    'an MCP server': { tool: 'mcp__github__search_code', args: { q: 'voucher' } },
  };
  const success = { result: 'Customer c-77: Mara Lindqvist, Harbour Street 12, Gothenburg.' };
  const fresh = (from: number) =>
    times(3, (i) => ({
      tool: 'read_file',
      args: { path: `docs/${name(from + i)}.md` },
      result: prose(from + i, 20),
    }));

  for (const [caller, call] of Object.entries(calls)) {
    for (const [where, answer] of Object.entries(answers)) {
      const limited: Item[] = seconds.map((retry) => ({ ...call, ...answer(retry) }));
      scenario('stays quiet', 'quiet', {
        [`${caller}, 429 ${where}`]: [...limited, { ...call, ...success }],
        [`${caller}, 429 ${where}, backing off`]: [
          ...limited.map((step, i) => ({ ...step, wait: 2 ** i })),
          { ...call, ...success },
        ],
      });
      for (const mode of MODES) {
        test(`nothing is left of it after the success: ${caller}, 429 ${where}, ${mode}`, async () => {
          const errors = times(2, () => ({
            ...call,
            error: 'Error: the archive has no such table',
          }));
          const loop = times(4, () => ({ ...ANSWERS['a JSON record'] }));
          const moments = await play(
            [...limited, { ...call, ...success }, ...fresh(1), ...errors, ...fresh(30), ...loop],
            { mode },
          );
          const after = moments.filter(({ call: number }) => number >= 7);
          const thirdOfTheLoop = 7 + 3 + 2 + 3 + 3;
          expectRun(after, thirdOfTheLoop);
          expect(plansOf(after)[0]?.plan.rung, told(after)).toBe('note');
        });
      }
    }
  }
});
