import type { Fingerprint } from '../../fingerprint/fingerprint.ts';
import { overlap } from '../../fingerprint/sketch.ts';
import { isAboutAnother, type SpawnPrint } from '../../fingerprint/spawns.ts';
import * as option from '../../option-kinds.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';

interface State {
  /** Similar consecutive tasks whose answers contained nothing new. */
  echo: Echo | null;
  /** The step at which the storm began. */
  since: number | null;
}

/** Their number, first step, the words of the last one, and the names in it. */
interface Echo {
  count: number;
  since: number;
  batch: string;
  words: number[];
  names: number[];
}

/** Words of tasks that are alike. */
const ALIKE = 0.6;

export const fanOut = defineDetector({
  name: 'fan-out',
  status: 'stable',
  watches: ['call-proposed', 'call-finished'],
  alsoNeutral: ['batch', 'poll', 'asked', 'transient-error'],
  rungs: { first: 'note', highest: 'escalate' },
  options: {
    perMinute: option.integer(
      20,
      { from: 1 },
      'Agents started within a minute from which it is a storm, if more than `crowd` of them run.',
    ),
    crowd: option.integer(
      16,
      { from: 1 },
      'Agents running at once that make a storm of many starts.',
    ),
    running: option.integer(
      40,
      { from: 1 },
      'Agents running at once that are too many in any case.',
    ),
    rush: option.integer(
      60,
      { from: 1 },
      'Agents started within a minute that are too many in any case.',
    ),
    hold: option.integer(
      30,
      { from: 1 },
      'Agents started within a minute from which no more are started while the storm lasts.',
    ),
    passed: option.integer(3, { from: 2 }, 'Times in a row that an agent hands its own task on.'),
    echo: option.integer(8, { from: 2 }, 'Agents in a row with tasks alike and no new answer.'),
  },
  start: (): State => ({ echo: null, since: null }),

  step(state, seen, options) {
    const { spawns, call, type, step } = seen;
    if (!spawns || !call) return null;
    const isStart = type === 'call-proposed';
    const echoes = isStart ? 0 : echoOf(state, spawns, seen);
    const storm = stormOf(spawns, options);
    noteStorm(state, storm !== null, step - spawns.minute + 1);
    const { held, task, total } = spawns;
    // A start that is held back is none.
    const less = isStart ? 1 : 0;
    const [minute, running] = [spawns.minute - less, spawns.running - less];
    const facts = { minute, running, total: total - less, tool: call.tool };
    if (storm) {
      const holds = spawns.minute > options.hold || storm !== 'crowd';
      if (isStart && !holds) return null;
      return evidence('storm', minute, state.since!, {
        ...heldBack(isStart),
        // A host that holds starts back asks a person then.
        cap: holds && held === 0 ? 'escalate' : 'hint',
        facts: { ...facts, why: storm },
      });
    }
    if (task.passed >= options.passed)
      return evidence('depth', task.passed, step, {
        ...heldBack(isStart),
        facts: { ...facts, depth: task.depth, passed: task.passed },
      });
    if (echoes < options.echo) return null;
    return evidence('echo', echoes, state.echo!.since, { facts: { ...facts, echoes } });
  },

  explain: ({ variant, facts: { minute, running, depth, passed, echoes } }) =>
    variant === 'storm'
      ? `${minute} agents were started within a minute, and ${Number(running) > 40 ? 'more than 40' : running} of them run at once`
      : variant === 'depth'
        ? `an agent at depth ${depth} starts another one with the task that it was given itself, which was handed on like that ${passed} times`
        : `${echoes} agents in a row were started with nearly the same task, and their answers contained nothing new`,

  moves: ({ variant }) => (variant === 'depth' ? DO_IT : variant === 'echo' ? OTHERWISE : WAIT),
});

/** Keeps the step that the storm began with. */
function noteStorm(state: State, isStorm: boolean, from: number): void {
  if (!isStorm) state.since = null;
  else state.since ??= Math.max(0, from);
}

const heldBack = (isStart: boolean): { holds?: true } => (isStart ? { holds: true } : {});

const WAIT = [
  'start no more agents: wait for those that run, and use what they found',
  'put several items into the task of one agent, and run at most ten at once',
];
const DO_IT = [
  'do the task yourself with your own tools, and start no other agent for it',
  'if you cannot do it, say so and end your turn',
];
const OTHERWISE = [
  'do not ask again: work with what the agents have answered',
  'look into it yourself, or give the next agent another task',
];

type Storm = 'crowd' | 'running' | 'rush';

function stormOf(
  { minute, running }: SpawnPrint,
  options: { perMinute: number; crowd: number; running: number; rush: number },
): Storm | null {
  if (running > options.running) return 'running';
  if (minute > options.rush) return 'rush';
  return minute > options.perMinute && running > options.crowd ? 'crowd' : null;
}

/**
 * Counts consecutive answers without news to similar tasks; those of one response count once. An
 * agent in the background has not answered, nor has one that failed or that only confirms.
 */
function echoOf(
  state: State,
  { task: { words }, names, launched }: SpawnPrint,
  { progress, neutral, result, batch, step }: Fingerprint,
): number {
  if (launched || neutral || !result?.known || result.error || result.acknowledgement) return 0;
  if (progress !== null) {
    state.echo = null;
    return 0;
  }
  const { echo } = state;
  const isAlike =
    echo !== null &&
    overlap(words, echo.words, words.length) >= ALIKE &&
    !isAboutAnother(names, echo.names);
  const count = !isAlike ? 1 : echo.batch === batch ? echo.count : echo.count + 1;
  state.echo = isAlike ? { ...echo, count, batch } : { count, since: step, batch, words, names };
  return count;
}

const evidence = (
  variant: string,
  count: number,
  since: number,
  more: Pick<Evidence, 'facts'> & Partial<Evidence>,
): Evidence => ({
  variant,
  count,
  since,
  keys: [`fan-out/${variant}`],
  equal: true,
  strength: 0.9,
  ...more,
});
