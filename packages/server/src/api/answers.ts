import type { ScreenRunResult, TrajectoryStep } from '@unrut/computer-use/trajectory';
import type { Waste } from '@unrut/engine/account/loop';
import type { Rung } from '@unrut/engine/event';
import type { RecoveryRow } from '@unrut/engine/outcome/learned-from';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { KeyScope } from '@unrut/ledger/api-key';
import type { HostFigures, PartFigures, PlanFigures } from '@unrut/ledger/figures/hour-figures';
import type { Acted, SessionState } from '@unrut/ledger/figures/session-figures';
import type { ContextEntry, LedgerEntry } from '@unrut/ledger/ledger';
import type {
  AuditEntry,
  MemberRole,
  OrganisationKey,
  Person,
  Project,
} from '@unrut/ledger/organisation';
import type { LoopsReport, PlanRow, SessionRow, SignalRow } from '@unrut/ledger/reports/reports';
import type { ScreenRunSums } from '@unrut/ledger/reports/screen-runs';
import type { RecoveryFigures, StatsFigures } from '@unrut/ledger/reports/stats';
import type { SessionLoop, SessionLoops } from '@unrut/ledger/views/session-loops';
import type { Moment } from '@unrut/ledger/views/timeline';
import type { RoadmapStatus } from '@unrut/tasks';
import type { ToldVerdict } from '../events/record-events.ts';

export type { Waste } from '@unrut/engine/account/loop';
export type { PlanFigures } from '@unrut/ledger/figures/hour-figures';
export type { Acted } from '@unrut/ledger/figures/session-figures';
export type { PlanRow, SessionRow, SignalRow } from '@unrut/ledger/reports/reports';
export type { SessionLoop } from '@unrut/ledger/views/session-loops';

/**
 * What the server answers with. The document has each under its name here: `answers.schema.json` is
 * made from these types.
 */
export interface Answers {
  Problem: ProblemAnswer;
  Health: { ok: boolean };
  Waste: Waste;
  Session: SessionRow;
  Sessions: SessionsAnswer;
  SessionInFull: SessionAnswer;
  MomentRow: MomentRow;
  ActAnswer: ActAnswer;
  Signals: SignalsAnswer;
  Recoveries: RecoveriesAnswer;
  Stats: StatsAnswer;
  Status: StatusAnswer;
  Run: RunStatus;
  Runs: RunsAnswer;
  RunInFull: RunAnswer;
  Detector: DetectorRow;
  Detectors: DetectorsAnswer;
  StreamEntry: StreamEntry;
  Verdict: ToldVerdict;
  Verdicts: { verdicts: ToldVerdict[] };
  CuaRun: CuaAnswer;
  CuaSums: ScreenRunSums;
  CuaResult: ScreenRunResult;
  CuaStep: TrajectoryStep;
  Me: MeAnswer;
  Project: ShownProject;
  Projects: { projects: ShownProject[] };
  Key: ShownKey;
  Keys: { keys: ShownKey[] };
  AddedKey: AddedKeyAnswer;
  Person: ShownPerson;
  People: { people: ShownPerson[] };
  AuditEntry: ShownDeed;
  Audit: AuditAnswer;
  Forgotten: ForgottenAnswer;
  Done: DoneAnswer;
}

/** Every answer that is not a success: problem details (RFC 9457) with a code for programs. */
export interface ProblemAnswer {
  type: 'about:blank';
  /** Of the status. */
  title: string;
  status: number;
  /** One line for people: what was expected, what came, what to do. */
  detail: string;
  code: string;
  /** The same, for older clients. */
  error: { code: string; message: string };
}

/** `GET /v1/sessions`: the most recently active first. */
export interface SessionsAnswer {
  sessions: SessionRow[];
  /** All that meet the filter. */
  total: number;
  /** Only the newest so many were looked through: text is searched in no more. */
  looked?: number;
  /** How many sessions are in which state, whatever the filter. */
  states: Record<SessionState, number>;
  /** The agents' programs and the folders that are known, by name. */
  hosts: string[];
  folders: string[];
  /** Give it as `cursor` for the next page; missing on the last. */
  next?: string;
}

/** What became of a plan. */
export interface FoundOut extends Outcome {
  /** It was only recorded, so whatever came was not its doing. */
  shadow?: true;
}

/** A moment of a session: a step, or something that is none, such as a person who speaks. */
export interface MomentRow extends Moment {
  outcomes: FoundOut[];
  /** The ids of `loops` that the step belongs to. */
  loops?: string[];
}

