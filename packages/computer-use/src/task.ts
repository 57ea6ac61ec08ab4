import { UnrutError } from '@unrut/engine/errors';
import { isObject, present } from '@unrut/engine/json';
import { lazily } from '@unrut/engine/lazily';
import {
  aFilledText,
  aFlag,
  aListOf,
  aMapOf,
  aNumber,
  anObject,
  expectedWords,
  fields,
  oneOf,
} from '@unrut/engine/schema/kinds';
import { checkValue, parseValue } from '@unrut/engine/schema/problems';
import type { Path, ValueProblem } from '@unrut/engine/schema/sentences';
import * as v from 'valibot';
import type { Proposal } from './action.ts';
import type { Brain } from './brain.ts';
import { type AnthropicOptions, createAnthropicBrain } from './brains/anthropic.ts';
import { createGeminiBrain, type GeminiOptions } from './brains/gemini.ts';
import { createOpenAiBrain, type OpenAiOptions } from './brains/openai.ts';
import { createScriptedBrain } from './brains/scripted.ts';
import type { ScreenPlan } from './plan.ts';
import { GATE_NAMES, PERMISSIONS, type Permission, SWITCHES, type Switch } from './switches.ts';

/** The model that proposes the actions. */
export type BrainChoice =
  | ({ kind: 'anthropic' } & AnthropicOptions)
  | ({ kind: 'openai' } & Omit<OpenAiOptions, 'acknowledge'>)
  | ({ kind: 'gemini' } & Omit<GeminiOptions, 'acknowledge'>)
  | { kind: 'scripted'; script: readonly Proposal[] };

/** A task from a file or a request. */
export interface Task {
  url: string;
  task: string;
  brain: BrainChoice;
  plan: ScreenPlan;
  maxSteps: number;
  viewport: { width: number; height: number };
  off: readonly Switch[];
  allow: readonly Permission[];
}

const number = aNumber({});
const text = v.string('a string');
const point = { x: number, y: number };
const maybePoint = { x: v.optional(number), y: v.optional(number) };

/** The required and optional fields of each kind of action. */
const actionSchema = lazily(() => {
  const action = <const Type extends string, Entries extends v.ObjectEntries>(
    type: Type,
    entries: Entries,
  ) => fields({ type: v.literal(type), ...entries });
  const actions = [
    action('click', {
      ...point,
      button: v.optional(oneOf(['left', 'right', 'middle'])),
      keys: v.optional(text),
    }),
    action('double_click', point),
    action('triple_click', point),
    action('move', point),
    action('type_text', { text, replace: v.optional(aFlag()), ...maybePoint }),
    action('key_press', {
      keys: text,
      repeat: v.optional(aNumber({ integer: true, from: 1 })),
      seconds: v.optional(aNumber({ from: 0 })),
    }),
    action('scroll', {
      direction: oneOf(['up', 'down', 'left', 'right']),
      amount: number,
      ...maybePoint,
    }),
    action('drag', { ...point, end_x: number, end_y: number }),
    action('navigate', { to: text }),
    action('switch_tab', { tab: aNumber({ integer: true, from: 0 }) }),
    action('upload', { ...point, files: aListOf(text, 'a list of paths') }),
    action('wait', { seconds: aNumber({ from: 0 }) }),
    action('done', { success: aFlag(), summary: text }),
  ] as const;
  return variant('type', actions, 'an object with a type');
});

const brainSchema = lazily(() => {
  const ofModel = {
    model: aFilledText(),
    apiKey: v.optional(
      v.undefined_('omitted (set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY instead)'),
    ),
  };
  const script = aListOf(
    anObject(
      {
        action: actionSchema(),
        reasoning: v.optional(text),
        planStep: v.optional(aNumber({ integer: true, from: 0 })),
      },
      'an object with an action',
    ),
    'a list of proposals',
  );
  const brain = <const Kind extends string, Entries extends v.ObjectEntries>(
    kind: Kind,
    entries: Entries,
  ) => v.looseObject({ kind: v.literal(kind), ...entries }, expectedWords(entries, 'an object'));
  return variant(
    'kind',
    [
      brain('anthropic', ofModel),
      brain('openai', ofModel),
      brain('gemini', ofModel),
      brain('scripted', { script }),
    ],
    'an object with a kind',
  );
});

/** An object whose kind is given by one of its keys. */
function variant<const Options extends v.VariantOptions<string>>(
  key: string,
  options: Options,
  words: string,
) {
  const kinds = (options as unknown as { entries: Record<string, { literal: string }> }[]).map(
    ({ entries }) => entries[key]!.literal,
  );
  return v.variant(key, options, ({ path }) => (path ? `one of ${kinds.join(', ')}` : words));
}

