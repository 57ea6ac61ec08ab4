import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.ts';
import { wrapped } from './wrap.ts';

export const apiReferenceFile: string = join(root, 'docs/api.md');

/** A type that is documented: where it is, and an example that the tests compile. */
interface Documented {
  type: string;
  file: string;
  example?: string;
}

const EVENT = 'packages/engine/src/event.ts';
const observing = (fields: string): string =>
  `import { createGuard } from 'unrut';

const guard = createGuard();
guard.observe({ session: 'run-1', at: Date.now(), ${fields} });`;

const CHAPTERS: readonly { title: string; about: string; types: readonly Documented[] }[] = [
  {
    title: 'Events',
    about:
      'What you give to `observe`. Each event has the fields of `EventBase` and a `type`. Those about a screen have the fields of `ActionBase` too. Send `call-proposed` before a tool runs and `call-finished` after it; the others are optional.',
    types: [
      { type: 'EventBase', file: EVENT },
      {
        type: 'CallProposed',
        file: EVENT,
        example: observing(
          "type: 'call-proposed', call: { id: 'c1', tool: 'search', args: { q: 'foo' } }, batch: 'response 1', modelMs: 1800",
        ),
      },
      {
        type: 'CallFinished',
        file: EVENT,
        example: observing(
          "type: 'call-finished', call: { id: 'c1', tool: 'search', args: { q: 'foo' } }, batch: 'response 1', result: 'No results.'",
        ),
      },
      {
        type: 'TextAdded',
        file: EVENT,
        example: observing(
          "type: 'text-added', text: 'Let me look.', channel: 'answer', done: true",
        ),
      },
      {
        type: 'IterationStarted',
        file: EVENT,
        example: observing("type: 'iteration-started', iteration: 4"),
      },
      {
        type: 'OutputFinished',
        file: EVENT,
        example: observing(
          "type: 'output-finished', iteration: 4, output: 'Fixed auth.ts - added null check'",
        ),
      },
      {
        type: 'TaskAttempted',
        file: EVENT,
        example: observing(
          "type: 'task-attempted', task: 'T7', status: 'blocked', blockers: ['critic unavailable'], work: [], attemptSession: 's1'",
        ),
      },
      { type: 'Idle', file: EVENT, example: observing("type: 'idle', reason: 'no open task'") },
      {
        type: 'ActionProposed',
        file: EVENT,
        example: observing("type: 'action-proposed', action: { type: 'click', x: 180, y: 70 }"),
      },
      {
        type: 'ActionFinished',
        file: EVENT,
        example: observing(
          "type: 'action-finished', action: { type: 'click', x: 180, y: 70 }, screen: { url: 'https://shop.example.com', frame: '9f86d081' }",
        ),
      },
      { type: 'ActionBase', file: EVENT },
      { type: 'Screen', file: 'packages/engine/src/event-parts.ts' },
      {
        type: 'UserSpoke',
        file: EVENT,
        example: observing("type: 'user-spoke', text: 'I restarted the server. Go on.'"),
      },
      { type: 'ContextCompacted', file: EVENT, example: observing("type: 'context-compacted'") },
      {
        type: 'ToolsListed',
        file: EVENT,
        example: observing("type: 'tools-listed', tools: [{ name: 'search' }, { name: 'read' }]"),
      },
      {
        type: 'PlanPerformed',
        file: EVENT,
        example: `import { createGuard } from 'unrut';

const guard = createGuard();
const event = { session: 'run-1', at: Date.now(), call: { id: 'c1', tool: 'search', args: {} } };
const { plan } = guard.observe({ ...event, type: 'call-finished', result: 'No results.' });
// Optional: says what your program did, for the record and for what is learned from it.
if (plan) {
  const { session, at } = event;
  guard.observe({ type: 'plan-performed', session, at, plan: plan.id, rung: plan.rung });
}`,
      },
      {
        type: 'SessionEnded',
        file: EVENT,
        example: observing("type: 'session-ended', outcome: 'done'"),
      },
    ],
  },
  {
    title: 'Verdict and plan',
    about: 'What `observe` returns. Usually only `plan` matters: it is null, or says what to do.',
    types: [
      {
        type: 'Verdict',
        file: 'packages/engine/src/guard-contract.ts',
        example: `import type { Verdict } from 'unrut';

export function log({ plan, shadow, faults }: Verdict): void {
  if (plan) console.log(plan.rung, plan.toHuman);
  if (shadow) console.log('in shadow:', shadow.rung, shadow.toHuman);
  for (const { where, message } of faults) console.error(where, message);
}`,
      },
      {
        type: 'Plan',
        file: 'packages/engine/src/policy/plan.ts',
        example: `import type { Plan } from 'unrut';

/** The result of a call as the model should read it. */
export const withPlan = (result: string, plan: Plan | null): string =>
  plan ? \`\${result}\\n\\n\${plan.toModel}\` : result;`,
      },
      { type: 'Signal', file: 'packages/engine/src/signal.ts' },
      { type: 'Evidence', file: 'packages/engine/src/signal.ts' },
    ],
  },
  {
    title: 'Guard',
    about:
      'Made by `createGuard(options)`. `recordTo(ledger, options)` and `createClient(options)` have the same `observe`, which returns a promise, and the same `with`.',
    types: [
      {
        type: 'GuardOptions',
        file: 'packages/engine/src/guard-contract.ts',
        example: `import { createGuard, without } from 'unrut';

export const guard = createGuard({
  can: ['note', 'hint', 'block'],
  preset: without('cycle'),
  options: { 'repeated-call': { threshold: 4 } },
  tools: { wait_for_payment: { poll: true } },
  attended: false,
});`,
      },
      {
        type: 'Guard',
        file: 'packages/engine/src/guard-contract.ts',
        example: `import { createGuard } from 'unrut';

const guard = createGuard();
const saved = JSON.stringify(guard.snapshot('run-1'));
export const resumed = createGuard({ from: JSON.parse(saved) });
/** The same sessions, but this part of the program only records. */
export const watching = guard.with({ shadow: true });`,
      },
      { type: 'GuardRules', file: 'packages/engine/src/guard-rules.ts' },
      { type: 'ToolDeclaration', file: 'packages/engine/src/tools/profile.ts' },
    ],
  },
  {
    title: 'Frameworks',
    about:
      'The options of `guardModel`, `guardProvider`, `unrutMiddleware`, `unrutProcessor`, `unrutPlugin`, `UnrutPlugin`, `unrutHooks` and `followMessages`. Without `guard`, those of `createGuard` count too; beside it, they are a type error and an `UnrutError`.',
    types: [
      {
        type: 'SharedOptions',
        file: 'packages/adapters/src/frameworks/options.ts',
        example: `import { createClient } from 'unrut/client';
import { followMessages } from 'unrut/messages';

export const follow = followMessages({
  guard: createClient(),
  shadow: true,
  onPlan: (plan, { session, shadow }) => console.log(session, plan.rung, shadow ?? false),
});`,
      },
      {
        type: 'LoopWork',
        file: 'packages/adapters/src/frameworks/options.ts',
        example: `import { LoopError } from 'unrut/messages';

export async function orPartialWork<T>(run: () => Promise<T>): Promise<T | readonly unknown[]> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    console.log(error.plan.toHuman, error.work.session);
    return error.work.messages;
  }
}`,
      },
      { type: 'FollowedTurn', file: 'packages/adapters/src/frameworks/messages/index.ts' },
      { type: 'FollowedReply', file: 'packages/adapters/src/frameworks/messages/index.ts' },
    ],
  },
  {
    title: 'Client',
    about: 'The options of `createClient` from `unrut/client`.',
    types: [
      {
        type: 'ClientOptions',
        file: 'packages/adapters/src/client/create-client.ts',
        example: `import { createClient } from 'unrut/client';

export const guard = createClient({ url: 'http://127.0.0.1:4717', attended: false });`,
      },
    ],
  },
];

