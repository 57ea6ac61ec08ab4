import { UnrutError } from '../errors.ts';
import type { Proposal } from './action.ts';
import type { Brain } from './brain.ts';
import { type AnthropicOptions, createAnthropicBrain } from './brains/anthropic.ts';
import { createOpenAiBrain, type OpenAiOptions } from './brains/openai.ts';
import { createScriptedBrain } from './brains/scripted.ts';
import type { Plan, PlanStep, Sign } from './plan.ts';
import { readScript } from './read-script.ts';
import { SWITCHES, type Switch } from './switches.ts';

/** Which model proposes the actions. */
export type BrainChoice =
  | ({ kind: 'anthropic' } & AnthropicOptions)
  | ({ kind: 'openai' } & Omit<OpenAiOptions, 'acknowledge'>)
  | { kind: 'scripted'; script: readonly Proposal[] };

/** A task as it stands in a file or a request. */
export interface Task {
  url: string;
  task: string;
  brain: BrainChoice;
  plan: Plan;
  maxSteps: number;
  viewport: { width: number; height: number };
  off: readonly Switch[];
  allow: readonly string[];
}

type Given = Record<string, unknown>;
const KEYS = ['url', 'task', 'brain', 'plan', 'maxSteps', 'viewport', 'off', 'allow'];
const PLAN_KEYS = ['values', 'steps', 'required', 'until'];
const SIGN_KEYS = ['url', 'text'];
const DEFAULT_VIEWPORT = { width: 1280, height: 800 };

const fail = (what: string): never => {
  throw new UnrutError('bad-task', `[computer-use] The task is not usable: ${what}.`);
};
const isObject = (value: unknown): value is Given => typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown): string =>
  value === undefined || value === null ? 'nothing' : Array.isArray(value) ? 'a list' : typeof value;

function text(given: Given, name: string): string {
  const value = given[name];
  return typeof value === 'string' && value.trim() !== '' ? value : fail(`expected ${name} to be text, got ${shown(value)}`);
}

function known(given: Given, keys: readonly string[], where: string): void {
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) fail(`there is no ${where}${unknown}; known are ${keys.join(', ')}`);
}

/** Reads a task, or says in one line what is wrong with it. `environment` is where values named by `env` are taken from. */
export function readTask(given: unknown, environment: Readonly<Record<string, string | undefined>> = process.env): Task {
  if (!isObject(given)) return fail(`expected url, task and brain, got ${shown(given)}`);
  known(given, KEYS, '');
  const url = text(given, 'url');
  if (!/^(?:https?|file):\/\//.test(url)) fail(`expected url to begin with http:// or https://, got ${url.slice(0, 60)}`);
  const maxSteps = given.maxSteps ?? 50;
  if (!Number.isInteger(maxSteps) || (maxSteps as number) < 1)
    fail(`expected maxSteps to be a whole number from 1 on, got ${String(maxSteps)}`);
  const off = list(given, 'off') as Switch[];
  const wrong = off.find((name) => !SWITCHES.includes(name));
  if (wrong !== undefined) fail(`off has ${wrong}; known are ${SWITCHES.join(', ')}`);
  return {
    url,
    task: text(given, 'task'),
    brain: readBrain(given.brain),
    plan: readPlan(given.plan ?? {}, environment),
    maxSteps: maxSteps as number,
    viewport: readViewport(given.viewport ?? {}),
    off,
    allow: list(given, 'allow'),
  };
}

function list(given: Given, name: string): string[] {
  const value = given[name] ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string'))
    fail(`expected ${name} to be a list of names, got ${shown(value)}`);
  return value as string[];
}

function readBrain(given: unknown): BrainChoice {
  if (!isObject(given)) return fail(`expected brain with a kind of anthropic, openai or scripted, got ${shown(given)}`);
  if (given.kind === 'scripted') {
    if (!Array.isArray(given.script)) return fail('a scripted brain needs a script: a list of proposals');
    const script = readScript(given.script);
    return 'wrong' in script ? fail(script.wrong) : { ...given, kind: 'scripted', script };
  }
  if (given.kind !== 'anthropic' && given.kind !== 'openai')
    return fail(`expected brain.kind to be anthropic, openai or scripted, got ${String(given.kind)}`);
  if (given.apiKey !== undefined) fail('brain.apiKey does not belong in a file; set ANTHROPIC_API_KEY or OPENAI_API_KEY');
  text(given, 'model');
  return given as BrainChoice;
}

function readPlan(given: unknown, environment: Readonly<Record<string, string | undefined>>): Plan {
  if (!isObject(given)) return fail(`expected plan to hold ${PLAN_KEYS.join(', ')}, got ${shown(given)}`);
  known(given, PLAN_KEYS, 'plan.');
  const { steps = [], until } = given;
  if (!Array.isArray(steps)) return fail(`expected plan.steps to be a list of names, got ${shown(steps)}`);
  return {
    values: readValues(given.values ?? {}, environment),
    steps: steps.map((step, i) => (typeof step === 'string' ? { name: step } : readStep(step, `plan.steps[${i}]`))),
    required: list(given, 'required'),
    ...(until === undefined ? {} : { until: readSign(until, 'plan.until') }),
  };
}

function readStep(given: unknown, where: string): PlanStep {
  if (!isObject(given) || typeof given.name !== 'string')
    return fail(`expected ${where} to be a name, or an object with a name, got ${shown(given)}`);
  const { name, ...sign } = given;
  return { name: name as string, ...readSign(sign, where) };
}

function readSign(given: unknown, where: string): Sign {
  if (!isObject(given)) return fail(`expected ${where} to hold url or text, got ${shown(given)}`);
  known(given, SIGN_KEYS, `${where}.`);
  const wrong = Object.keys(given).find((key) => typeof given[key] !== 'string');
  return wrong === undefined ? given : fail(`expected ${where}.${wrong} to be text, got ${shown(given[wrong])}`);
}

function readViewport(given: unknown): Task['viewport'] {
  if (!isObject(given)) return fail(`expected viewport to have a width and a height, got ${shown(given)}`);
  const { width, height } = { ...DEFAULT_VIEWPORT, ...given };
  for (const side of [width, height])
    if (!Number.isInteger(side) || side < 1) fail(`expected viewport to have a width and a height from 1 on, got ${String(side)}`);
  return { width, height };
}

/** `Label: text`, or `Label: { env: NAME }` for what must not stand in a file. */
function readValues(given: unknown, environment: Readonly<Record<string, string | undefined>>): NonNullable<Plan['values']> {
  if (!isObject(given)) return fail(`expected plan.values to be labels and their values, got ${shown(given)}`);
  return Object.entries(given).map(([label, value]) => {
    if (typeof value === 'string' || typeof value === 'number') return { label, value: String(value) };
    const name = isObject(value) ? value.env : undefined;
    if (typeof name !== 'string') return fail(`expected plan.values.${label} to be text or { env: NAME }, got ${shown(value)}`);
    const found = environment[name];
    return found ? { label, value: found } : fail(`plan.values.${label} names the environment variable ${name}, which is not set`);
  });
}

export function createBrain(choice: BrainChoice): Brain {
  switch (choice.kind) {
    case 'anthropic':
      return createAnthropicBrain(choice);
    case 'openai':
      return createOpenAiBrain(choice);
    case 'scripted':
      return createScriptedBrain(choice.script);
  }
}
