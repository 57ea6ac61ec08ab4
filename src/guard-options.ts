import * as v from 'valibot';
import type { Detector } from './detectors/detector.ts';
import { UnrutError } from './errors.ts';
import { type Capability, RUNGS } from './event.ts';
import type { Preset } from './presets.ts';
import type { Verb } from './prints.ts';
import { aFlag, aListOf, aMapOf, aNumber, anOptional, described, oneOf, optionSchemas } from './schema/kinds.ts';
import { checkValue } from './schema/problems.ts';

/** Options by detector name: those of a preset's detectors, as far as the compiler knows these. */
export type DetectorOptions<Used extends Preset> = string extends Used['detectors'][number]['name']
  ? Readonly<Record<string, object>>
  : { readonly [Each in Used['detectors'][number] as Each['name']]?: Readonly<Partial<Each['options']>> };

const CAPABILITIES: readonly Capability[] = RUNGS;

const VERBS = Object.keys({
  read: true,
  write: true,
  verify: true,
  execute: true,
  wait: true,
  navigate: true,
  nothing: true,
  unknown: true,
} satisfies Record<Verb, true>) as Verb[];

/** What users say of a tool, here and in a config. */
export const toolSchema = () =>
  anOptional({
    poll: () => described(aFlag(), 'Calling it again to see whether something has changed is its purpose.'),
    identity: () => described(aListOf(v.string('a string')), 'Dotted paths of the arguments that alone identify a call.'),
    verb: () => described(oneOf(VERBS), 'What it does to its target.'),
    target: () => described(v.string('a string'), 'Name of the argument that says what the call touches.'),
  });

const anyOptions = () => aMapOf(v.unknown());

const guardSchema = ({ detectors, recoveries }: Pick<Preset, 'detectors' | 'recoveries'>) =>
  anOptional({
    can: () => aListOf(oneOf(CAPABILITIES), 'a list of capabilities'),
    preset: () => v.custom(isPreset, "a preset, such as `strict` of `import { strict } from 'unrut'`"),
    options: () => anOptional(Object.fromEntries(detectors.map(({ name }) => [name, anyOptions])), 'an object of options by detector name'),
    tools: () => aMapOf(toolSchema(), 'an object of declarations by tool name'),
    shadow: () => aFlag(),
    attended: () => aFlag(),
    allow: () => aListOf(oneOf(recoveries.map(({ name }) => name)), 'a list of recovery names'),
    key: () => v.string('a string'),
    learned: () => aMapOf(aNumber({}), 'an object of numbers'),
    hintFailures: () => aFlag(),
    from: () => v.unknown(),
    sessions: () => aNumber({ integer: true, from: 1 }),
  });

function isPreset(value: unknown): value is Preset {
  const { detectors, recoveries } = (value ?? {}) as Partial<Record<string, unknown>>;
  return [detectors, recoveries].every((list) => Array.isArray(list) && list.every((each) => typeof each?.name === 'string'));
}

const NOTHING = { detectors: [], recoveries: [] };

/** The detectors of a preset with the options of this guard. Throws one error with a line for each thing that is wrong with what was given. */
export function checkedDetectors(given: { options?: object }, preset: Preset): Detector[] {
  const { sound, problems } = checkValue(guardSchema(isPreset(preset) ? preset : NOTHING), given, { isSecret: ([key]) => key === 'key' });
  const lines = problems.map(({ text }) => text);
  const options = (sound as { options?: Record<string, object> } | undefined)?.options ?? {};
  for (const [name, values] of Object.entries(options)) {
    if (values === undefined) continue;
    const declared = preset.detectors.find((each) => each.name === name)?.declared ?? {};
    for (const { path, text } of checkValue(anOptional(optionSchemas(declared)), values).problems) {
      const usual = declared[path[0]!]?.default;
      lines.push(`${name}: ${text}${usual === undefined ? '' : ` The default is \`${usual}\`.`}`);
    }
  }
  if (lines.length > 0) throw new UnrutError('bad-option', `createGuard: ${lines.join('\n')}`);
  return preset.detectors.map((detector) => ({ ...detector, options: { ...detector.options, ...defined(options[detector.name]) } }));
}

/** An option that is undefined keeps its default. */
const defined = (values: object = {}): object => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
