import type { AgentEvent, Json, Rung } from '@unrut/engine/event';
import { createGuard, emptyVerdict, type Verdict } from '@unrut/engine/guard';
import { hash32 } from '@unrut/engine/hash';
import type { Plan } from '@unrut/engine/policy/plan';
import type { Fault } from '@unrut/engine/signal';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder } from '@unrut/ledger/recorder';
import {
  type EventJudge,
  type FrameworkOptions,
  LoopError,
} from '../../packages/adapters/src/frameworks/options.ts';
import { type Case, check, checkSame, planOn } from '../../packages/testing/src/case.ts';

/** What a scripted model is asked, as the framework's own request shows it. */
export interface ModelReads {
  /** The last words of a person. */
  prompt: string;
  /** The ids of all calls, in order, and of all results. */
  calls: readonly string[];
  answered: readonly string[];
  /** The texts of all results, in order. */
  results: readonly string[];
  /** The whole request as JSON, without what differs from run to run. */
  request: string;
}

/** What a scripted model answers. */
export interface ScriptedAnswer {
  text?: string;
  calls?: readonly { id: string; tool: string; args: { [name: string]: Json } }[];
  /** It fails with this message instead. */
  error?: string;
}

export interface FrameworkRun {
  /** What the run gave. */
  answer: string;
  /** The pieces of text that came, where it was streamed. */
  pieces: readonly string[];
  /** What it threw. */
  error?: unknown;
  /** The conversation, to resume in another process. */
  history?: unknown;
}

export interface FrameworkRunOptions {
  stream?: boolean;
  signal?: AbortSignal;
  /** Of an earlier run. */
  history?: unknown;
  /** The run ends after so many calls of the model. */
  steps?: number;
  /** The answer has to match `OUTPUT_SCHEMA`. */
  schema?: boolean;
}

/** What an answer has to match where a run has a schema. */
export const OUTPUT_SCHEMA = {
  type: 'object',
  title: 'Found',
  properties: { found: { type: 'string' } },
  required: ['found'],
  additionalProperties: false,
} as const;

/**
 * How to run an agent of a framework, with the tools `search` (`q`, required text), `throwing` and
 * `status`, and a scripted model.
 */
export interface FrameworkUnderTest {
  name: string;
  /** What the adapter can do. */
  can: readonly Rung[];
  /** Whether it streams, and can be aborted. */
  streams: boolean;
  /** Whether a run can end after some steps, and be resumed from its history. */
  resumes: boolean;
  /**
   * How a stop that is thrown reaches the user: as the `LoopError`, as the cause of an error of the
   * framework's own, only by its text, or never. Default: `error`.
   */
  throws?: 'error' | 'cause' | 'text' | 'never';
  /** Whether a run may have a schema that the adapter sees. Default: true. */
  schemas?: boolean;
  /** A refusal is the result of its own call, and nobody is asked again. Default: false. */
  refusesInPlace?: boolean;
  /** Whether a stream that repeats itself endlessly is cut. Default: false. */
  cuts?: boolean;
  /** How the model answers where an answer has to match a schema. Default: by this text. */
  answers?(json: string): ScriptedAnswer;
  /** Without `options`, the agent runs without Unrut. */
  open(given: {
    model(reads: ModelReads): ScriptedAnswer;
    tools: Readonly<Record<string, (args: { [name: string]: unknown }) => string>>;
    options?: FrameworkOptions;
  }): {
    /**
     * Runs one conversation: each prompt is a message of a person, given after the agent has
     * answered the one before.
     */
    run(prompts: readonly string[], how?: FrameworkRunOptions): Promise<FrameworkRun>;
  };
}

type Script = (reads: ModelReads) => ScriptedAnswer;

/** What happened in a run. */
interface Seen {
  requests: string[];
  reads: ModelReads[];
  ran: string[];
  plans: Plan[];
  rungs: Rung[];
  sessions: Set<string>;
  shadows: Plan[];
  faults: Fault[];
}

const SAME = 'Three pages were found, none of which says more about it than the others do.';
const SECRET = 'sk-ant-api03-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4-AbCdEfGhIj';

