import { SESSION_STATES } from '../../ledger/reports/session-summary.ts';
import { actSchema } from '../act-route.ts';
import { ofAgent, outcomeCounts, rung, signalFields } from './record-schemas.ts';
import {
  choiceSchema,
  flag,
  list,
  mapOf,
  numberSchema,
  object,
  oneOfSchemas,
  orNull,
  ref,
  type Schema,
  text,
  time,
  whole,
} from './schema-words.ts';

const counts = object(outcomeCounts);
const acted = object({ plans: whole('Without plans that were only recorded.'), ...outcomeCounts });
const planFigures = {
  plans: whole(),
  shadow: whole('Only recorded.'),
  notPerformed: whole('Not supported by the host.'),
  ...outcomeCounts,
};
const next = { next: text('Pass it as `cursor` to get the next page; missing on the last page.') };

const session = object(
  {
    ...{
      session: text('Full name.'),
      name: text('A unique prefix of the name: of ids as short as possible, of other names up to 40 characters.'),
      state: choiceSchema(SESSION_STATES),
    },
    ...{
      first: time(),
      last: time(),
      ended: flag(),
      steps: whole(),
      loops: whole(),
      looping: flag(),
      plans: whole(),
      outcomes: counts,
      acted,
    },
    ...{ tokens: numberSchema(), usd: numberSchema(), wasted: ref('Waste') },
  },
  {
    host: text("The agent's program."),
    folder: text(),
    highest: rung,
    loopingSince: time('When its present loop was detected.'),
    lastPlan: object({ rung, at: time(), shadow: flag() }),
    pulse: object({ steps: list(whole()), wasted: list(whole()) }),
    doing: text('The latest call.'),
    why: text('The latest explanation of a loop.'),
  },
);

const timeFigures = object({
  ...{
    at: time('Start of the interval.'),
    sessions: whole(),
    steps: whole(),
    loops: whole(),
    signals: whole(),
    plans: whole(),
    recovered: whole(),
  },
  ...{ tokens: numberSchema(), usd: numberSchema(), wasted: ref('Waste') },
});

const recoveryFigures = object({ recovery: text(), rung, ...planFigures });
const value = oneOfSchemas(text(), numberSchema(), flag());

const runFields: Readonly<Record<string, Schema>> = {
  ...{ run: text(), kind: choiceSchema(['prompt', 'roadmap']), running: flag(), tickCount: whole() },
  loopDetection: ref('LoopDetection'),
  ...{
    cost: object({ tokens: numberSchema(), usd: numberSchema() }),
    ending: orNull(text()),
    reason: text(),
    file: text(),
    folder: text(),
  },
  ...{ first: time(), last: time() },
};

const attempt = object({
  ...{ at: time(), status: text(), blockers: list(text()), work: list(text()), session: text(), interrupted: flag() },
});