const taskSchema = lazily(() => {
  const sign = { url: v.optional(text), text: v.optional(text) };
  const names = aListOf(text, 'a list of names');
  const side = aNumber({ integer: true, from: 1 });
  const plan = anObject({
    values: v.nullish(
      aMapOf(
        v.union([text, v.number(), anObject({ env: text })], 'a string or { env: NAME }'),
        'an object of labels and values',
      ),
      {},
    ),
    steps: v.nullish(
      aListOf(
        v.union([text, anObject({ name: text, ...sign })], 'a name, or an object with a name'),
        'a list of names',
      ),
      [],
    ),
    required: v.nullish(names, []),
    until: v.optional(anObject(sign, 'an object with url or text')),
  });
  return anObject(
    {
      url: v.pipe(
        text,
        v.regex(/^(?:https?|file):\/\//, 'a URL that starts with http:// or https://'),
      ),
      task: aFilledText(),
      brain: brainSchema(),
      plan: v.nullish(plan, {}),
      maxSteps: v.nullish(side, 50),
      viewport: v.nullish(
        anObject(
          { width: v.optional(side, 1280), height: v.optional(side, 800) },
          'an object with width and height',
        ),
        {},
      ),
      off: v.nullish(aListOf(oneOf(SWITCHES), 'a list of names'), []),
      allow: v.nullish(aListOf(oneOf(PERMISSIONS), 'a list of names'), []),
    },
    'an object with url, task and brain',
  );
});

/** Values to type may be private; names of kinds and switches are not. */
const isSecret = (path: Path): boolean =>
  !['url', 'kind', 'type'].includes(String(path.at(-1))) &&
  path[0] !== 'off' &&
  path[0] !== 'allow';

const unusable = (what: string): UnrutError =>
  new UnrutError('bad-task', `[computer-use] Invalid task: ${what}`);

/** Keys that configure how a task runs. */
const SETTINGS: readonly unknown[] = ['maxSteps', 'viewport', 'off', 'allow'];
/** Required keys of a task. */
const OF_TASK: readonly unknown[] = ['url', 'task', 'brain', 'plan'];

/** The task key that a problem belongs to. */
const keyOf = ({ path: [key], meant }: ValueProblem): unknown => meant ?? key;

const isOfSettings = (problem: ValueProblem): boolean =>
  SETTINGS.includes(problem.path[0]) ||
  (problem.isUnknown === true && problem.path.length === 1 && !OF_TASK.includes(keyOf(problem)));

/**
 * A task without its invalid settings; each is reported in one line. If `off` is invalid, all gates
 * are off, because the intended ones are unknown.
 */
function withSoundSettings(given: unknown, complain: (what: string) => void): unknown {
  if (!isObject(given)) return given;
  const wrong = checkValue(taskSchema(), given, { isSecret }).problems.filter(isOfSettings);
  const isOffUnknown = wrong.some((problem) => keyOf(problem) === 'off');
  const sound: Record<string, unknown> = { ...given };
  for (const problem of wrong) {
    const key = String(problem.path[0]);
    const known: readonly unknown[] = key === 'off' ? SWITCHES : key === 'allow' ? PERMISSIONS : [];
    const names = Array.isArray(given[key])
      ? given[key].filter((name) => known.includes(name))
      : [];
    if (names.length > 0) sound[key] = names;
    else delete sound[key];
    const until = 'Until this is fixed, no action is replaced and no result is refused.';
    complain(`${problem.text} ${keyOf(problem) === 'off' ? until : 'Ignored.'}`);
  }
  if (isOffUnknown)
    sound.off = [...new Set([...(Array.isArray(sound.off) ? sound.off : []), ...GATE_NAMES])];
  return sound;
}

/**
 * Reads a task, or throws a one-line error. Values named by `env` come from `environment`. With
 * `complain`, invalid settings (`off`, `allow`, `maxSteps`, `viewport`) are reported there and the
 * rest applies.
 */
export function readTask(
  given: unknown,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  complain?: (what: string) => void,
): Task {
  const sound = complain ? withSoundSettings(given, complain) : given;
  const { plan, brain, ...task } = parseValue(taskSchema(), sound, unusable, { isSecret });
  const { values, steps, until, ...rest } = plan;
  return {
    ...task,
    brain: brain as BrainChoice,
    plan: {
      ...rest,
      values: Object.entries(values).map(([label, value]) => ({
        label,
        value: readValue(label, value, environment),
      })),
      steps: steps.map((step) => (typeof step === 'string' ? { name: step } : step)),
      ...present({ until }),
    },
  };
}

/** `Label: text`, or `Label: { env: NAME }` for values that must not be in a file. */
function readValue(
  label: string,
  value: string | number | { env: string },
  environment: Readonly<Record<string, string | undefined>>,
): string {
  if (typeof value !== 'object') return String(value);
  const found = environment[value.env];
  if (found) return found;
  throw unusable(
    `plan.values.${label} uses the environment variable ${value.env}, which is not set.`,
  );
}

export function createBrain(choice: BrainChoice): Brain {
  switch (choice.kind) {
    case 'anthropic':
      return createAnthropicBrain(choice);
    case 'openai':
      return createOpenAiBrain(choice);
    case 'gemini':
      return createGeminiBrain(choice);
    case 'scripted':
      return createScriptedBrain(choice.script);
  }
}
