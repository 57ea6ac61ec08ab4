import type { AgentEvent } from '@unrut/engine/event';
import fc from 'fast-check';
import { createGuard } from '../../packages/cli/src/index.ts';

export type GuardOptions = NonNullable<Parameters<typeof createGuard>[0]>;
export type Verdict = ReturnType<ReturnType<typeof createGuard>['observe']>;

const TOOLS = [
  'alpha',
  'lookup_order',
  'Read',
  'Edit',
  'Bash',
  'patchWidget',
  'readWidget',
  'get_status',
];
const ARGS = [
  {},
  { path: 'src/a.ts' },
  { file_path: 'src/a.ts', old_string: 'one', new_string: 'two' },
  { command: 'npm test' },
  { command: 'git status' },
  { spaceId: 's', widgetId: 'w' },
  { query: 'harbour fees' },
];
const ANSWERS = [
  { result: 'The quick answer to that is a blue lantern on a wooden table.' },
  { result: { state: 'running', done: 3, of: 9 } },
  { result: '[]' },
  { result: 'ok' },
  { error: 'Error: the archive has no such table' },
  { error: 'HTTP 429 Too Many Requests' },
  { result: ' Tests  3 failed | 22 passed (25)', exitCode: 1 },
  { result: 'No such tool', refusedBy: 'unknown-tool' },
  { result: 'path must be a string', refusedBy: 'schema' },
  {},
];
const TEXTS = [
  'Let me check the file again to be sure.',
  'I will look at the tests now. ',
  'The harbour opens at nine and closes at five. '.repeat(8),
];
const OUTPUTS = [
  'Error: TypeError - Cannot read property id of null at auth.ts:45',
  'Modified auth.ts line 45-52, added null check',
  'Running tests... 2 failed: auth.test.ts',
];

type Fields = Record<string, unknown> & { type: AgentEvent['type'] };

const call = fc
  .record({
    tool: fc.constantFrom(...TOOLS),
    args: fc.constantFrom(...ARGS),
    answer: fc.constantFrom(...ANSWERS),
    proposed: fc.boolean(),
    batch: fc.boolean(),
  })
  .map(({ tool, args, answer, proposed, batch }): Fields[] => {
    const shared = { call: { id: '', tool, args }, ...(batch ? { batch: 'b' } : {}) };
    const finished: Fields = { type: 'call-finished', ...shared, ...answer };
    return proposed ? [{ type: 'call-proposed', ...shared }, finished] : [finished];
  });

const other = fc
  .oneof(
    fc
      .record({
        text: fc.constantFrom(...TEXTS),
        channel: fc.constantFrom('answer', 'thinking'),
        done: fc.boolean(),
      })
      .map((text): Fields => ({ type: 'text-added', ...text })),
    fc.constantFrom(...OUTPUTS).map((output): Fields => ({ type: 'output-finished', output })),
    fc.constantFrom<Fields[]>(
      { type: 'user-spoke', text: 'Go on.' },
      { type: 'context-compacted' },
      { type: 'idle', reason: 'nothing to do' },
    ),
    fc.constantFrom(1, 2).map(
      (x): Fields => ({
        type: 'action-finished',
        action: { type: 'click', x, y: 5 },
        target: { role: 'button', name: 'Save' },
      }),
    ),
    fc.constantFrom('blocked', 'done').map(
      (status): Fields => ({
        type: 'task-attempted',
        task: 't',
        status,
        blockers: ['no key'],
        work: [],
        attemptSession: 'a',
      }),
    ),
  )
  .map((event): Fields[] => [event]);

/** A few things done, each block of them several times over. */
const blocks = fc.array(
  fc.tuple(
    fc.array(fc.oneof({ weight: 4, arbitrary: call }, { weight: 1, arbitrary: other }), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.integer({ min: 1, max: 6 }),
  ),
  { minLength: 1, maxLength: 6 },
);

/** Gives bare events a session, a time and call ids of their own. */
function placed(fields: Fields[], session: string, gap = 5_000): AgentEvent[] {
  let number = 0;
  return fields.map((event, index) => {
    if (
      event.type === 'call-proposed' ||
      (event.type === 'call-finished' && fields[index - 1]?.type !== 'call-proposed')
    )
      number++;
    const identified =
      'call' in event ? { ...event, call: { ...(event.call as object), id: `c${number}` } } : event;
    const batched = 'batch' in event ? { batch: `b${Math.floor(number / 3)}` } : {};
    return {
      session,
      at: 1_760_000_000_000 + index * gap,
      ...identified,
      ...batched,
    } as unknown as AgentEvent;
  });
}

/** Runs that really go round in circles: few tools, few arguments, few answers. */
export const loopingRun = (session = 's'): fc.Arbitrary<AgentEvent[]> =>
  fc.tuple(blocks, fc.constantFrom(1_000, 5_000, 20_000)).map(([parts, gap]) => {
    const fields = parts.flatMap(([items, count]) =>
      Array.from({ length: count }, () => items.flat()).flat(),
    );
    return placed(fields.slice(0, 80), session, gap);
  });

export const verdictsOf = (events: AgentEvent[], options: GuardOptions = {}): Verdict[] => {
  const guard = createGuard(options);
  return events.map((event) => guard.observe(event));
};