/** What can be done about a session, and what holds already. */
export interface SessionControl {
  /** Unrut is switched off for it. */
  isOff: boolean;
  /** Its program obeys when it is told to stop. */
  canStop: boolean;
  /** It will be stopped at its next call. */
  isStopping: boolean;
}

/** `POST /v1/act`: what was done, in a sentence. */
export interface ActAnswer {
  text: string;
}

/** `GET /v1/sessions/:id` and `GET /v1/session?id=`: one session, step by step. */
export interface SessionAnswer {
  session: SessionRow;
  /** Missing where nothing can be done from here. */
  control?: SessionControl;
  /**
   * All loops of the session, also where their steps are on another page. Unless it is `looping`,
   * none is open.
   */
  loops: SessionLoop[];
  /** Bursts of loops that are only counted, as there are too many. */
  earlier: SessionLoops['earlier'];
  /** Oldest first. */
  moments: MomentRow[];
  /** How many moments there are; those of this page begin at `offset`. */
  total: number;
  offset: number;
  /**
   * All of them, a letter each: u a person speaks, m a message, n it brought something, - nothing
   * new, e it failed, w a wait, ? not known.
   */
  strip: string;
  /** For each of them the seconds since the first. */
  seconds: number[];
  /**
   * For each of them what was done: the place of the highest rung among all rungs from 1 on, 0 for
   * nothing.
   */
  acts: string;
  /** Older entries than these were left out, as there are too many. */
  cut: boolean;
}

/** `GET /v1/signals`: the newest first. */
export interface SignalsAnswer {
  signals: SignalRow[];
  /** Give it as `cursor` for older ones; missing when there are none. */
  next?: string;
}

/**
 * `GET /v1/recoveries`: what was tried, and how often it worked. Only in `latest` something came of
 * plans that were only recorded.
 */
export interface RecoveriesAnswer {
  /** Where loops ended. */
  loops: LoopsReport;
  acted: Acted;
  /** By recovery and rung. */
  recoveries: RecoveryFigures[];
  /** By the tool at whose step they were made, and the recovery. */
  tools: (PlanFigures & { tool: string; recovery: string })[];
  /** By the detector whose signal they answer. */
  detectors: (PlanFigures & { detector: string })[];
  /** By the class of the failure: next moves that were offered, followed, and ended well. */
  failures: RecoveryRow[];
  /** The newest plans, the newest first. */
  latest: PlanRow[];
}

/** The figures of an hour or a day. */
export interface TimeFigures extends PartFigures {
  /** Epoch milliseconds at which it begins; days and hours are those of UTC. */
  at: number;
}

/** `GET /v1/stats`. */
export interface StatsAnswer extends StatsFigures {
  since: number;
  events: number;
  /** By agent's program, the most steps first; empty where it is not known. */
  hosts: ({ host: string } & HostFigures)[];
  /** The sessions that wasted the most steps. */
  costliest: SessionRow[];
  /** `by` is what was asked for; hours and days without anything are left out. Oldest first. */
  by: 'hour' | 'day';
  time: TimeFigures[];
}

/** One attempt at a task. */
export interface AttemptRow {
  at: number;
  status: string;
  blockers: string[];
  work: string[];
  session: string;
  interrupted: boolean;
}

/** A task of a run, with its latest attempts. */
export interface TaskRow {
  id: string;
  title: string;
  status: string;
  reason?: string;
  attempts: number;
  setAside?: string;
  deferred: string[];
  /** The newest last; at most 24. */
  latest: AttemptRow[];
}

/** Where a run of `unrut run` stands: the seed's status object, and more. */
export interface RunStatus
  extends Pick<RoadmapStatus, 'run' | 'running' | 'tickCount' | 'loopDetection' | 'cost'> {
  kind: 'prompt' | 'roadmap';
  /** How it ended, and why; null while it goes on or when it was cut off. */
  ending: string | null;
  reason: string;
  /** The prompt or roadmap that it works on, and the last part of its folder. */
  file: string;
  folder: string;
  first: number;
  last: number;
}

/** `GET /v1/runs`: the latest first. */
export interface RunsAnswer {
  runs: RunStatus[];
  next?: string;
}

/** `GET /v1/runs/:id` and `GET /v1/run?id=`. */
export interface RunAnswer extends RunStatus {
  /** Of a roadmap; a prompt has none. */
  tasks: TaskRow[];
  /** What iterations of a prompt came to. */
  tried: { iteration: number; what: string }[];
  /** What the next prompt is told, the newest first: recoveries, directives, escalations. */
  context: ContextEntry[];
}

