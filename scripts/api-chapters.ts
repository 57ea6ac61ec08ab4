/** A type that is documented: where it is, and an example that the tests compile. */
export interface Documented {
  type: string;
  /** The interface in the same file whose fields it has, too. */
  inherits?: string;
  file: string;
  example?: string;
}

const EVENT = 'packages/engine/src/event.ts';
const PARTS = 'packages/engine/src/event-parts.ts';
const PRINTS = 'packages/engine/src/prints.ts';
const RECOVERY = 'packages/engine/src/recoveries/recovery.ts';
const observing = (fields: string): string =>
  `import { createGuard } from 'unrut';

const guard = createGuard();
guard.observe({ session: 'run-1', at: Date.now(), ${fields} });`;

/** What the reference has, chapter by chapter. */
export const CHAPTERS: readonly {
  title: string;
  about: string;
  types: readonly Documented[];
}[] = [
  {
    title: 'Events',
    about:
      'What you give to `observe`. Each event has the fields of `EventBase` and a `type`. Those about a screen have the fields of `ActionBase` too. Send `call-proposed` before a tool runs and `call-finished` after it; the others are optional.',
    types: [
      { type: 'EventBase', file: EVENT },
      { type: 'Call', file: EVENT },
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
      { type: 'Screen', file: PARTS },
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
      { type: 'EventOrigin', file: PARTS },
      { type: 'Annotations', file: PARTS },
      { type: 'ListedTool', file: PARTS },
      { type: 'RefusedBy', file: EVENT },
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
      { type: 'Rung', file: EVENT },
      { type: 'Signal', file: 'packages/engine/src/signal.ts' },
      { type: 'Evidence', file: 'packages/engine/src/signal.ts' },
      { type: 'Outcome', file: 'packages/engine/src/outcome/outcome.ts' },
      { type: 'Fault', file: 'packages/engine/src/signal.ts' },
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
      { type: 'Capability', file: EVENT },
      { type: 'GuardRules', file: 'packages/engine/src/guard-rules.ts' },
      { type: 'ToolDeclaration', file: 'packages/engine/src/tools/profile.ts' },
    ],
  },
  {
    title: 'Detectors and recoveries of your own',
    about:
      'What `defineDetector`, `defineRecovery` and `definePlugin` take, and what your functions get. [Detectors of your own](plugins.md) has a whole example, and how to load and test it.',
    types: [
      {
        type: 'DetectorDefinition',
        inherits: 'Watcher',
        file: 'packages/engine/src/detectors/detector.ts',
        example: `import { defineDetector, option } from 'unrut';

/** The same tool fails again and again. */
export const failingTool = defineDetector({
  name: 'failing-tool',
  status: 'stable',
  watches: ['call-finished', 'user-spoke'],
  rungs: { first: 'note', highest: 'hint' },
  options: { failures: option.integer(3, { from: 2 }, 'Failures of one tool in a row.') },
  start: (): { tool: string; count: number; since: number } => ({ tool: '', count: 0, since: 0 }),
  step(state, { type, call, result, step }, { failures }) {
    if (type === 'user-spoke' || !call || !result?.error) {
      state.count = 0;
      return null;
    }
    if (call.tool !== state.tool) Object.assign(state, { tool: call.tool, count: 0 });
    if (state.count++ === 0) state.since = step;
    if (state.count < failures) return null;
    const { tool, count, since } = state;
    const facts = { tool, error: result.error.label };
    return { variant: 'failing', count, since, keys: [call.key], strength: 0.8, facts };
  },
  explain: ({ count, facts }) => \`\${facts.tool} failed \${count} times (\${facts.error})\`,
  moves: ['read what the error names', 'use another tool'],
});`,
      },
      { type: 'Option', file: 'packages/engine/src/option-kinds.ts' },
      { type: 'Fingerprint', file: 'packages/engine/src/fingerprint/fingerprint.ts' },
      { type: 'CallPrint', file: PRINTS },
      { type: 'ResultPrint', inherits: 'FailurePrint', file: PRINTS },
      { type: 'ErrorPrint', file: PRINTS },
      { type: 'TextPrint', file: 'packages/engine/src/fingerprint/text.ts' },
      { type: 'OutputPrint', file: 'packages/engine/src/fingerprint/output.ts' },
      {
        type: 'RecoveryDefinition',
        inherits: 'Remedy',
        file: RECOVERY,
        example: `import { defineRecovery, option } from 'unrut';

/** Answers the detector \`failing-tool\`, and any that says so in its variant. */
export const suggestPause = defineRecovery({
  name: 'suggest-pause',
  rung: 'hint',
  answers: ['failing-tool/failing'],
  needs: [],
  safety: 'advisory',
  options: { seconds: option.integer(30, { from: 1 }, 'How long to wait.') },
  plan: ({ tried }, { seconds }) => (tried.length > 2 ? null : { seconds }),
  toModel: ({ signal, moves }) => \`\${signal.text}. Wait, then \${moves[0]}.\`,
  toHuman: ({ signal }) => \`\${signal.evidence.facts.tool} keeps failing.\`,
});`,
      },
      { type: 'Situation', file: RECOVERY },
      { type: 'Tried', file: RECOVERY },
      {
        type: 'Plugin',
        file: 'packages/ledger/src/config/config.ts',
        example: `import { type Detector, definePlugin, type Recovery } from 'unrut';

declare const failingTool: Detector;
declare const suggestPause: Recovery;

export default definePlugin({ detectors: [failingTool], recoveries: [suggestPause] });`,
      },
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
