import * as option from '../../option-kinds.ts';
import { push } from '../../recent.ts';
import type { Evidence } from '../../signal.ts';
import { defineDetector } from '../detector.ts';
import {
  alike,
  LAPS,
  type TaskLoopType,
  type TaskStep,
  taskCycle,
  taskPattern,
  withoutPause,
} from '../task-pattern.ts';

interface State {
  /** The last attempts at any task, newest last. */
  recent: (TaskStep & { label: string; at: number; step: number })[];
}

/** Three laps of five tasks, and one more. */
const MAX_ATTEMPTS = 16;
const WORDS: Record<string, string> = {
  completed_task_revisit: 'found it done already',
  blocked_task_spin: 'met the same blockers',
  no_progress_repeat: 'had the same result',
};

/** Marks what repeats when a task waits for a person. */
const WAITS = ' waits';

/** Next moves for a task that makes no progress. */
export const OTHER_WAYS: readonly string[] = [
  'say what the last attempts had in common, and begin with something different',
  'finish a smaller part of the task that can be checked',
  'if something is missing that you cannot provide, say exactly what, and take another task',
];

export const taskLoop = defineDetector({
  name: 'task-loop',
  status: 'stable',
  watches: ['task-attempted'],
  rungs: { first: 'note', highest: 'stop' },
  options: {
    threshold: option.integer(3, { from: 2 }, 'Attempts ending the same way that make a loop.'),
    windowMinutes: option.number(60, { from: 0 }, 'Minutes within which the attempts must fall.'),
    slowThreshold: option.integer(
      5,
      { from: 2, to: 16 },
      'Attempts ending the same way that make a loop however long each takes, up to 12 hours.',
    ),
  },
  start: (): State => ({ recent: [] }),

  step(state, { task, at, step }, { threshold, windowMinutes, slowThreshold }) {
    if (!task) return null;
    const { key, label, status, blockers, work, named } = task;
    state.recent = withoutPause(state.recent, at);
    push(state.recent, { task: key, label, status, blockers, work, at, step }, MAX_ATTEMPTS);
    const young = state.recent.filter((attempt) => at - attempt.at <= windowMinutes * 60_000);
    const ofTask = (attempts: State['recent']) => attempts.filter(({ task }) => task === key);
    const most = Math.max(threshold, slowThreshold);
    const slow = taskPattern(ofTask(state.recent), most);
    const pattern = slow ?? taskPattern(ofTask(young), threshold);
    const own = ofTask(slow ? state.recent : young);
    const evidence = (
      variant: TaskLoopType,
      count: number,
      since: number,
      keys: string[],
    ): Evidence => ({
      variant,
      count,
      since,
      keys,
      equal: true,
      strength: 0.85,
      facts: {
        task: label,
        status,
        tasks: keys.length,
        ...(variant === 'blocked_task_spin' ? { blockers: named } : {}),
        named: keys.map((each) => state.recent.findLast(({ task }) => task === each)!.label),
      },
    });
    const since = ofTask(state.recent);
    // No loop yet: trying again cannot provide it.
    if (task.waits && (work.length === 0 || alike(since) > 1)) {
      const count = Math.max(1, alike(since));
      const waiting = evidence('blocked_task_spin', count, since.at(-count)!.step, [key]);
      const facts = { ...waiting.facts, waiting: true };
      // Once it was provided, other blockers of the task begin a ladder of their own.
      return { ...waiting, keys: [`${key}${WAITS}`], from: 'escalate', facts };
    }
    // A cycle of tasks is more specific than the fact that each of them makes no progress. It takes
    // six attempts or more, so that it needs no window.
    const cycle =
      pattern === null || pattern === 'no_progress_repeat' ? taskCycle(state.recent) : null;
    if (cycle)
      return evidence('task_cycle', LAPS, state.recent.at(-cycle.length * LAPS)!.step, cycle);
    if (!pattern) return null;
    const least = slow ? most : threshold;
    const count = Math.max(least, pattern === 'completed_task_revisit' ? least : alike(own));
    const found = evidence(pattern, count, own.at(-count)!.step, [key]);
    return pattern === 'blocked_task_spin' && task.risky
      ? { ...found, from: 'escalate', facts: { ...found.facts, risky: true } }
      : found;
  },

  explain({ count, variant, facts }) {
    const blockers = Array.isArray(facts.blockers) ? facts.blockers.join('; ') : '';
    if (facts.waiting)
      return `the task \`${facts.task}\` waits for a person: ${blockers}. Another attempt cannot provide that`;
    if (variant === 'task_cycle') {
      const named = Array.isArray(facts.named)
        ? ` ${facts.named.map((task) => `\`${task}\``).join(', ')}`
        : '';
      return `the same tasks${named} were attempted in turn ${count} times over, without new work`;
    }
    const what = `${count} attempts in a row at the task \`${facts.task}\` ${WORDS[variant]}`;
    return variant === 'blocked_task_spin' && blockers !== '' ? `${what}: ${blockers}` : what;
  },

  moves({ variant, facts }) {
    if (facts.waiting || facts.risky)
      return [
        'report exactly what is missing and who can provide it, and do not work around it',
        'take a task that is not blocked',
      ];
    if (variant === 'completed_task_revisit')
      return [
        'mark the task as done and take the next open one',
        'if it is not really done, say what is missing',
      ];
    if (variant === 'blocked_task_spin')
      return [
        'work on what blocks the task, or take one that is not blocked',
        'if only a person can remove the blocker, report it',
      ];
    return OTHER_WAYS;
  },
});
