import type { LoopAccount, LoopPlan } from '@unrut/engine/account/loop';
import { RUNGS, type Rung } from '@unrut/engine/event';

/**
 * Everything that a scan found: what `--json` prints, and what the text and HTML reports are made
 * of. All texts are redacted.
 */
export interface ScanReport {
  version: 1;
  totals: Totals;
  /** In the order of their files. */
  trajectories: Trajectory[];
  /** What could not be read, or only in part; one line each. */
  problems: Problem[];
  /** Runs and loops by what a team asks for. Missing where runs are printed as they come. */
  groups?: Groups;
  /** Limits that were asked for, and whether they are kept. */
  gates?: ScanGate[];
  /** Changes that would have prevented loops of several runs, if they were asked for. */
  suggestions?: Suggestion[];
}

/** A change that a person may make, so that a loop which recurs in several runs does not again. */
export interface Suggestion {
  /** The rule that suggests it. */
  rule: string;
  kind: 'permission' | 'instruction' | 'config' | 'hook';
  host?: string;
  repository?: string;
  /** What was seen. */
  text: string;
  /** The file to change; empty if the addition is a command to run. */
  file: string;
  /** In a file of settings: the names of the list or object that the addition belongs to. */
  under?: string[];
  /** The line to add, or the command to run. */
  add: string;
  /** The change as a unified diff, if the scan runs in the folder that was worked in. */
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

/** Of tools and kinds, only loops and what they wasted are counted. */
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

/** A share, and the interval of 95 % that it lies in. */
export interface Rate {
  value: number;
  low: number;
  high: number;
}

/** A loop, and where it is. */
export interface ComparedLoop extends ScannedLoop {
  run: string;
  file: string;
}

/** Two sets of runs: what `--compare` finds. */
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
 * What loops wasted: steps after their first lap; tokens and dollars where sources report usage.
 * Read from a cache is not counted.
 */
export interface Wasted {
  wastedSteps: number;
  wastedTokens?: number;
  wastedUsd?: number;
  /** Milliseconds, where sources tell the time; pauses of the user are left out. */
  wastedMs?: number;
}

export interface Totals extends Wasted {
  files: number;
  /** Files of which nothing is in the report; `problems` names each. */
  unread: number;
  trajectories: number;
  steps: number;
  /** Trajectories with a loop that is more than an edit or back-off note. */
  looping: number;
  loops: number;
  /** Loops that a baseline knows; they are in nothing else. */
  known?: number;
  signals: number;
  /** All that was spent, where sources report usage. */
  tokens?: number;
  usd?: number;
}

/** One run, as a file holds it. */
export interface Trajectory extends Wasted {
  id: string;
  file: string;
  /** The importer's name. */
  format: string;
  /** Which model answered, and the folder that was worked in, where the file says. */
  model?: string;
  repository?: string;
  /** The beginning of what the user asked for first, where the source has it. */
  prompt?: string;
  /** What the agent did, see `isStep`. */
  steps: number;
  /** Lines and records that could not be used. */
  skipped: number;
  /**
   * 0..1: the share of calls without a readable result. Missing if all results could be read.
   */
  unreadResults?: number;
  /** Epoch milliseconds of its first and last event, where the source tells. */
  from?: number;
  to?: number;
  tokens?: number;
  usd?: number;
  loops: ScannedLoop[];
  /** In order of their steps. */
  signals: SignalAt[];
  /** Signals of detectors on trial: they are part of nothing else. */
  trial: SignalAt[];
  /** Steps before which a person spoke. */
  spoke: number[];
  /** What Unrut did in this run, as its transcript shows. */
  did?: DeedAt[];
  /** One character a step, see `TIMELINE`. */
  timeline: string;
}

/** Something that Unrut did, and the step at which the agent saw it. */
export interface DeedAt {
  step: number;
  rung: Rung;
}

/** What Unrut did about a loop: at its steps, or at the one that follows. */
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

/** A stretch that goes in circles, as the account has it. */
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
  /** The same on every machine, and when the same task is run again. */
  id: string;
  /** What would have been done and when, least force first. */
  plans: PlanAt[];
  /** The repeated steps, the first and the last ones of them. */
  repeats: StepShown[];
}

export interface PlanAt extends Pick<LoopPlan, 'step' | 'rung' | 'recovery'> {
  toModel: string;
  toHuman: string;
}

/** A step as a reader sees it: redacted and short. */
export interface StepShown {
  step: number;
  /** Epoch milliseconds, where the source tells. */
  at?: number;
  /** Tool and target, or who speaks. */
  what: string;
  /** What it brought, in a few words. */
  brought: string;
  /** Its arguments, or what was said. */
  input: string;
  /** What came back. */
  output: string;
}

/** A line of the report about something that could not be read. */
export interface Problem {
  file: string;
  message: string;
  /** Something was not read, which `--strict` fails on; else it is only worth knowing. */
  fatal: boolean;
}

/** Whether a loop counts for a limit: advice never does. */
export const isCounted = ({ advice, rung }: ScannedLoop, failOn: Rung = 'note'): boolean =>
  !advice && RUNGS.indexOf(rung) >= RUNGS.indexOf(failOn);
