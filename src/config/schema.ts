import { RUNGS } from '../event.ts';
import { observe, recommended, strict } from '../presets.ts';
import type { Verb } from '../prints.ts';

export type SchemaType = 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number';

/** The part of JSON Schema that describes a config. A keyword says nothing about values of another type. */
export interface Schema {
  type: SchemaType | readonly SchemaType[];
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  /** Of keys that are not in `properties`. An object without it allows none. */
  additionalProperties?: false | Schema;
  items?: Schema;
  minItems?: number;
  minLength?: number;
  pattern?: string;
  examples?: readonly string[];
  minimum?: number;
  maximum?: number;
  /** May be a secret: is never shown. */
  writeOnly?: boolean;
}

/** Finds words for a detector, a recovery or one of its options. */
export type Describe = (kind: 'detectors' | 'recoveries', name: string, option?: string) => string | undefined;

/** What a config may say. Names, options and defaults come from the registries, so that nothing can be forgotten here. */
export function configSchema(describe: Describe = () => undefined): Schema {
  const { detectors, recoveries } = recommended;
  const irreversible = recoveries.filter(({ safety }) => safety === 'irreversible').map(({ name }) => name);
  return object({
    $schema: text('Where this schema is, for editors.'),
    preset: {
      ...choice(
        [recommended, strict, observe].map(({ name }) => name),
        'What to begin from.',
      ),
      default: recommended.name,
    },
    shadow: { type: 'boolean', description: 'Plan and record, but never act. Default: as the preset says.' },
    attended: { type: 'boolean', description: 'Somebody can be asked. Default: as the agent says.' },
    detectors: object(
      Object.fromEntries(detectors.map(({ name, options, rungs }) => [name, piece('detectors', name, options, describe, rungsOf(rungs))])),
      'Detectors by name: `false` leaves one out, an object changes its options and rungs.',
    ),
    recoveries: object(
      Object.fromEntries(recoveries.map(({ name, options }) => [name, piece('recoveries', name, options, describe)])),
      'Recoveries by name: `false` leaves one out, an object changes its options.',
    ),
    skip: list(choice(RUNGS), 'Rungs that are left out, so that the ones above come a step earlier. Default: as the preset says.'),
    tools: { type: 'object', description: 'What tools are, where Unrut cannot know; by their name.', additionalProperties: tool() },
    allow: {
      ...list(irreversible.length > 0 ? choice(irreversible) : text(), 'Recoveries that cannot be undone and may be used all the same.'),
      default: [],
    },
    companion: {
      type: 'boolean',
      description:
        'Hooks leave a process behind that answers the next ones, which makes them faster; it ends after ten minutes without any.',
      default: true,
    },
    notify: object(
      {
        command: {
          type: ['string', 'array'],
          minLength: 1,
          items: text(),
          minItems: 1,
          writeOnly: true,
          description: 'A command for the shell, with the text in $UNRUT_TEXT; or a program and its arguments, with the text for {text}.',
        },
        webhook: {
          type: 'string',
          pattern: '^https?://[^\\s]+$',
          examples: ['https://chat.example/hooks/1'],
          writeOnly: true,
          description: 'Gets a POST of JSON with `text`.',
        },
      },
      'Who is told when a person is asked for.',
    ),
    ledger: object(
      {
        path: { ...text('The file, from this folder or from ~. Default: where the platform keeps what programs remember.'), minLength: 1 },
        retention: object(
          {
            days: { type: 'number', minimum: 1, default: 30, description: 'Sessions that nothing was written to for longer go.' },
            megabytes: { type: 'number', minimum: 1, default: 200, description: 'The oldest sessions go when it grows beyond.' },
          },
          'How much is kept.',
        ),
      },
      'What is remembered between calls, and where.',
    ),
    trust: {
      ...list(
        { ...text(), minLength: 1 },
        'Folders whose projects may set notify, ledger and allow, and have a program as config. The user says so, no project.',
      ),
      default: [],
    },
  });
}

const object = (properties: Readonly<Record<string, Schema>>, description?: string): Schema => ({
  type: 'object',
  ...(description ? { description } : {}),
  properties,
  additionalProperties: false,
});
const text = (description?: string): Schema => ({ type: 'string', ...(description ? { description } : {}) });
const choice = (names: readonly string[], description?: string): Schema => ({ ...text(description), enum: names });
const list = (items: Schema, description: string): Schema => ({ type: 'array', description, items });

/** A detector or a recovery: on, off, or on with other options. */
function piece(
  kind: 'detectors' | 'recoveries',
  name: string,
  options: object,
  describe: Describe,
  more: Record<string, Schema> = {},
): Schema {
  const described = (option?: string) => {
    const description = describe(kind, name, option);
    return description ? { description } : {};
  };
  const properties = Object.entries(options).map(([option, value]) => [option, { ...described(option), ...optionSchema(value) }]);
  return { ...object({ ...Object.fromEntries(properties), ...more }), ...described(), type: ['boolean', 'object'], default: true };
}

/** What an option may be, told by its default: a share of one stays a share, a count stays a whole number. */
function optionSchema(value: unknown): Schema {
  const common = { default: value };
  if (typeof value === 'boolean') return { type: 'boolean', ...common };
  if (typeof value !== 'number') return { type: 'string', ...common };
  if (value > 0 && value < 1) return { type: 'number', minimum: 0, maximum: 1, ...common };
  return Number.isInteger(value) ? { type: 'integer', minimum: Math.min(1, value), ...common } : { type: 'number', minimum: 0, ...common };
}

function rungsOf({ first, highest }: { first: string; highest: string }): Record<string, Schema> {
  const rung = (description: string, value: string): Schema => ({ ...choice(RUNGS, description), default: value });
  return {
    rungs: object(
      { first: rung('Where its ladder begins.', first), highest: rung('Where its ladder ends.', highest) },
      'How much force it may use.',
    ),
  };
}

const VERBS: Record<Verb, true> = {
  read: true,
  write: true,
  verify: true,
  execute: true,
  wait: true,
  navigate: true,
  nothing: true,
  unknown: true,
};

function tool(): Schema {
  return object({
    poll: { type: 'boolean', description: 'Calling it again to see whether something has changed is its purpose.' },
    identity: list(text(), 'Dotted paths of the arguments that alone identify a call.'),
    verb: choice(Object.keys(VERBS), 'What it does to its target.'),
    target: text('Name of the argument that says what the call touches.'),
  });
}
