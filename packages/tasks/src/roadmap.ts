import { UnrutError } from '@unrut/engine/errors';
import { present } from '@unrut/engine/json';
import { lazily } from '@unrut/engine/lazily';
import { aFilledText, aListOf, aMapOf, anObject, oneOf } from '@unrut/engine/schema/kinds';
import { parseValue } from '@unrut/engine/schema/problems';
import * as v from 'valibot';
import { TASK_STATUSES, type TaskStatus } from './attempt.ts';

/** How hard a task is expected to be; 3 is `medium`. */
export type Complexity = 'low' | 'medium' | 'high' | 1 | 2 | 3 | 4 | 5;

/** A task as its author wrote it. */
export interface RoadmapTask {
  id: string;
  title: string;
  /** The prompt for the agent. */
  prompt: string;
  /** Ids of tasks that must be done first. */
  dependsOn: string[];
  /** Commands that must all exit with 0. If there are none, the agent's promise decides. */
  exitCriteria: string[];
  /** Names of checks that must pass, too. */
  checks: string[];
  complexity?: Complexity;
  /** Allows authority over its blockers although the task deploys, deletes or pays. */
  unblock?: boolean;
  /** Its status before the first run. Default: pending. */
  status: TaskStatus;
  /** Its author wrote no status. */
  hasNoStatus?: true;
}

/** A named check that tasks can require. */
export interface Check {
  command: string;
  /**
   * A command that fails if the check cannot be run now. Without a probe, the check is always
   * available.
   */
  probe?: string;
}

export interface Roadmap {
  tasks: RoadmapTask[];
  checks: Record<string, Check>;
}

const aName = () =>
  v.pipe(v.union([v.string(), v.number()], 'a non-empty string'), v.transform(String));
const names = () =>
  v.pipe(
    v.nullish(v.union([aName(), aListOf(aName())], 'a list of strings'), []),
    v.transform((given) => [given].flat()),
  );

const checkSchema = v.union(
  [
    v.string(),
    anObject({ command: aFilledText('a command'), probe: v.optional(v.string('a command')) }),
  ],
  'a command, or an object with command and probe',
);

const roadmapSchema = lazily(() =>
  anObject(
    {
      tasks: v.nullish(aListOf(v.unknown(), 'a list'), []),
      checks: v.nullish(aMapOf(checkSchema, 'a mapping of names to commands'), {}),
    },
    'a mapping with tasks, each with id and prompt',
  ),
);

const taskSchema = lazily(() =>
  anObject(
    {
      id: v.pipe(aName(), v.regex(/\S/, 'a non-empty string')),
      title: v.optional(v.unknown()),
      prompt: aFilledText(),
      dependsOn: names(),
      exitCriteria: names(),
      checks: names(),
      complexity: v.optional(
        v.picklist(['low', 'medium', 'high', 1, 2, 3, 4, 5], 'low, medium, high or 1 to 5'),
      ),
      unblock: v.optional(v.boolean('true or false')),
      status: v.optional(oneOf(TASK_STATUSES)),
    },
    'a mapping with id and prompt',
  ),
);

/**
 * Reads a roadmap from parsed YAML or JSON. Throws a one-line error that names what is wrong and
 * where.
 */
export function readRoadmap(value: unknown, file = 'the roadmap'): Roadmap {
  const wrong = (text: string): UnrutError =>
    new UnrutError('bad-roadmap', `[tasks] ${file}: ${text}`);
  const { tasks, checks } = parseValue(
    roadmapSchema(),
    Array.isArray(value) ? { tasks: value } : value,
    wrong,
  );
  const roadmap: Roadmap = {
    checks: Object.fromEntries(
      Object.entries(checks).map(([name, given]) => [
        name,
        typeof given === 'string' ? { command: given } : (given as Check),
      ]),
    ),
    tasks: readTasks(tasks, wrong),
  };
  checkNames(roadmap, wrong);
  return roadmap;
}

type Wrong = (text: string) => UnrutError;

const MAX_COMPLAINTS = 5;

/** Reports the problems of all tasks together. */
function readTasks(values: readonly unknown[], wrong: Wrong): RoadmapTask[] {
  const complaints: string[] = [];
  const tasks = values.flatMap((value, i) => {
    try {
      return [readTask(value, i, (text) => new UnrutError('bad-roadmap', text))];
    } catch (error) {
      complaints.push((error as UnrutError).message.replace('[unrut] ', ''));
      return [];
    }
  });
  const more =
    complaints.length > MAX_COMPLAINTS ? ` And ${complaints.length - MAX_COMPLAINTS} more.` : '';
  if (complaints.length > 0) throw wrong(complaints.slice(0, MAX_COMPLAINTS).join(' ') + more);
  return tasks;
}

function readTask(value: unknown, index: number, wrong: Wrong): RoadmapTask {
  const name = (value as { id?: unknown } | null)?.id ?? index + 1;
  const { title, status, complexity, unblock, ...task } = parseValue(taskSchema(), value, (text) =>
    wrong(`task ${name}: ${text}`),
  );
  return {
    ...task,
    title: String(title ?? task.id),
    status: status ?? 'pending',
    ...(status === undefined ? { hasNoStatus: true } : {}),
    ...present({ complexity, unblock }),
  };
}

function checkNames({ tasks, checks }: Roadmap, wrong: Wrong): void {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const twice = tasks.find((task) => known.get(task.id) !== task);
  if (twice) throw wrong(`two tasks have the id ${twice.id}. Give each task its own id.`);
  for (const task of tasks) {
    const missing = task.dependsOn.find((id) => !known.has(id));
    if (missing !== undefined)
      throw wrong(`task ${task.id} depends on ${missing}, which does not exist.`);
    const check = task.checks.find((name) => !Object.hasOwn(checks, name));
    if (check !== undefined)
      throw wrong(`task ${task.id} requires the check ${check}, which is not listed under checks.`);
  }
  const circle = circleAmong(tasks, known);
  if (circle)
    throw wrong(
      `tasks depend on each other: ${circle.join(' → ')}. Remove one of these dependencies.`,
    );
}

function circleAmong(
  tasks: readonly RoadmapTask[],
  known: ReadonlyMap<string, RoadmapTask>,
): string[] | undefined {
  const clear = new Set<string>();
  const walk = (id: string, path: readonly string[]): string[] | undefined => {
    if (clear.has(id)) return undefined;
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    for (const next of known.get(id)!.dependsOn) {
      const circle = walk(next, [...path, id]);
      if (circle) return circle;
    }
    clear.add(id);
    return undefined;
  };
  for (const { id } of tasks) {
    const circle = walk(id, []);
    if (circle) return circle;
  }
  return undefined;
}
