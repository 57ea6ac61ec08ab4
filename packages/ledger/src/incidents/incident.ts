import type { Cause } from './cause.ts';

/** Min number of sessions (or users) that share a cause within an hour to open an incident. */
export const MIN_SESSIONS = 3;
export const MIN_USERS = 2;
export const WITHIN = 3_600_000;
/** An incident without a new failure for this long is resolved. */
export const QUIET = 1_800_000;
/** A resolved incident is reopened if its cause recurs within this time. */
export const REOPENS = 7 * 86_400_000;
/** How long a resolved incident is kept. */
export const KEPT = 90 * 86_400_000;

export const INCIDENT_STATES = ['open', 'acknowledged', 'resolved'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

export const INCIDENT_CHANGES = ['opened', 'grown', 'resolved', 'reopened'] as const;
export type IncidentChange = (typeof INCIDENT_CHANGES)[number];

/** A user's note on an incident. */
export interface IncidentNote {
  at: number;
  by: string;
  text: string;
}

/** A name, and the number of the incident's sessions that have it. */
export interface IncidentShare {
  name: string;
  sessions: number;
}

/** One cause that affects many sessions. Times are epoch milliseconds, texts are redacted. */
export interface Incident extends Pick<Cause, 'kind' | 'tool' | 'target' | 'text'> {
  id: string;
  /** The project of the sessions, on a server for organisations. */
  project?: string;
  state: IncidentState;
  opened: number;
  /** The times of its first and last failure. */
  first: number;
  last: number;
  sessions: number;
  /** Known users among them. */
  users: number;
  /** Failed or repeated calls. */
  calls: number;
  acknowledged?: { at: number; by: string };
  /** `by` is undefined if it was resolved because failures stopped. */
  resolved?: { at: number; by?: string };
  notes: IncidentNote[];
  /** Known teams, programs, repositories and releases of its sessions, by number of sessions. */
  teams: IncidentShare[];
  hosts: IncidentShare[];
  repos: IncidentShare[];
  releases: IncidentShare[];
  /** Affected sessions in twenty equal parts of the incident's time, oldest first. */
  pulse: number[];
}

/** Advice for the user, in a sentence or two. */
export const incidentAdvice = ({
  kind,
  target,
  tool,
}: Pick<Incident, 'kind' | 'target' | 'tool'>): string =>
  kind === 'loop'
    ? 'Open one of its sessions: what ends the loop there helps the others, too.'
    : target.includes('.')
      ? `Check ${target}. Until it answers, tell the agents to do other work.`
      : `Open one of its sessions: \`${tool}\` fails in the same way in all of them, so one repair is enough.`;

/** The actions of a user on an incident. */
export type IncidentAct = 'acknowledge' | 'resolve' | 'note';

/** A change to notify about. */
export interface ToldChange
  extends Pick<Incident, 'id' | 'text' | 'opened' | 'sessions' | 'users' | 'calls'> {
  /** The number of its project. */
  project: number;
  change: IncidentChange;
  /** Which change of its incident. */
  n: number;
  at: number;
}

/** Finds the incidents of one ledger, and stores users' actions on them. */
export interface Incidents {
  /**
   * Reads new signals; opens, extends, resolves and reopens incidents. Several processes may do so
   * at once: each change happens once.
   */
  look(now: number): Promise<void>;
  /** False if the incident does not exist. */
  act(
    id: string,
    order: { act: IncidentAct; by: string; at: number; text?: string },
  ): Promise<boolean>;
  /**
   * The newest sessions of an incident, at most this many; undefined if the incident does not
   * exist.
   */
  sessionsOf(id: string, most: number): Promise<string[] | undefined>;
}
