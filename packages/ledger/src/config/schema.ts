import type { Detector } from '@unrut/engine/detectors/detector';
import { RUNGS } from '@unrut/engine/event';
import { ALLOW, ALLOWED, allowable, VERBS } from '@unrut/engine/guard-options';
import { lazily } from '@unrut/engine/lazily';
import type { Declared } from '@unrut/engine/option';
import type { BudgetOptions } from '@unrut/engine/policy/spending';
import { observe, recommended, strict } from '@unrut/engine/presets';
import type { Recovery } from '@unrut/engine/recoveries/recovery';
import {
  aFlag,
  aListOf,
  aMapOf,
  aNumber,
  anOptional,
  aText,
  described,
  type Metadata,
  oneOf,
  optionSchemas,
} from '@unrut/engine/schema/kinds';
import type { ToolDeclaration } from '@unrut/engine/tools/profile';
import type { TrialOptions } from '@unrut/engine/trial';
import type { ModelPrice } from '@unrut/reading/prices';
import * as v from 'valibot';
import type { Plugin } from './config.ts';

/** The schema of a config. Names, options and defaults come from the registries. */
export const configSchema = lazily(() => schemaWith({}));

/** The schema including the detectors and recoveries of plugins. */
export function schemaWith(plugins: Plugin) {
  const detectors: Detector[] = [...(plugins.detectors ?? []), ...recommended.detectors];
  const recoveries: Recovery[] = [...(plugins.recoveries ?? []), ...recommended.recoveries];
  return anOptional({
    $schema: () => described(v.string('a string'), 'Location of this schema, for editors.'),
    preset: () =>
      described(
        oneOf([recommended, strict, observe].map(({ name }) => name)),
        'The preset to start from.',
        { default: recommended.name },
      ),
    shadow: () => described(aFlag(), 'Plan and record, but never act. Default: set by the preset.'),
    trial: () =>
      described(
        trialSchema(),
        'Compares sessions in which Unrut acts with others in which it only records: `unrut stats --trial`.',
      ),
    attended: () => described(aFlag(), 'A human can be asked. Default: reported by the agent.'),
    budget: () => described(budgetSchema(), 'What a session may spend with its nested agents.'),
    prices: () =>
      described(
        aMapOf(priceSchema()),
        'Dollars per million tokens, by model, where the provider reports tokens but no cost. A name also covers models whose names begin with it.',
      ),
    detectors: () =>
      described(
        anOptional(
          Object.fromEntries(
            detectors.map(({ name, declared, rungs }) => [
              name,
              () => piece(declared, { rungs: () => rungsSchema(rungs) }),
            ]),
          ),
        ),
        'Detectors by name: `false` turns one off, an object changes its options and rungs.',
      ),
    recoveries: () =>
      described(
        anOptional(
          Object.fromEntries(recoveries.map(({ name, declared }) => [name, () => piece(declared)])),
        ),
        'Recoveries by name: `false` turns one off, an object changes its options.',
      ),
    skip: () =>
      described(
        aListOf(oneOf(RUNGS), 'a list of rungs'),
        'Rungs to skip, so that the rungs above come one step earlier. Default: set by the preset.',
      ),
    plugins: () =>
      described(
        aListOf(v.string('a string'), 'a list of paths or names of packages'),
        'Modules with detectors and recoveries of your own: a path from this folder, or the name of a package.',
        { default: [] },
      ),
    tools: () =>
      described(aMapOf(toolSchema()), 'What tools do, by name, where Unrut cannot know.'),
    allow: () =>
      described(
        aListOf(v.picklist(allowable(recoveries), ALLOWED), ALLOW),
        'Irreversible recoveries that may be used, and candidates that may be offered although a gate excludes them.',
        { default: [] },
      ),
    companion: () =>
      described(
        aFlag(),
        'The first hook starts a background process that makes later hooks faster; it exits after ten idle minutes.',
        {
          default: true,
        },
      ),
    notify: () =>
      described(
        anOptional({
          command: () =>
            described(
              v.union(
                [
                  aText(),
                  v.pipe(
                    aListOf(v.string('a string')),
                    v.nonEmpty('a string or a list of strings'),
                  ),
                ],
                'a string or a list of strings',
              ),
              'A shell command, with the text in $UNRUT_TEXT; or a program and its arguments, in which {text} is replaced.',
              { writeOnly: true },
            ),
          webhook: () =>
            described(
              v.pipe(v.string(ADDRESS), v.regex(/^https?:\/\/[^\s]+$/, ADDRESS)),
              'URL that receives a POST of JSON with `text`.',
              {
                examples: ['https://chat.example/hooks/1'],
                writeOnly: true,
              },
            ),
          desktop: () =>
            described(
              aFlag(),
              'A notification on the desktop. Default: where there is one, and not over SSH or in CI.',
            ),
        }),
        'Who is notified when a human is asked.',
      ),
    stall: () =>
      described(
        anOptional({
          call: minutes('Minutes that a call may be open while its agent does nothing else.', 15),
          silence: minutes('Minutes without a sign of a session in the middle of a turn.', 10),
        }),
        'When a session counts as stalled: `unrut serve` notifies, and lists say so. 0: never.',
      ),
    ledger: () =>
      described(
        anOptional({
          path: () =>
            described(
              aText(),
              'The ledger file, relative to this folder or ~. Default: the data folder of the platform.',
            ),
          retention: () =>
            described(
              anOptional({
                days: () =>
                  described(
                    aNumber({ from: 1 }),
                    'Delete sessions that have been inactive for longer.',
                    { default: 30 },
                  ),
                megabytes: () =>
                  described(
                    aNumber({ from: 1 }),
                    'Delete the oldest sessions when the ledger grows larger.',
                    { default: 200 },
                  ),
              }),
              'How much to keep.',
            ),
        }),
        'The record on disk, and where it is.',
      ),
    trust: () =>
      described(
        aListOf(aText()),
        'Folders whose projects may set notify, ledger and allow, and use a .ts or .js config. Only valid in the user config.',
        { default: [] },
      ),
  });
}

