import { UnrutError } from '../errors.ts';
import type { Proposal } from './action.ts';
import type { Brain } from './brain.ts';
import { type AnthropicOptions, createAnthropicBrain } from './brains/anthropic.ts';
import { createOpenAiBrain, type OpenAiOptions } from './brains/openai.ts';
import { createScriptedBrain } from './brains/scripted.ts';
import type { Plan } from './plan.ts';
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
const DEFAULT_VIEWPORT = { width: 1280, height: 800 };

const fail = (what: string): never => {
  throw new UnrutError('bad-task', `[computer-use] The task is not usable: ${what}.`);
};
const isObject = (value: unknown): value is Given => typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown): string => (value === undefined ? 'nothing' : Array.isArray(value) ? 'a list' : typeof value);

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
    viewport: isObject(given.viewport) ? { ...DEFAULT_VIEWPORT, ...given.viewport } : DEFAULT_VIEWPORT,
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
  if (given.kind === 'scripted')
    return Array.isArray(given.script) ? (given as BrainChoice) : fail('a scripted brain needs a script: a list of proposals');
  if (given.kind !== 'anthropic' && given.kind !== 'openai')
    return fail(`expected brain.kind to be anthropic, openai or scripted, got ${String(given.kind)}`);
  if (given.apiKey !== undefined) fail('brain.apiKey does not belong in a file; set ANTHROPIC_API_KEY or OPENAI_API_KEY');
  text(given, 'model');
  return given as BrainChoice;
}

function readPlan(given: unknown, environment: Readonly<Record<string, string | undefined>>): Plan {
  if (!isObject(given)) return fail(`expected plan to hold ${PLAN_KEYS.join(', ')}, got ${shown(given)}`);
  known(given, PLAN_KEYS, 'plan.');
  const steps = ((given.steps ?? []) as unknown[]).map((step) => (typeof step === 'string' ? { name: step } : (step as { name: string })));
  return {
    values: readValues(given.values ?? {}, environment),
    steps,
    required: list(given, 'required'),
    ...(isObject(given.until) ? { until: given.until as { url?: string; text?: string } } : {}),
  };
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
