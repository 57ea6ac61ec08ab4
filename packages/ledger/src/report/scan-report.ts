import type { LoopAccount, LoopPlan } from '@unrut/engine/account/loop';
import { RUNGS, type Rung } from '@unrut/engine/event';

/**
 * The complete result of a scan: the `--json` output, and the source of text and HTML reports. All
 * texts are redacted.
 */
export interface ScanReport {
  version: 1;
  totals: Totals;
  /** In the order of their files. */
  trajectories: Trajectory[];
  /** Files that could not be read completely; one line each. */
  problems: Problem[];
  /**
   * Runs and loops by model, repository, tool and kind. Undefined if runs are printed as they come.
   */
  groups?: Groups;
  /** The requested limits, and whether they hold. */
  gates?: ScanGate[];
  /** Changes that would have prevented loops in several runs, if requested. */
  suggestions?: Suggestion[];
}

/** A change for the user to make, so that a recurring loop does not happen again. */
export interface Suggestion {
  /** The rule that suggests it. */
  rule: string;
  kind: 'permission' | 'instruction' | 'config' | 'hook';
  host?: string;
  repository?: string;
  /** What was seen. */
  text: string;
  /** The file to change; empty if `add` is a command to run. */
  file: string;
  /** In a settings file: the keys of the list or object to extend. */
  under?: string[];
  /** The line to add, or the command to run. */
  add: string;
  /** The change as a unified diff, if the scan runs in the agent's folder. */
  patch?: string;
  /** Where it comes from. */
  runs: { id: string; file: string; loop: string; start: number; end: number }[];
  /** By all of these loops. */
  wastedSteps: number;
}

/** Each is sorted by wasted steps. */
export interface Groups {
  model: Group[];
  repository: Group[];
  tool: Group[];
  kind: Group[];
}

/** Groups by tool and kind count only loops and their waste. */
export interface Group {
  name: string;
  runs: number;
  looping: number;
  loops: number;
  steps: number;
  wastedSteps: number;
}

export interface ScanGate {
  name: string;
  value: number;
  limit: number;
  passed: boolean;
}

/** A proportion with its 95 % interval. */
export interface Rate {
  value: number;
  low: number;
  high: number;
}

/** A loop and its location. */
export interface ComparedLoop extends ScannedLoop {
  run: string;
  file: string;
}

/** Two sets of runs: the result of `--compare`. */
export interface Comparison {
  version: 1;
  before: Totals;
  after: Totals;
  /** Runs that loop, and steps that are wasted. */
  looping: { before: Rate; after: Rate; difference: Rate };
  wasted: { before: Rate; after: Rate; difference: Rate };
  /** Loops by their ids. */
  appeared: ComparedLoop[];
  gone: ComparedLoop[];
  stayed: number;
  problems: Problem[];
}

/**
 * The waste of loops: steps after their first lap; tokens and dollars if the source reports usage.
 * Cached tokens are not counted.
 */
export interface Wasted {
  wastedSteps: number;
  wastedTokens?: number;
  wastedUsd?: number;
  /** Milliseconds, if the source reports times; the user's pauses are excluded. */
  wastedMs?: number;
}

export interface Totals extends Wasted {
  files: number;
  /** Files without any content in the report; `problems` names each. */
  unread: number;
  trajectories: number;
  steps: number;
  /** Trajectories with a loop that is more than a note about edits or back-off. */
  looping: number;
  loops: number;
  /** Loops in the baseline; they are counted nowhere else. */
  known?: number;
  signals: number;
  /** The total spending, if the source reports usage. */
  tokens?: number;
  usd?: number;
}

/** One run in a file. */
export interface Trajectory extends Wasted {
  id: string;
  file: string;
  /** The importer's name. */
  format: string;
  /** The model and the working folder, if the file names them. */
  model?: string;
  repository?: string;
  /** The beginning of the user's first message, if the source has it. */
  prompt?: string;
  /** The number of the agent's actions; see `isStep`. */
  steps: number;
  /** Lines and records that could not be used. */
  skipped: number;
  /** 0..1: the share of calls without a readable result. Undefined if all results could be read. */
  unreadResults?: number;
  /** Epoch milliseconds of its first and last event, if known. */
  from?: number;
  to?: number;
  tokens?: number;
  usd?: number;
  loops: ScannedLoop[];
  /** In order of their steps. */
  signals: SignalAt[];
  /** Signals of detectors on trial; they count nowhere else. */
  trial: SignalAt[];
  /** Steps before which a person spoke. */
  spoke: number[];
  /** Unrut's actions in this run, from its transcript. */
  did?: DeedAt[];
  /** One character a step, see `TIMELINE`. */
  timeline: string;
}

/** An action of Unrut, and the step at which the agent saw it. */
export interface DeedAt {
  step: number;
  rung: Rung;
}

/** Unrut's actions on a loop: at its steps, or at the one after it. */
export const deedsAt = (
  { did = [] }: Pick<Trajectory, 'did'>,
  { start, end }: Pick<ScannedLoop, 'start' | 'end'>,
): DeedAt[] => did.filter(({ step }) => step >= start && step <= end + 1);

export interface SignalAt {
  detector: string;
  variant: string;
  step: number;
  rung: Rung;
  strength: number;
}

/** A repetitive stretch of a run, from the account. */
export interface ScannedLoop
  extends Pick<
      LoopAccount,
      | 'detector'
      | 'variant'
      | 'also'
      | 'advice'
      | 'start'
      | 'firedAt'
      | 'end'
      | 'rung'
      | 'count'
      | 'strength'
      | 'text'
    >,
    Wasted {
  /** Stable across machines, and across repetitions of the same task. */
  id: string;
  /** The plans that Unrut would have made and when, weakest first. */
  plans: PlanAt[];
  /** The first and last of the repeated steps. */
  repeats: StepShown[];
}

export interface PlanAt extends Pick<LoopPlan, 'step' | 'rung' | 'recovery'> {
  toModel: string;
  toHuman: string;
}

/** A step for display: redacted and short. */
export interface StepShown {
  step: number;
  /** Epoch milliseconds, if known. */
  at?: number;
  /** Tool and target, or the speaker. */
  what: string;
  /** A short description of its result. */
  brought: string;
  /** Its arguments, or its text. */
  input: string;
  /** What came back. */
  output: string;
}

/** A line of the report about something that could not be read. */
export interface Problem {
  file: string;
  message: string;
  /** Content was not read, which `--strict` fails on; otherwise it is only information. */
  fatal: boolean;
}

/** Whether a loop counts towards a limit; advice never does. */
export const isCounted = ({ advice, rung }: ScannedLoop, failOn: Rung = 'note'): boolean =>
  !advice && RUNGS.indexOf(rung) >= RUNGS.indexOf(failOn);
