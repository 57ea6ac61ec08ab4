import type { CallPrint, CallWorld, ResultPrint } from '../../prints.ts';
import { firstRule, type Rule } from '../../rule.ts';
import { asksForSize } from '../../shell/asks.ts';

/** The world of a call and the name of the rule that decided it. */
export interface WorldPrint {
  world: CallWorld;
  rule: string;
}

/** What the rules look at. */
export interface WorldQuestion {
  call: CallPrint;
  /** Undefined while the call is only proposed. */
  result: ResultPrint | undefined;
  /** Unexplained silence before the call, in milliseconds. */
  gap: number;
  /** Time since the last step, less what the call itself took, in milliseconds. */
  interval: number;
  /** The user asked to watch something that others change. */
  watches: boolean;
  /** The call follows a wait. */
  waited: boolean;
  /** The call was made before. */
  repeated: boolean;
  /** Something that the agent started still runs in the background. */
  job: boolean;
  /** That writes the file which the call reads. */
  jobFile: boolean;
  /** The host reported that the target of the call has changed by itself. */
  changed: boolean;
}

/** Calls that are this far apart, in milliseconds, by silence that nobody explains may be a wait. */
const SPACED = 10_000;
/** The same, if the user asked to wait: the shortest interval at which somebody looks again. */
const SPACED_IF_ASKED = 3000;

/** Failures of the way to a server, which somebody may repair. */
const NETWORK: ReadonlySet<string> = new Set(['bad-address', 'not-ready']);

const isLook = ({ call }: WorldQuestion): boolean =>
  call.verb === 'read' || call.verb === 'unknown' || call.verb === 'navigate';
const failed = ({ result }: WorldQuestion): boolean =>
  result !== undefined && result.error !== null;
const runs = ({ call }: WorldQuestion): boolean =>
  call.verb === 'verify' || (call.verb === 'execute' && call.shell);
/** A search for words in files of the workspace: being asked to wait does not make them change. */
const searchesFiles = ({ call }: WorldQuestion): boolean => call.sought !== undefined;
/** An install of what others publish. */
const failsToBring = (question: WorldQuestion): boolean =>
  question.call.asks === 'news' && question.call.shell && failed(question);
const fetches = ({ call }: WorldQuestion): boolean => call.target?.startsWith('url:') === true;

/**
 * Whether the answer to a call can change although this agent does nothing that we see. The
 * first rule that applies decides; README.md has cases for each.
 */
export const WORLD_RULES: readonly Rule<WorldQuestion, CallWorld>[] = [
  { name: 'declared-poll', when: ({ call }) => call.poll, gives: 'open' },
  {
    // No tool of this name, or arguments that it does not take: nothing ran.
    name: 'refused-call',
    when: ({ result }) => result?.error?.refusal != null,
    gives: 'closed',
  },
  { name: 'wait-that-ended', when: ({ call }) => call.verb === 'wait', gives: 'open' },
  {
    name: 'after-a-wait',
    when: (question) => question.waited && (question.call.verb === 'read' || !failed(question)),
    gives: 'open',
  },
  { name: 'host-reported-change', when: ({ changed }) => changed, gives: 'open' },
  { name: 'file-of-background-job', when: ({ jobFile }) => jobFile, gives: 'open' },
  {
    name: 'asked-to-wait',
    when: (question) =>
      question.watches &&
      question.interval >= SPACED_IF_ASKED &&
      !searchesFiles(question) &&
      (isLook(question) || failsToBring(question) || (runs(question) && !failed(question))),
    gives: 'open',
  },
  {
    name: 'size-while-background-job-runs',
    when: ({ job, call }) => job && call.verb === 'read' && asksForSize(call),
    gives: 'open',
  },
  { name: 'log-file', when: (question) => question.call.log && isLook(question), gives: 'open' },
  {
    name: 'answer-says-waiting',
    when: ({ result }) => result?.pending === true,
    gives: 'open',
  },
  {
    name: 'state-of-something-running',
    when: ({ call }) => call.asks === 'state' && call.shell,
    gives: 'open',
  },
  {
    name: 'server-turned-away',
    when: ({ result }) =>
      result?.error?.transient === true ||
      result?.failure === 'closed-port' ||
      result?.failure === 'closed-host',
    gives: 'open',
  },
  {
    name: 'fetch-while-background-job-runs',
    when: (question) => question.job && fetches(question),
    gives: 'open',
  },
  {
    // What was started may not be up yet. Searches and files do not depend on it.
    name: 'question-while-background-job-runs',
    when: (question) =>
      question.job &&
      question.call.verb === 'read' &&
      (question.call.asks === 'news' || (failed(question) && question.call.asks === null)),
    gives: 'open',
  },
  {
    name: 'spaced-network-failure',
    when: ({ gap, result }) => gap >= SPACED && NETWORK.has(result?.failure ?? ''),
    gives: 'open',
  },
  {
    // What others publish is not there until they have. Another name each time is a guess.
    name: 'not-published-yet',
    when: ({ call, result, repeated }) =>
      repeated &&
      call.shell &&
      call.verb === 'read' &&
      call.asks === 'news' &&
      result?.error != null &&
      result.failure !== 'missing-option',
    gives: 'open',
  },
  { name: 'same-failure', when: failed, gives: 'closed' },
  {
    name: 'state-as-a-field',
    when: (question) => question.result?.stateField === true && isLook(question),
    gives: 'open',
  },
  {
    name: 'state-in-a-short-answer',
    when: (question) =>
      question.result?.state === true && question.call.asks !== 'content' && isLook(question),
    gives: 'open',
  },
  {
    name: 'empty-inbox-or-queue',
    when: ({ call, result }) =>
      (call.asks === 'state' || (call.asks === 'news' && call.verb !== 'write')) &&
      result?.empty === true,
    gives: 'open',
  },
  {
    name: 'spaced-while-background-job-runs',
    when: (question) => question.job && question.gap >= SPACED && isLook(question),
    gives: 'open',
  },
  {
    name: 'content',
    when: ({ call }) => call.asks === 'content' || call.asks === 'news',
    gives: 'closed',
  },
  {
    name: 'spaced-question',
    when: (question) => question.gap >= SPACED && (isLook(question) || runs(question)),
    gives: 'open',
  },
  {
    name: 'program-that-succeeds',
    when: runs,
    gives: 'undecided',
  },
];

/** Whether only the silence between the calls makes it open. */
export const bySpacing = ({ rule }: WorldPrint): boolean => rule.startsWith('spaced-');

/** What no rule decides is treated as closed. */
const OTHERWISE: WorldPrint = { world: 'closed', rule: 'nothing-else-known' };

export function readWorld(question: WorldQuestion): WorldPrint {
  const rule = firstRule(WORLD_RULES, question);
  return rule ? { world: rule.gives, rule: rule.name } : OTHERWISE;
}