/** What routes that only look give. */
export const answerSchemas: Readonly<Record<string, Schema>> = {
  Problem: object({
    ...{ type: text('A URI; about:blank.'), title: text('Of the status.'), status: whole() },
    detail: text('What was expected, what was received, what to do.'),
    code: text('For programs.'),
    error: object({ code: text(), message: text() }),
  }),
  Health: object({ ok: flag() }),
  Session: session,
  Sessions: object(
    {
      sessions: list(ref('Session')),
      total: whole(),
      states: object(Object.fromEntries(SESSION_STATES.map((state) => [state, whole()]))),
      ...{ hosts: list(text()), folders: list(text()) },
    },
    { ...next, atLeast: flag('There are more than `total`: a ledger in Postgres counts to 1,000.') },
  ),
  Act: actSchema,
  Acted: object({ text: text('What was done, in a sentence.') }),
  SessionInFull: object(
    {
      session: ref('Session'),
      ...{ loops: list(ref('SessionLoop')), moments: list(ref('Moment'), 'Oldest first.') },
      ...{ total: whole('Number of moments.'), offset: whole('First moment of this page.'), strip: text('All moments, one letter each.') },
      earlier: object({ bursts: whole(), wasted: ref('Waste') }),
      seconds: list(whole(), 'For each moment, the seconds since the first.'),
      acts: text('For each moment, a digit: the highest rung of its plans from 1 on, or 0.'),
      cut: flag('Older entries were omitted.'),
    },
    {
      control: object({
        isOff: flag('Unrut is switched off for it.'),
        canStop: flag('Its program obeys when it is told to stop.'),
        isStopping: flag('It will be stopped at its next call.'),
      }),
    },
  ),
  SignalRow: object(
    { ...signalFields, id: text(), session: text(), at: time(), advice: flag() },
    { ...ofAgent, host: text(), tool: text() },
  ),
  Signals: object({ signals: list(ref('SignalRow')) }, next),
  Recoveries: object({
    acted,
    recoveries: list(recoveryFigures),
    tools: list(object({ tool: text(), recovery: text(), ...planFigures })),
    detectors: list(object({ detector: text(), ...planFigures })),
    failures: list(
      object({
        ...{ failure: text(), world: text(), move: text(), offered: whole(), followed: whole(), recovered: whole() },
        ...{ reward: orNull(numberSchema('-1 to 1.')), share: orNull(numberSchema('0 to 1.')) },
      }),
    ),
    latest: list(ref('PlanRow')),
  }),
  PlanRow: object(
    {
      ...{ id: text(), session: text(), at: time(), step: whole(), recovery: text(), rung, reason: text() },
      ...{ toModel: text(), toHuman: text(), shadow: flag() },
    },
    { ...ofAgent, tool: text(), outcome: choiceSchema(Object.keys(outcomeCounts)) },
  ),
  Stats: object({
    ...{
      since: time(),
      sessions: whole(),
      looping: whole(),
      events: whole(),
      steps: whole(),
      loops: whole(),
      plans: whole(),
      shadow: whole(),
    },
    ...{ outcomes: counts, faults: whole(), tokens: numberSchema(), usd: numberSchema(), wasted: ref('Waste') },
    detectors: list(object({ detector: text(), signals: whole(), sessions: whole() })),
    recoveries: list(recoveryFigures),
    tools: list(object({ tool: text(), calls: whole(), failed: whole(), looping: whole() })),
    hosts: list(
      object({
        host: text(),
        sessions: whole(),
        looping: whole(),
        steps: whole(),
        tokens: numberSchema(),
        usd: numberSchema(),
        wasted: ref('Waste'),
      }),
    ),
    ...{ costliest: list(ref('Session')), by: choiceSchema(['hour', 'day']), time: list(timeFigures, 'In UTC, oldest first.') },
  }),
  LoopDetection: mapOf(object({ attemptCount: whole(), lastAttempt: time() }), 'Every task that was attempted.'),
  Status: object({
    ...{
      running: flag(),
      tickCount: whole(),
      loopDetection: ref('LoopDetection'),
      run: orNull(text()),
      runs: list(text(), 'Currently running.'),
    },
    ...{ version: text(), since: time('Start of the server.') },
  }),
  Run: object(runFields),
  Runs: object({ runs: list(ref('Run')) }, next),
  RunInFull: object({
    ...runFields,
    tasks: list(
      object(
        { id: text(), title: text(), status: text(), attempts: whole(), deferred: list(text()), latest: list(attempt) },
        { reason: text(), setAside: text() },
      ),
    ),
    tried: list(object({ iteration: whole(), what: text() })),
    context: list(ref('ContextEntry'), 'Newest first.'),
  }),
  Detectors: object({
    ...{ preset: text(), shadow: flag(), files: object({ user: text() }, { project: text() }), problems: list(text()) },
    detectors: list(ref('Detector')),
  }),
  Detector: object({
    ...{
      name: text(),
      words: text(),
      status: choiceSchema(['stable', 'witness', 'trial', 'retired']),
      isOn: flag(),
      rungs: object({ first: rung, highest: rung }),
    },
    options: list(object({ key: text(), value, default: value, from: text(), words: text(), variable: text() })),
    ...{ signals: whole(), sessions: whole(), last: orNull(time()), tools: list(object({ tool: text(), signals: whole() })) },
  }),
};
