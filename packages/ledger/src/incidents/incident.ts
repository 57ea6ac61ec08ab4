import type { Cause } from './cause.ts';

/** Sessions with one cause within an hour that make an incident; or users. */
export const MIN_SESSIONS = 3;
export const MIN_USERS = 2;
export const WITHIN = 3_600_000;
/** Without a new failure for this long, an incident is resolved. */
export const QUIET = 1_800_000;
/** If its cause is back within this time, a resolved incident is reopened. */
export const REOPENS = 7 * 86_400_000;
/** How long a resolved incident is kept. */
export const KEPT = 90 * 86_400_000;

export const INCIDENT_STATES = ['open', 'acknowledged', 'resolved'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

export const INCIDENT_CHANGES = ['opened', 'grown', 'resolved', 'reopened'] as const;
export type IncidentChange = (typeof INCIDENT_CHANGES)[number];

/** What somebody has written about an incident. */
export interface IncidentNote {
  at: number;
  by: string;
  text: string;
}

/** A name and how many sessions of an incident have it. */
export interface IncidentShare {
  name: string;
  sessions: number;
}

/** One cause over many sessions. Times are in epoch milliseconds, texts are redacted. */
export interface Incident extends Pick<Cause, 'kind' | 'tool' | 'target' | 'text'> {
  id: string;
  /** The project whose sessions these are, on a server for organisations. */
  project?: string;
  state: IncidentState;
  opened: number;
  /** The first and the last failure that belongs to it. */
  first: number;
  last: number;
  sessions: number;
  /** Known users among them. */
  users: number;
  /** Failed or repeated calls. */
  calls: number;
  acknowledged?: { at: number; by: string };
  /** `by` is missing if it was resolved because nothing more failed. */
  resolved?: { at: number; by?: string };
  notes: IncidentNote[];
  /** Known teams, programs, repositories and releases of its sessions, most sessions first. */
  teams: IncidentShare[];
  hosts: IncidentShare[];
  repos: IncidentShare[];
  releases: IncidentShare[];
  /** How many sessions were affected, in twenty parts of its time, oldest first. */
  pulse: number[];
}

/** What a person can do about it, in a sentence or two. */
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

/** What a person does about an incident. */
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

/** Finds incidents in one ledger, and keeps what people do about them. */
export interface Incidents {
  /**
   * Reads the signals since the last time; opens, grows, resolves and reopens incidents. Any number
   * of processes may do so at once: each change happens once.
   */
  look(now: number): Promise<void>;
  /** False if there is no such incident. */
  act(
    id: string,
    order: { act: IncidentAct; by: string; at: number; text?: string },
  ): Promise<boolean>;
  /** The given number of newest sessions of an incident; undefined if there is no such incident. */
  sessionsOf(id: string, most: number): Promise<string[] | undefined>;
}