/**
 * `GET /v1/status`: the run that is under way or was last, as its orchestrator would tell; without
 * any run nothing runs.
 */
export interface StatusAnswer {
  running: boolean;
  tickCount: number;
  loopDetection: RunStatus['loopDetection'];
  /** The run that this is about; null when there is none. */
  run: string | null;
  /** All runs that are under way. */
  runs: string[];
  version: string;
  /** Epoch milliseconds since when the server is up. */
  since: number;
}

/** A value that can be set. */
export interface DetectorOption {
  /** As in a config: `detectors.cycle.laps`. */
  key: string;
  value: number | string | boolean;
  default: number | string | boolean;
  /** The file or variable that says so, or `default`. */
  from: string;
  /** Why the default is what it is. */
  words: string;
  /** The variable of the environment that sets it. */
  variable: string;
}

/** A detector as it is in force in the server's folder, and what it has seen. */
export interface DetectorRow {
  name: string;
  /** What it sees, in a sentence. */
  words: string;
  status: 'stable' | 'witness' | 'trial' | 'retired';
  isOn: boolean;
  rungs: { first: Rung; highest: Rung };
  options: DetectorOption[];
  signals: number;
  sessions: number;
  /** When it last fired; null where it never has. */
  last: number | null;
  /** Where it fires: by tool, the most frequent first, at most ten. */
  tools: { tool: string; signals: number }[];
}

/** `GET /v1/detectors`. */
export interface DetectorsAnswer {
  preset: string;
  shadow: boolean;
  /** The config files: the user's, there or not, and the project's if there is one. */
  files: { user: string; project?: string };
  /** What could not be used of them. */
  problems: string[];
  detectors: DetectorRow[];
}

/**
 * An event of `GET /v1/stream`: `event: entry`, `id` is its place in the ledger, and this as
 * `data`.
 */
export interface StreamEntry extends LedgerEntry {
  /** In one line. */
  text: string;
}

/**
 * Where a computer-use run stands. `POST /v1/cua` gives it with 202, or with 200 once it has ended
 * where `?wait=1` was asked for.
 */
export interface CuaAnswer {
  id: string;
  state: 'queued' | 'running' | 'ended' | 'failed';
  /** Epoch milliseconds. */
  asked: number;
  began?: number;
  ended?: number;
  /** Steps made so far. */
  steps: number;
  /** How it went, once it has ended. */
  result?: ScreenRunResult;
  /** Addresses outside the allowed hosts that the page asked for and did not get; at most 20. */
  refused: string[];
  /** Why there is no result. */
  problem?: string;
  /** Settings of the request that were wrong, one line each; the rest applied. */
  problems?: string[];
}

/** `GET /v1/me`: who asks. */
export interface MeAnswer {
  /** Null on a server for one person. */
  organisation: string | null;
  /** May do everything in the organisation. */
  admin: boolean;
  /** What you may do in each project. */
  projects: { name: string; scopes: KeyScope[] }[];
  person?: string;
  /** The id of the key you ask with. */
  key?: string;
  /** Send it back as X-Unrut-Csrf to change anything. */
  csrf?: string;
  /** By a sign-in that POST /v1/sign-out ends. */
  signedIn?: true;
}

/** A project, by its name. */
export interface ShownProject extends Omit<Project, 'project'> {}

/** A key without what it is known by. */
export interface ShownKey extends Omit<OrganisationKey, 'hash' | 'org' | 'project'> {
  /** Missing: the whole organisation. */
  project?: string;
}

/** `POST /v1/keys`. */
export interface AddedKeyAnswer {
  /** The key itself. It is shown only now. */
  key: string;
  added: ShownKey;
}

export interface ShownPerson extends Omit<Person, 'roles'> {
  /** Without a project: in the whole organisation. */
  roles: { role: MemberRole; project?: string }[];
}

/** What was done, by whom. */
export interface ShownDeed extends Omit<AuditEntry, 'project'> {
  project?: string;
}

/** `GET /v1/audit`: the newest first. */
export interface AuditAnswer {
  audit: ShownDeed[];
  /** Pass it as cursor to get the next page. */
  next?: string;
}

export interface ForgottenAnswer {
  /** How many sessions were deleted. */
  sessions: number;
}

export interface DoneAnswer {
  /** False where it has begun, and takes some minutes. */
  done: boolean;
}
