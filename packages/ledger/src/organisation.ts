import type { KeyScope, StoredKey } from './api-key.ts';

/** The roles, from the least to the most permissions. */
export const ROLES = ['viewer', 'member', 'admin'] as const;

export type MemberRole = (typeof ROLES)[number];

/** Used in place of a project number: the whole organisation. */
export const WHOLE = 0;
/** The project of sessions that belong to no other project. */
export const DEFAULT_PROJECT = 1;

/** Ingestion limits; a missing value means no limit. */
export interface Quota {
  /** Events a second, over all servers. */
  events?: number;
  /** Sessions and bytes a day. */
  sessions?: number;
  bytes?: number;
}

export interface ProjectSettings {
  /**
   * Sessions whose repository or folder has this name belong to the project, unless their key names
   * one.
   */
  repo?: string;
  folder?: string;
  /**
   * `own`: hides the names and labels of other people's sessions from all but admins. Default:
   * `all`.
   */
  visibility?: 'all' | 'own';
  /** Days of inactivity after which sessions are deleted. Default: the ledger's retention. */
  days?: number;
  quota?: Quota;
  /** Config for the project's sessions. */
  config?: { [key: string]: unknown };
}

export interface Project {
  project: number;
  name: string;
  settings: ProjectSettings;
  /** Epoch milliseconds. */
  created: number;
}

export interface OrganisationSettings {
  /** Roles by sign-in group: in a project, or in the whole organisation. */
  groups?: { [group: string]: { project?: string; role: MemberRole } };
  quota?: Quota;
}

export interface Organisation {
  org: number;
  name: string;
  settings: OrganisationSettings;
}

/** A key and its owner. Without a project, it is valid for the whole organisation. */
export interface OrganisationKey extends StoredKey {
  org: number;
  project?: number;
  /** The person to whom recorded sessions are attributed. */
  person?: string;
  quota?: Quota;
}

/** A role in a project, or in all projects (`WHOLE`). */
export interface Membership {
  project: number;
  role: MemberRole;
}

export interface Person {
  person: string;
  name?: string;
  email?: string;
  created: number;
  /** When they signed in last. */
  seen?: number;
  roles: Membership[];
}

/** An action and its author. Audit entries are append-only. */
export interface AuditEntry {
  id: string;
  at: number;
  project?: number;
  /** `key:<id>`, `person:<name>` or `cli`. */
  actor: string;
  /** `key-added`, `session-forgotten`, … */
  action: string;
  target?: string;
  data: { [name: string]: unknown };
}

export type AuditedDeed = Omit<AuditEntry, 'id' | 'at' | 'data'> & { data?: AuditEntry['data'] };

export interface AuditQuery {
  since?: number;
  /** Only entries before this one. */
  before?: { at: number; id: string };
  limit: number;
  /** Only entries of these projects. */
  projects?: readonly number[];
}

/** A browser sign-in. */
export interface SignIn {
  org: number;
  person: string;
  /** Of the provider, when they signed in. */
  groups: readonly string[];
  /** The token that a page must send with changes. */
  csrf: string;
  /** Epoch milliseconds. */
  expires: number;
}

/** The project and the owner of a session. */
export interface SessionPlace {
  project: number;
  person?: string;
}

/** The people, projects and keys of one organisation. Every change is audited. */
export interface OrganisationStore {
  organisation(): Promise<Organisation>;
  change(settings: OrganisationSettings, by: string): Promise<void>;
  projects(): Promise<Project[]>;
  /** Undefined if the name is taken. */
  addProject(name: string, settings: ProjectSettings, by: string): Promise<Project | undefined>;
  changeProject(project: number, settings: ProjectSettings, by: string): Promise<boolean>;
  /** The oldest first. */
  keys(): Promise<OrganisationKey[]>;
  addKey(key: Omit<OrganisationKey, 'org'>, by: string): Promise<void>;
  revokeKey(id: string, at: number, by: string): Promise<boolean>;
  keyUsed(id: string, at: number): Promise<void>;
  people(): Promise<Person[]>;
  person(person: string): Promise<Person | undefined>;
  /** No role takes it away. */
  setRole(person: string, project: number, role: MemberRole | undefined, by: string): Promise<void>;
  /**
   * Deletes a person's data (sessions, roles, keys, sign-ins), but keeps an audit entry of the
   * deletion. Returns the number of deleted sessions.
   */
  forgetPerson(person: string, by: string): Promise<number>;
  /**
   * Deletes a project and its roles, revokes its keys, and schedules the deletion of its sessions
   * and figures within minutes. `DEFAULT_PROJECT` itself stays; only its current sessions are
   * deleted.
   */
  deleteProject(project: number, by: string): Promise<void>;
  /** Deletes all data of a project's session; false if there is no such session. */
  forgetSession(session: string, project: number, by: string): Promise<boolean>;
  /** The projects and owners of sessions with that name, newest first. */
  sessionPlaces(session: string): Promise<SessionPlace[]>;
  /** Projects by session, for sessions whose senders may report to every project. */
  ruledSessions(sessions: readonly string[]): Promise<ReadonlyMap<string, number>>;
  audited(deed: AuditedDeed): Promise<void>;
  /** The newest first. */
  audit(query: AuditQuery): Promise<AuditEntry[]>;
  addSignIn(
    token: string,
    signIn: Omit<SignIn, 'org'>,
    about: { name?: string; email?: string },
  ): Promise<void>;
  endSignIn(token: string, by: string): Promise<void>;
  /** The amount received today. */
  today(project?: number): Promise<{ sessions: number }>;
  /** The organisation's fingerprint key: created once, and stored encrypted with the secret. */
  fingerprintKey(secret: string): Promise<string>;
}

/** All organisations of a database. */
export interface Organisations {
  of(org: number): OrganisationStore;
  /** The organisation of that name. */
  named(name: string): Promise<number | undefined>;
  /** The key with this id, in any project. */
  key(id: string): Promise<OrganisationKey | undefined>;
  signIn(token: string): Promise<SignIn | undefined>;
  /**
   * Registers that this server is alive; returns the number of servers seen within the last minute.
   */
  serverSeen(server: string): Promise<number>;
}

/** The key scopes that a role includes. */
export const scopesOf = (role: MemberRole): readonly KeyScope[] => SCOPES[role];
const SCOPES: Readonly<Record<MemberRole, readonly KeyScope[]>> = {
  viewer: ['read'],
  member: ['ingest', 'read'],
  admin: ['ingest', 'read', 'admin'],
};