const ADDRESS = 'a URL such as https://chat.example/hooks/1';

const amount = (about: string) => () => described(aNumber({ from: 0.01 }), about);
const minutes = (about: string, standard: number) => () =>
  described(aNumber({ from: 0 }), about, { default: standard });
const count = (about: string) => () => described(aNumber({ integer: true, from: 1 }), about);

const budgetSchema = () =>
  anOptional({
    usd: amount('Dollars, where the agent, the provider or `prices` reports them.'),
    minutes: amount('Minutes of work; the time before a message of the user does not count.'),
    steps: count('Finished calls, messages and iterations.'),
    subagents: count('Nested agents.'),
    day: () =>
      described(
        anOptional({
          usd: amount('Dollars of all sessions in the ledger since midnight.'),
          steps: count('Steps of all sessions in the ledger since midnight.'),
        } satisfies Record<keyof NonNullable<BudgetOptions['day']>, unknown>),
        'All sessions in the ledger since midnight.',
      ),
  } satisfies Record<keyof BudgetOptions, unknown>);

const trialSchema = () =>
  anOptional({
    share: () =>
      described(
        aNumber({ from: 0, to: 1 }),
        'The share of sessions that are only recorded, such as 0.5.',
      ),
    name: () =>
      described(aText(), 'Another name begins another trial, in which each session is drawn anew.'),
  } satisfies Record<keyof TrialOptions, unknown>);

const priceSchema = () =>
  anOptional({
    input: () => described(aNumber({ from: 0 }), 'Input tokens.'),
    output: () => described(aNumber({ from: 0 }), 'Output tokens.'),
    cached: () =>
      described(aNumber({ from: 0 }), 'Input tokens read from a cache. Default: `input`.'),
    written: () =>
      described(aNumber({ from: 0 }), 'Input tokens written to a cache. Default: `input`.'),
  } satisfies Record<keyof ModelPrice, unknown>);