const HEAD = `# API reference

<!-- Generated by npm run format from the types. Do not edit. -->

Every type that a program meets, with what its fields mean. The examples are compiled by the tests.
`;

/** The reference, as the types say it now. */
export function makeApiReference(): string {
  const chapters = CHAPTERS.map(({ title, about, types }) =>
    [`## ${title}`, about, ...types.map(described)].join('\n\n'),
  );
  return wrapped(`${[HEAD.trimEnd(), ...chapters].join('\n\n')}\n`);
}

/** The heading, the meaning, the fields and the example of one type. */
function described({ type, file, example }: Documented): string {
  const { about, fields } = typeIn(readFileSync(join(root, file), 'utf8'), type);
  const rows = fields.map(
    ({ name, kind, meaning }) =>
      `| \`${name}\` | \`${kind.replaceAll('|', '\\|')}\` | ${meaning.replaceAll('|', '\\|')} |`,
  );
  return [
    `### ${type}`,
    about,
    ...(rows.length === 0
      ? []
      : [['| field | type | meaning |', '|---|---|---|', ...rows].join('\n')]),
    ...(example === undefined ? [] : [`\`\`\`ts\n${example}\n\`\`\``]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

interface Field {
  name: string;
  kind: string;
  meaning: string;
}

const COMMENT = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*$/;
const words = (comment: string): string =>
  comment
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** An interface in a source file: its comment, and its fields with theirs. */
function typeIn(source: string, type: string): { about: string; fields: Field[] } {
  const found = new RegExp(
    `^(?:export )?interface ${type}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`,
    'm',
  ).exec(source);
  if (!found) throw new Error(`expected the interface ${type}, got a file without it`);
  const about = words(COMMENT.exec(source.slice(0, found.index))?.[1] ?? '');
  const fields = [
    ...found[1]!.matchAll(
      /(?:^ {2}\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n)?^ {2}(?:readonly )?('?[\w/]+'?\??)(\(|: | *<)([\s\S]*?);\n(?! {4})/gm,
    ),
  ].map(([, comment = '', name = '', sign = '', rest = '']) => ({
    name: name.replaceAll("'", ''),
    kind: `${sign === ': ' ? '' : sign}${rest}`.replace(/\s+/g, ' ').replace(/ \| undefined$/, ''),
    meaning: words(comment),
  }));
  return { about, fields };
}
