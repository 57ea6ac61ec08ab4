import { describe, expect, it } from 'vitest';
import type { AgentTurn } from './run-agent-command.ts';
import { providerLimitIn, waitingOut } from './wait-out.ts';

const NOW = Date.parse('2026-11-17T12:00:00Z');
const turn: AgentTurn = {
  output: '',
  exitCode: 1,
  signal: null,
  failed: true,
  wasStopped: false,
  neverStarted: false,
  cost: {},
};
const OVERLOADED =
  'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';

describe('a limit of the provider', () => {
  it.each([
    [`Claude AI usage limit reached|${NOW / 1000 + 3600}`, 60],
    ["You've hit your session limit · resets 9pm (UTC)", 9 * 60],
    ['Rate limit reached for gpt-5 on tokens per min. Please try again in 20s.', 1 / 3],
    ['429 Too Many Requests, retry after 90 s', 1.5],
    ['The usage limit is reached. Try again at 13:30 UTC', 90],
    [OVERLOADED, undefined],
    ['ERROR: RESOURCE_EXHAUSTED', undefined],
  ])('%j is over in %s minutes', (output, minutes) => {
    const found = providerLimitIn({ ...turn, output }, NOW);
    expect(found).toBeDefined();
    expect(found!.until && (found!.until - NOW) / 60_000).toBe(minutes);
  });

  it.each<[string, Partial<AgentTurn>]>([
    [
      'a report that mentions one',
      {
        output: 'Handled "rate limit exceeded" in api.ts.\nTASK_COMPLETE',
        failed: false,
        exitCode: 0,
      },
    ],
    ['a test about one', { output: 'FAIL api.test.ts > expected status 429, got 200' }],
    ['another failure', { output: 'the input device is not a TTY' }],
    [
      'a mention long before the end',
      { output: `too many requests\n${'and then this\n'.repeat(6)}it crashed` },
    ],
  ])('is not %s: the twin', (_, given) => {
    expect(providerLimitIn({ ...turn, ...given }, NOW)).toBeUndefined();
  });
});

/** Runs an agent with scripted answers and a clock that only moves while waiting. */
async function waitedOut(
  answers: readonly Partial<AgentTurn>[],
  options: { maxWait?: number; callsPerHour?: number } = {},
) {
  let now = NOW;
  const lines: string[] = [];
  const waits: number[] = [];
  const left = [...answers];
  const run = waitingOut({
    maxWait: 6 * 3_600_000,
    ...options,
    now: () => now,
    say: (line) => void lines.push(line),
    sleep: async (milliseconds) => {
      waits.push(Math.round(milliseconds / 1000));
      now += milliseconds;
    },
  });
  const turns: AgentTurn[] = [];
  while (left.length > 0)
    turns.push(await run(async () => ({ ...turn, ...left.shift() }), new AbortController().signal));
  return { turns, waits, lines };
}

const limited = { output: OVERLOADED };
const fine = { output: 'Wrote the first part.', failed: false, exitCode: 0 };

describe('waiting it out', () => {
  it('backs off, shows until when, and gives the answer that comes then; the time counts as nothing', async () => {
    const { turns, waits, lines } = await waitedOut([limited, limited, limited, fine]);
    expect(turns).toMatchObject([{ output: fine.output, failed: false, waited: 420_000 }]);
    expect(waits).toEqual([60, 120, 240]);
    expect(lines[0]).toMatch(
      /^The provider's limit is reached: API Error: 529 .* Waiting 60 s, until 2026-11-17 12:01 UTC\.$/,
    );
  });

  it('waits until the time that was given', async () => {
    expect(
      (await waitedOut([{ output: "You've hit your session limit · resets 3pm (UTC)" }, fine]))
        .waits,
    ).toEqual([3 * 3600 + 2]);
  });

  it('gives up where that is longer than --max-wait allows', async () => {
    const { turns, waits } = await waitedOut([
      { output: "You've hit your session limit · resets 9pm (UTC)" },
    ]);
    expect(waits).toEqual([]);
    expect(turns[0]?.limit).toContain('longer than --max-wait allows');
  });

  it('leaves other failures alone: the twin', async () => {
    const { turns, waits } = await waitedOut([{ output: 'boom' }]);
    expect({ turns, waits }).toMatchObject({ turns: [{ output: 'boom', waited: 0 }], waits: [] });
  });

  it('starts the agent at most so often in an hour', async () => {
    const { waits, lines } = await waitedOut([fine, fine, fine], { callsPerHour: 2 });
    expect(waits).toEqual([3600]);
    expect(lines[0]).toContain('--calls-per-hour');
  });
});