/** What every adapter promises. Each case runs the real package. */
export function testFramework(framework: FrameworkUnderTest): Case[] {
  const { name, can, streams, resumes } = framework;

  function open(script: Script, options: FrameworkOptions | null = {}) {
    const seen: Seen = {
      requests: [],
      reads: [],
      ran: [],
      plans: [],
      rungs: [],
      sessions: new Set(),
      shadows: [],
      faults: [],
    };
    const watching = {
      ...options,
      onPlan(plan, { session, shadow }) {
        if (shadow) seen.shadows.push(plan);
        else {
          seen.plans.push(plan);
          seen.rungs.push(plan.rung);
          seen.sessions.add(session);
        }
        options?.onPlan?.(plan, { session });
      },
      onFault: (fault) => void seen.faults.push(fault),
    } as FrameworkOptions;
    let looks = 0;
    const did = <T>(tool: string, args: object, result: T): T => {
      seen.ran.push(`${tool} ${JSON.stringify(args)}`);
      return result;
    };
    const agent = framework.open({
      model(reads) {
        seen.requests.push(reads.request);
        seen.reads.push(reads);
        return script(reads);
      },
      tools: {
        search: (args) =>
          did('search', args, args.q === 'foo' ? SAME : `Found: ${uniqueText(String(args.q))}`),
        throwing: (args) => {
          did('throwing', args, '');
          throw new Error('The service refused the connection.');
        },
        status: (args) => did('status', args, `Building: ${7 * ++looks} % done`),
      },
      ...(options === null ? {} : { options: watching }),
    });
    return { seen, run: agent.run };
  }

  /** The same with and without the guard. */
  async function sameAsWithout(
    script: Script,
    options: FrameworkOptions = {},
    how: FrameworkRunOptions = {},
  ): Promise<Seen> {
    const bare = open(script, null);
    const guarded = open(script, options);
    const [expected, got] = [await bare.run(['Go.'], how), await guarded.run(['Go.'], how)];
    checkSame(guarded.seen.requests, bare.seen.requests, 'requests');
    checkSame(guarded.seen.ran, bare.seen.ran, 'tool runs');
    checkSame(
      [got.answer, got.pieces, nameOf(got.error)],
      [expected.answer, expected.pieces, nameOf(expected.error)],
      'what the run gave',
    );
    return guarded.seen;
  }

  const rungs = (['note', 'hint', 'block', 'escalate', 'stop'] as const).filter((rung) =>
    can.includes(rung),
  );
  const about = (what: string, run: () => Promise<void>): Case => ({
    name: `${name}: ${what}`,
    run,
  });

  async function loops(how: FrameworkRunOptions, options: FrameworkOptions = {}): Promise<Seen> {
    const { seen, run } = open(foreverFoo, options);
    const { answer, error } = await run(['Go.'], how);
    check(error === undefined, `expected a normal end, got ${nameOf(error)}`);
    check(seen.faults.length === 0, `expected no fault, got ${JSON.stringify(seen.faults)}`);
    checkSame([...new Set(seen.rungs)], rungs, 'rungs');
    check(seen.ran.length <= 8, `expected at most 8 calls, got ${seen.ran.length}`);
    const [note] = seen.plans;
    const read = seen.reads[3]!.results;
    check(
      read[2]!.startsWith(SAME) && read[2]!.includes(note!.toModel),
      `expected the note in the third result, got ${read[2]}`,
    );
    check(!read[0]!.includes(note!.toModel), 'expected no note in the first result');
    const last = seen.reads.at(-1)!.results;
    check(last[2] === read[2], 'expected the note in the same place in every later request');
    if (can.includes('stop'))
      check(answer.includes(seen.plans.at(-1)!.toHuman), `expected why it ended, got ${answer}`);
    check(!answer.includes('unrut '), `expected no command for operators, got ${answer}`);
    return seen;
  }

  const cases: Case[] = [
    about(
      'tells a loop of equal calls more at each rung, then ends it',
      async () => void (await loops({})),
    ),
    about('ends a recorded loop with words for users, not for operators', async () => {
      await loops({}, { guard: createRecorder(createMemoryLedger()) });
    }),
    about(
      'leaves tools that throw, unknown tools and wrong arguments to the framework',
      async () => {
        const calls: { tool: string; args: { [name: string]: Json } }[] = [
          { tool: 'throwing', args: {} },
          { tool: 'no_such_tool', args: {} },
          { tool: 'search', args: { q: 7 } },
        ];
        for (const call of calls) {
          await sameAsWithout(({ calls }) =>
            calls.length < 2 ? { calls: [{ id: idOf(calls.length), ...call }] } : { text: 'Done.' },
          );
          const { seen, run } = open(({ calls }) =>
            calls.length < 6 ? { calls: [{ id: idOf(calls.length), ...call }] } : { text: 'Done.' },
          );
          const { error } = await run(['Go.']);
          // Some frameworks end the run at such a call: then they do so under guard too.
          check(
            error !== undefined || seen.plans.length > 0,
            `expected that the model is told of repeated calls of ${call.tool}`,
          );
        }
      },
    ),
    about('changes nothing in a healthy run of 100 steps', async () => {
      const seen = await sameAsWithout(healthy(100));
      check(
        seen.plans.length === 0 && seen.faults.length === 0,
        `expected no plan, got ${seen.rungs.join()}`,
      );
      if (streams) await sameAsWithout(healthy(20), {}, { stream: true });
    }),
    about('changes nothing while a status makes progress', async () => {
      const poll = await sameAsWithout(({ calls }) =>
        calls.length < 12
          ? { calls: [{ id: idOf(calls.length), tool: 'status', args: {} }] }
          : { text: 'Built.' },
      );
      check(poll.plans.length === 0, `expected no plan, got ${poll.rungs.join()}`);
    }),
    about('keeps two conversations at once apart, also with the same beginning', async () => {
      const twice = open(({ calls }) =>
        calls.length < 2 ? fooCall(calls.length) : { text: 'Done.' },
      );
      await Promise.all([twice.run(['Go.']), twice.run(['Go.']), twice.run(['Go on.'])]);
      check(
        twice.seen.plans.length === 0,
        `expected no plan for two equal calls in each of three runs, got ${twice.seen.rungs.join()}`,
      );
      const both = open(({ calls }) =>
        calls.length < 3 ? fooCall(calls.length) : { text: 'Done.' },
      );
      await Promise.all([both.run(['Go.']), both.run(['Go.'])]);
      check(
        both.seen.sessions.size === 2,
        `expected a note in each of two sessions, got ${both.seen.rungs.join()} in ${both.seen.sessions.size}`,
      );
    }),
    about('sends nothing in shadow mode, and says what it would have done', async () => {
      const seen = await sameAsWithout(fewFoos(8), { shadow: true });
      check(seen.shadows.length > 0 && seen.plans.length === 0, 'expected plans in shadow only');
    }),
    about('sends nothing in shadow mode with a guard that was given', async () => {
      const guards: EventJudge[] = [
        createGuard(),
        createRecorder(createMemoryLedger()),
        { observe: createGuard().observe },
      ];
      for (const guard of guards) {
        const seen = await sameAsWithout(fewFoos(8), { guard, shadow: true });
        check(seen.shadows.length > 0 && seen.plans.length === 0, 'expected plans in shadow only');
      }
    }),
    about('tells a model that somebody was asked only if the user says so', async () => {
      const asked = async (options: FrameworkOptions): Promise<boolean> => {
        const { seen, run } = open(foreverFoo, options);
        await run(['Go.']);
        check(seen.rungs.includes('escalate'), `expected escalate, got ${seen.rungs.join()}`);
        return seen.requests.some((request) => request.includes('asks a human'));
      };
      checkSame(await asked({}), false, 'without options');
      checkSame(await asked({ guard: createGuard() }), false, 'with a guard');
      checkSame(await asked({ guard: createRecorder(createMemoryLedger()) }), false, 'recorded');
      checkSame(await asked({ guard: createGuard(), attended: true }), true, 'with attended');
    }),
    about('goes on as without a guard that throws, never answers, or fails', async () => {
      for (const guard of [THROWS, REJECTS, HANGS]) {
        const seen = await sameAsWithout(fewFoos(4), { guard });
        check(seen.faults.length > 0, 'expected the fault to be told');
      }
    }),
    about('passes an error of the model on', async () => {
      await sameAsWithout(({ calls }) =>
        calls.length < 2 ? fooCall(calls.length) : { error: 'The model is overloaded.' },
      );
    }),
    about('lets no secret into plans and faults', async () => {
      const { seen, run } = open(({ calls }) =>
        calls.length < 6
          ? { calls: [{ id: idOf(calls.length), tool: 'search', args: { q: SECRET } }] }
          : { text: 'Done.' },
      );
      await run(['Go.']);
      check(seen.plans.length > 0, 'expected a plan');
      check(
        !JSON.stringify([seen.plans, seen.faults]).includes(SECRET),
        'expected no secret in what is told',
      );
    }),
  ];
  if (can.includes('block') && framework.refusesInPlace)
    cases.push(
      about(
        'refuses a call in its own result, runs the others, and keeps the history valid',
        async () => {
          const both = open(pairs, { guard: refusing(({ q }) => q === 'foo') });
          const { error } = await both.run(['Go.']);
          check(error === undefined, `expected a normal end, got ${nameOf(error)}`);
          checkSame(
            both.seen.ran.filter((call) => call.includes('"foo"')).length,
            1,
            'runs of the call that is refused after the first',
          );
          checkSame(
            both.seen.ran.filter((call) => call.includes('other')).length,
            3,
            'runs of the others',
          );
          for (const { calls, answered } of both.seen.reads)
            checkSame(answered, calls, 'one result for each call, in order');
          const refused = both.seen.reads.at(-1)!.results.map((result) => result.includes(REFUSED));
          checkSame(
            refused,
            [false, false, true, false, true, false],
            'refusals, each in the result of its call',
          );
          const all = open(fewFoos(3), { guard: refusing(() => true) });
          await all.run(['Go.']);
          checkSame(all.seen.ran.length, 1, 'calls that run');
        },
      ),
    );
  else if (can.includes('block'))
    cases.push(
      about('refuses one of several calls, and keeps the history valid', async () => {
        for (const stream of streams ? [false, true] : [false]) {
          const { seen, run } = open(pairs, { guard: refusing(({ q }) => q === 'foo') });
          const { error } = await run(['Go.'], { stream });
          check(error === undefined, `expected a normal end, got ${nameOf(error)}`);
          checkSame(
            seen.ran.filter((call) => call.includes('"foo"')).length,
            1,
            'runs of the call that is refused after the first',
          );
          checkSame(
            seen.ran.filter((call) => call.includes('other')).length,
            4,
            'runs of the others',
          );
          for (const { calls, answered } of seen.reads)
            checkSame(answered, calls, 'one result for each call, in order');
          check(
            seen.reads.at(-1)!.results.some((result) => result.includes(REFUSED)),
            'expected the refusal in a result of the others',
          );
        }
      }),
      about('lets the calls pass when the model fails as it is asked again', async () => {
        for (const stream of streams ? [false, true] : [false]) {
          const { seen, run } = open(
            ({ results, calls }) =>
              results.some((text) => text.includes(REFUSED))
                ? { error: 'The model is overloaded.' }
                : fewFoos(3)({ calls } as ModelReads),
            { guard: refusing(() => true) },
          );
          const { answer, error } = await run(['Go.'], { stream });
          checkSame(
            [nameOf(error), answer, seen.ran.length],
            ['undefined', 'Done.', 3],
            'a run whose model fails only when it is asked again',
          );
          check(seen.faults.length > 0, 'expected the fault to be told');
        }
      }),
      about('asks again when all calls are refused, and lets them pass after a while', async () => {
        for (const stream of streams ? [false, true] : [false]) {
          const { seen, run } = open(
            ({ results, calls }) =>
              results.some((text) => text.includes(REFUSED))
                ? { text: 'I take another way.' }
                : fooCall(calls.length),
            { guard: refusing(() => true) },
          );
          const { answer } = await run(['Go.'], { stream });
          check(
            seen.ran.length === 1 && answer.includes('another way'),
            `expected the model to hear of it, got ${answer}`,
          );
          for (const { calls, answered } of seen.reads)
            checkSame(answered, calls, 'one result for each call, in order');
          const deaf = open(fewFoos(5), { guard: refusing(() => true) });
          await deaf.run(['Go.'], { stream });
          checkSame(
            deaf.seen.ran.length,
            2,
            'calls that run: the first, and the one that was refused thrice',
          );
        }
      }),
    );
  if (resumes)
    cases.push(
      about('recognises a loop that began in another process', async () => {
        const first = open(foreverFoo);
        const { history } = await first.run(['Go.'], { steps: 2 });
        check(
          first.seen.plans.length === 0 && history !== undefined,
          'expected no plan for two equal calls',
        );
        const second = open(fewFoos(4));
        await second.run([], { history });
        checkSame(second.seen.rungs, ['note', 'hint'], 'rungs');
        check(
          second.seen.reads.at(-1)!.results[2]!.includes(second.seen.plans[0]!.toModel),
          'expected the note in the third result',
        );
      }),
    );
  /** Checks that a run was stopped by a `LoopError`, once, and that the work is in it. */
  async function throwsAtStop(options: FrameworkOptions, how: FrameworkRunOptions): Promise<void> {
    const { seen, run } = open(foreverFoo, options);
    const { error } = await run(['Go.'], how);
    const stop = seen.plans.at(-1)!;
    checkSame(seen.rungs.filter((rung) => rung === 'stop').length, 1, 'stops');
    check(seen.faults.length === 0, `expected no fault, got ${JSON.stringify(seen.faults)}`);
    check(
      nameOf(error).includes(stop.toHuman),
      `expected the reason in the error, got ${nameOf(error)}`,
    );
    if (framework.throws === 'text') return;
    const thrown = framework.throws === 'cause' ? (error as Error).cause : error;
    check(thrown instanceof LoopError, `expected a LoopError, got ${nameOf(thrown)}`);
    const { plan, work } = thrown as LoopError;
    checkSame([plan, seen.sessions.has(work.session)], [stop, true], 'the plan and the session');
    check(
      JSON.stringify(work.messages).includes(SAME),
      'expected the results that were found before the stop in the error',
    );
  }

  if (can.includes('stop') && framework.throws !== 'never')
    cases.push(
      about(
        'throws a LoopError at a stop if the user wants that, also while streaming',
        async () => {
          for (const stream of streams ? [false, true] : [false])
            await throwsAtStop({ onStop: 'throw' }, { stream });
        },
      ),
      ...(framework.schemas === false
        ? []
        : [
            about(
              'throws a LoopError at a stop if the answer has to match a schema, and an honest answer matches it',
              async () => {
                for (const stream of streams ? [false, true] : [false]) {
                  await throwsAtStop({}, { stream, schema: true });
                  const { seen, run } = open(({ calls }) =>
                    calls.length < 2
                      ? fooCall(calls.length)
                      : (framework.answers?.('{"found":"it"}') ?? { text: '{"found":"it"}' }),
                  );
                  const { answer, error } = await run(['Go.'], { stream, schema: true });
                  checkSame([nameOf(error), seen.plans], ['undefined', []], 'an honest run');
                  check(answer.includes('"it"'), `expected the answer, got ${answer}`);
                }
              },
            ),
          ]),
    );
  if (can.includes('stop'))
    cases.push(
      about('goes on after a stop when a person speaks', async () => {
        const { seen, run } = open((reads) =>
          reads.prompt.startsWith('Leave') ? { text: 'Gladly.' } : foreverFoo(reads),
        );
        const { answer } = await run(['Go.', 'Leave it, and say goodbye.']);
        check(
          seen.rungs.includes('stop') && answer.includes('Gladly.'),
          `expected an answer after the stop, got ${answer}`,
        );
      }),
    );
  if (streams)
    cases.push(
      about('does the same while streaming, and lets text pass at once', async () => {
        const [whole, streamed] = [await loops({}), await loops({ stream: true })];
        checkSame(streamed.rungs, whole.rungs, 'rungs');
        if (can.includes('stop')) {
          const ended = open(foreverFoo);
          const told = (await ended.run(['Go.'], { stream: true })).pieces.join('');
          const why = ended.seen.plans.at(-1)!.toHuman;
          checkSame(told.split(why).length - 1, 1, 'times that the stream says why it ended');
        }
        const { run } = open(() => ({ text: 'A text of several words that comes in pieces.' }));
        const { pieces } = await run(['Go.'], { stream: true });
        check(pieces.length > 1, `expected several pieces, got ${pieces.length}`);
      }),
      ...(framework.cuts
        ? [
            about(
              'cuts a stream that repeats itself endlessly, and says so at its end',
              async () => {
                const endless = 'I will try again. '.repeat(600);
                const { seen, run } = open(() => ({ text: endless }));
                const { pieces, error } = await run(['Go.'], { stream: true });
                check(error === undefined, `expected a normal end, got ${nameOf(error)}`);
                const text = pieces.join('');
                const why = seen.plans.at(-1)!.toHuman;
                check(text.length < endless.length, 'expected that the stream was cut');
                check(text.endsWith(why), `expected why at the end, got ${text.slice(-200)}`);
                check(!why.includes('advice'), `expected no advice in one message, got ${why}`);
              },
            ),
          ]
        : []),
      about('passes an abort on', async () => {
        const abort = async (options: FrameworkOptions | null): Promise<string> => {
          const controller = new AbortController();
          const { run } = open(({ calls }) => {
            if (calls.length === 2) controller.abort();
            return calls.length < 6 ? fooCall(calls.length) : { text: 'Done.' };
          }, options);
          return nameOf((await run(['Go.'], { signal: controller.signal })).error);
        };
        checkSame(await abort({}), await abort(null), 'what an aborted run throws');
      }),
    );
  return cases;
}

