import { UnrutError } from '../errors.ts';
import { TASK_STATUSES, type TaskStatus } from './attempt.ts';

/** How hard a task is expected to be; 3 is `medium`. */
export type Complexity = 'low' | 'medium' | 'high' | 1 | 2 | 3 | 4 | 5;

/** A task as its author wrote it. */
export interface RoadmapTask {
  id: string;
  title: string;
  /** What the agent is told. */
  prompt: string;
  /** Ids of tasks that must be done before. */
  dependsOn: string[];
  /** Commands that must all exit with 0. Without any, the agent's promise decides. */
  exitCriteria: string[];
  /** Names of checks that must pass as well. */
  checks: string[];
  complexity?: Complexity;
  /** Where it stands before the first run. Default: pending. */
  status: TaskStatus;
  /** Its author wrote no status. */
  hasNoStatus?: true;
}

/** A check that tasks may require by name. */
export interface Check {
  command: string;
  /** A command that fails when the check cannot be made now. Without it the check is available. */
  probe?: string;
}

export interface Roadmap {
  tasks: RoadmapTask[];
  checks: Record<string, Check>;
}

type Fields = Record<string, unknown>;

const COMPLEXITIES: readonly unknown[] = ['low', 'medium', 'high', 1, 2, 3, 4, 5];
const TASK_FIELDS = ['id', 'title', 'prompt', 'dependsOn', 'exitCriteria', 'checks', 'complexity', 'status'];

/** A roadmap from parsed YAML or JSON. Throws with one line that says what is wrong, and where. */
export function readRoadmap(value: unknown, file = 'the roadmap'): Roadmap {
  const wrong = (text: string): UnrutError => new UnrutError('bad-roadmap', `[tasks] ${file}: ${text}`);
  const fields = isFields(value) ? value : Array.isArray(value) ? { tasks: value } : undefined;
  if (!fields) throw wrong('expected a mapping with tasks, each with id and prompt.');
  const unknown = Object.keys(fields).find((name) => name !== 'tasks' && name !== 'checks');
  if (unknown !== undefined) throw wrong(`there is no field ${unknown}. Known: tasks, checks.`);
  const tasks = fields.tasks ?? [];
  if (!Array.isArray(tasks)) throw wrong(`expected tasks to be a list, got ${typeof tasks}.`);

  const roadmap: Roadmap = { checks: checksOf(fields.checks ?? {}, wrong), tasks: tasks.map((task, i) => taskOf(task, i, wrong)) };
  checkNames(roadmap, wrong);
  return roadmap;
}

type Wrong = (text: string) => UnrutError;

function checksOf(value: unknown, wrong: Wrong): Record<string, Check> {
  if (!isFields(value)) throw wrong('expected checks to be a mapping of names to commands.');
  const entries = Object.entries(value).map(([name, given]): [string, Check] => {
    const { command, probe } = isFields(given) ? given : { command: given, probe: undefined };
    if (typeof command !== 'string' || (probe !== undefined && typeof probe !== 'string'))
      throw wrong(`check ${name}: expected a command, or command and probe.`);
    return [name, probe === undefined ? { command } : { command, probe }];
  });
  return Object.fromEntries(entries);
}

function taskOf(value: unknown, index: number, wrong: Wrong): RoadmapTask {
  if (!isFields(value)) throw wrong(`task ${index + 1}: expected a mapping with id and prompt.`);
  const id = typeof value.id === 'number' ? String(value.id) : value.id;
  if (typeof id !== 'string' || id.trim() === '') throw wrong(`task ${index + 1}: expected an id.`);
  const unknown = Object.keys(value).find((name) => !TASK_FIELDS.includes(name));
  if (unknown !== undefined) throw wrong(`task ${id}: there is no field ${unknown}. Known: ${TASK_FIELDS.join(', ')}.`);
  const { prompt, title = id, complexity, status = 'pending' } = value;
  if (typeof prompt !== 'string' || prompt.trim() === '') throw wrong(`task ${id}: expected a prompt.`);
  if (!TASK_STATUSES.includes(status as TaskStatus))
    throw wrong(`task ${id}: expected a status of ${TASK_STATUSES.join(', ')}; got ${String(status)}.`);
  if (complexity !== undefined && !COMPLEXITIES.includes(complexity))
    throw wrong(`task ${id}: expected a complexity of low, medium, high or 1 to 5; got ${String(complexity)}.`);
  const list = (name: string): string[] => {
    const given = value[name] ?? [];
    const items = typeof given === 'string' || typeof given === 'number' ? [given] : given;
    if (!Array.isArray(items) || !items.every((item) => ['string', 'number'].includes(typeof item)))
      throw wrong(`task ${id}: expected ${name} to be a list of texts.`);
    return items.map(String);
  };
  return {
    id,
    title: String(title),
    prompt,
    dependsOn: list('dependsOn'),
    exitCriteria: list('exitCriteria'),
    checks: list('checks'),
    status: status as TaskStatus,
    ...(value.status === undefined ? { hasNoStatus: true } : {}),
    ...(complexity === undefined ? {} : { complexity: complexity as Complexity }),
  };
}

function checkNames({ tasks, checks }: Roadmap, wrong: Wrong): void {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const twice = tasks.find((task) => known.get(task.id) !== task);
  if (twice) throw wrong(`two tasks have the id ${twice.id}. Give each its own.`);
  for (const task of tasks) {
    const missing = task.dependsOn.find((id) => !known.has(id));
    if (missing !== undefined) throw wrong(`task ${task.id} depends on ${missing}, which is no task.`);
    const check = task.checks.find((name) => !Object.hasOwn(checks, name));
    if (check !== undefined) throw wrong(`task ${task.id} requires the check ${check}, which is not under checks.`);
  }
  const circle = circleAmong(tasks, known);
  if (circle) throw wrong(`tasks depend on each other in a circle: ${circle.join(' → ')}. Take one dependency out.`);
}

function circleAmong(tasks: readonly RoadmapTask[], known: ReadonlyMap<string, RoadmapTask>): string[] | undefined {
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

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
