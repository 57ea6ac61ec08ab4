import type { ScreenRunResult, TrajectoryStep } from '@unrut/computer-use/trajectory';
import type * as v from 'valibot';
import {
  choice,
  flag,
  json,
  list,
  mapOf,
  maybe,
  named,
  nullable,
  numeric,
  object,
  open,
  text,
} from '../route/schema-words.ts';
import { next } from './sessions.ts';

/** Runs of `unrut run`, and of screen agents. */

const loopDetection = mapOf(
  object({ attemptCount: numeric(), lastAttempt: numeric() }),
  'Every task with an attempt.',
);

export const runSchema = named(
  'Run',
  object({
    run: text(),
    running: flag(),
    tickCount: numeric(),
    loopDetection,
    cost: object({ tokens: numeric(), usd: numeric() }),
    kind: choice(['prompt', 'roadmap']),
    ending: nullable(text('How it ended; null while it runs or if it was cut off.')),
    reason: text('Why it ended.'),
    file: text('The prompt or roadmap that it works on.'),
    folder: text('The last part of its folder.'),
    first: numeric(),
    last: numeric(),
  }),
  'The status of a run of `unrut run`.',
);

export const runsSchema = named('Runs', object({ runs: list(runSchema), next }));

export const attemptRowSchema = object({
  at: numeric(),
  status: text(),
  blockers: list(text()),
  work: list(text()),
  session: text(),
  interrupted: flag(),
});

export const taskRowSchema = object({
  id: text(),
  title: text(),
  status: text(),
  reason: maybe(text()),
  attempts: numeric(),
  setAside: maybe(text()),
  deferred: list(text()),
  latest: list(attemptRowSchema, 'Newest last, at most 24.'),
});

export const runInFullSchema = named(
  'RunInFull',
  object({
    ...runSchema.entries,
    tasks: list(taskRowSchema, 'Of a roadmap; a prompt has none.'),
    tried: list(
      object({ iteration: numeric(), what: text() }),
      'Results of the iterations of a prompt.',
    ),
    context: list(
      object({
        id: text(),
        session: text(),
        timestamp: numeric('Epoch milliseconds.'),
        entryType: text(),
        topic: text(),
        content: text(),
        relatedTasks: list(text()),
        confidence: numeric('0..1.'),
        metadata: mapOf(json),
      }),
      'What the next prompt includes, newest first: recoveries, directives, escalations.',
    ),
  }),
);

export const statusSchema = named(
  'Status',
  object({
    running: flag(),
    tickCount: numeric(),
    loopDetection,
    run: nullable(text('The run that this is about; null if there is none.')),
    runs: list(text(), 'All runs that are running.'),
    version: text(),
    since: numeric('When the server started, in epoch milliseconds.'),
  }),
);

const byName = mapOf(numeric());

const stepSchema = named(
  'CuaStep',
  open({
    step: numeric('From 1.'),
    at: numeric('Milliseconds since the run began.'),
    action: open({ type: text() }, 'What was done. Points are in CSS pixels of the viewport.'),
    proposed_action: nullable(open({ type: text() }, 'What the model proposed.')),
    reasoning: text(),
    gate: text('Who replaced the proposal; empty if nobody did.'),
    loop_recovery_reason: text(),
    done_rejected_reason: text(),
    action_effect_observed: flag(),
    url: text(),
    loop: choice(['none', 'soft', 'hard']),
    feedback: text('What the model read before its next proposal.'),
  }) as unknown as v.GenericSchema<TrajectoryStep>,
  'One executed step. Typed text appears only as its length.',
);

const resultSchema = named(
  'CuaResult',
  open({
    task: text(),
    termination_reason: text(),
    ending: text('One sentence on the end.'),
    steps: numeric(),
    seconds: numeric(),
    loop_recoveries_by_reason: byName,
    done_rejections_by_reason: byName,
    substitutions_by_gate: byName,
    perceptual_summary: object({ checked: numeric(), no_effect: numeric() }),
    nudges: numeric(),
    spent: nullable(object({ requests: numeric(), tokens: numeric() })),
    off: list(text(), 'What was switched off.'),
    trajectory: list(stepSchema),
    final_frame: nullable(object({ frame_hash: text(), url: text() })),
  }) as unknown as v.GenericSchema<ScreenRunResult>,
  'The result of a computer-use run, without any typed value.',
);

export const cuaRunSchema = named(
  'CuaRun',
  object({
    id: text(),
    state: choice(['queued', 'running', 'ended', 'failed']),
    asked: numeric('Epoch milliseconds.'),
    began: maybe(numeric()),
    ended: maybe(numeric()),
    steps: numeric('Steps so far.'),
    result: maybe(resultSchema),
    refused: list(
      text(),
      'Addresses outside the allowed hosts that the page asked for, at most 20.',
    ),
    problem: maybe(text('Why there is no result.')),
    problems: maybe(
      list(text(), 'Settings of the request that were wrong, one line each; the rest applied.'),
    ),
  }),
  'The state of a computer-use run.',
);

export const cuaSumsSchema = named(
  'CuaSums',
  object({
    runs: numeric(),
    endings: mapOf(numeric(), 'How the runs ended.'),
    loop_recoveries_by_reason: byName,
    done_rejections_by_reason: byName,
  }),
);