const idOf = (n: number): string => `call_number_${n}`;
const fooCall = (n: number): ScriptedAnswer => ({
  calls: [{ id: idOf(n), tool: 'search', args: { q: 'foo' } }],
});
const foreverFoo: Script = ({ calls }) =>
  calls.length < 30 ? fooCall(calls.length) : { text: 'I give up.' };
const fewFoos =
  (count: number): Script =>
  ({ calls }) =>
    calls.length < count ? fooCall(calls.length) : { text: 'Done.' };

const healthy =
  (steps: number): Script =>
  ({ calls }) =>
    calls.length < steps
      ? {
          text: `Step ${calls.length}: ${uniqueText(`s${calls.length}`)}`,
          calls: [
            { id: idOf(calls.length), tool: 'search', args: { q: uniqueText(`q${calls.length}`) } },
          ],
        }
      : { text: 'All is done.' };

/** Each response searches for the same and for something else. */
export const pairs: Script = ({ calls, results }) =>
  results.length < 5
    ? {
        calls: [
          { id: idOf(calls.length), tool: 'search', args: { q: 'foo' } },
          { id: idOf(calls.length + 1), tool: 'search', args: { q: `other ${results.length}` } },
        ],
      }
    : { text: 'Done.' };

/** Words that no other seed gives. */
const uniqueText = (seed: string): string =>
  Array.from({ length: 12 }, (_, i) =>
    hash32(`${seed} ${i}`)
      .toString(26)
      .replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!),
  ).join(' ');

export const REFUSED = 'That call was not run, as its answer is known.';

/** Refuses some calls once it has given a note, as a guard does. */
export function refusing(isRefused: (args: { [name: string]: unknown }) => boolean): EventJudge {
  let isNoted = false;
  return {
    observe(event) {
      if (event.type === 'call-finished' && !isNoted) {
        isNoted = true;
        return { ...emptyVerdict(), plan: planOn('note') };
      }
      const isToRefuse =
        event.type === 'call-proposed' &&
        isNoted &&
        isRefused(event.call.args as { [name: string]: unknown });
      return { ...emptyVerdict(), plan: isToRefuse ? planOn('block', { toModel: REFUSED }) : null };
    },
  };
}

const THROWS: EventJudge = {
  observe(): Verdict {
    throw new Error('broken');
  },
};
const REJECTS: EventJudge = { observe: (_: AgentEvent) => Promise.reject(new Error('away')) };
const HANGS: EventJudge = { observe: (_: AgentEvent) => new Promise<Verdict>(() => {}) };

const nameOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