/** Names of arguments: without one, nothing is declared. */
const argumentNames = () =>
  v.pipe(aListOf(v.string('a string'), ARGUMENT_NAMES), v.nonEmpty(ARGUMENT_NAMES));
const ARGUMENT_NAMES = 'a list of at least one name of an argument';

const toolSchema = () =>
  anOptional({
    poll: () =>
      described(aFlag(), 'Calling it again to see whether something has changed is its purpose.'),
    identity: () =>
      described(
        aListOf(v.string('a string')),
        'Dotted paths of the arguments that alone identify a call.',
      ),
    verb: () => described(oneOf(VERBS), 'What it does to its target.'),
    target: () =>
      described(v.string('a string'), 'Name of the argument that says what the call touches.'),
    patch: () =>
      described(
        argumentNames(),
        'It changes a thing in place: the arguments that say which, the thing itself last.',
      ),
    look: () => described(argumentNames(), 'It shows such a thing: the same arguments.'),
  } satisfies Record<keyof ToolDeclaration, unknown>);

/** A detector or a recovery: on, off, or on with other options. */
const piece = (declared: Declared = {}, more: Record<string, () => v.GenericSchema> = {}) =>
  v.pipe(
    v.union(
      [aFlag(), anOptional({ ...optionSchemas(declared), ...more })],
      'true, false or an object',
    ),
    v.metadata({ default: true }),
  );

const rungsSchema = ({ first, highest }: { first: string; highest: string }) =>
  described(
    anOptional({
      first: () => described(oneOf(RUNGS), 'The first rung of its ladder.', { default: first }),
      highest: () =>
        described(oneOf(RUNGS), 'The highest rung of its ladder.', { default: highest }),
    }),
    'How forceful it may be.',
  );

/** A key that can have a value. */
export interface ConfigKey {
  path: readonly string[];
  schema: v.GenericSchema;
  about: Metadata;
}

/**
 * All config keys except those under tool names, which are arbitrary. Detectors are keys, and so
 * are their options.
 */
export const configKeys = lazily(() => keysOf(() => true));

/**
 * The keys whose path is accepted by `isWanted` at every level, so that only a part of the schema
 * is built.
 */
export const keysOf = (
  isWanted: (path: readonly string[]) => boolean,
  schema = configSchema(),
): ConfigKey[] => walk(schema, [], isWanted);

function walk(
  schema: v.GenericSchema,
  path: readonly string[],
  isWanted: (path: readonly string[]) => boolean,
): ConfigKey[] {
  const parts = partsOf(schema);
  const entries = parts.find((part) => part.entries)?.entries ?? {};
  const inner = Object.entries(entries).flatMap(([key, { wrapped }]) => {
    const way = [...path, key];
    return key !== '$schema' && isWanted(way) ? walk(wrapped.getter(undefined), way, isWanted) : [];
  });
  const isObject =
    parts.every(({ type }) => type !== 'union') &&
    parts.some(({ type }) => type === 'object_with_rest');
  return isObject ? inner : [{ path, schema, about: v.getMetadata(schema) as Metadata }, ...inner];
}

type Part = v.GenericSchema & {
  entries?: Record<string, { wrapped: v.LazySchema<v.GenericSchema> }>;
  pipe?: Part[];
  options?: Part[];
};

/** A schema and its alternatives, without the value schemas of objects. */
function partsOf(schema: v.GenericSchema): Part[] {
  const part = schema as Part;
  const inner = [...(part.pipe ?? []), ...(part.type === 'union' ? part.options! : [])].filter(
    (each) => each !== part,
  );
  return [part, ...inner.flatMap((each) => (each.kind === 'schema' ? partsOf(each) : []))];
}
