import type { KeyScope, StoredKey } from './api-key.ts';

/** What somebody may do, the least first: look; also report; also decide. */
export const ROLES = ['viewer', 'member', 'admin'] as const;

export type MemberRole = (typeof ROLES)[number];

/** In place of a project's number: all of the organisation. */
export const WHOLE = 0;
/** The project of sessions that belong to no other. */
export const DEFAULT_PROJECT = 1;

/** How much may come. What is missing has no limit. */
export interface Quota {
  /** Events a second, over all servers. */
  events?: number;
  /** Sessions and bytes a day. */
  sessions?: number;
  bytes?: number;
}

export interface ProjectSettings {
  /**
   * Sessions whose repository or folder has this name belong to the project, when their key names
   * none.
   */
  repo?: string;
  folder?: string;
  /**
   * `own`: names and labels of other people's sessions are hidden from those who are no admins.
   * Default: `all`.
   */
  visibility?: 'all' | 'own';
  /**
   * Days after which sessions are deleted that have been inactive since. Default: that of the
   * ledger.
   */
  days?: number;
  quota?: Quota;
  /** What a config says, for the project's sessions. */
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
  /**
   * What members of a group at the provider of sign-ins may do: by the group's name, a role in a
   * project, or in all of the organisation.
   */
  groups?: { [group: string]: { project?: string; role: MemberRole } };
  quota?: Quota;
}

export interface Organisation {
  org: number;
  name: string;
  settings: OrganisationSettings;
}

/** A key, and whom it belongs to. Without a project it is for all of the organisation. */
export interface OrganisationKey extends StoredKey {
  org: number;
  project?: number;
  /** Whose sessions are recorded with it. */
  person?: string;
  quota?: Quota;
}

/** What somebody may do in a project, or in all of them (`WHOLE`). */
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

/** What was done, by whom. It can be added to, and not changed. */
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
  /** Only those before this one: `<at> <id>` of the last that is known. */
  before?: { at: number; id: string };
  limit: number;
  /** Only those of these projects. */
  projects?: readonly number[];
}

/** Somebody who has signed in with a browser. */
export interface SignIn {
  org: number;
  person: string;
  /** Of the provider, when they signed in. */
  groups: readonly string[];
  /** What a page must say in order to change something. */
  csrf: string;
  /** Epoch milliseconds. */
  expires: number;
}

/** Where a session belongs, and to whom. */
export interface SessionPlace {
  project: number;
  person?: string;
}

/**
 * The people, projects and keys of one organisation. Everything that changes something is written
 * down with it.
 */
export interface OrganisationStore {
  organisation(): Promise<Organisation>;
  change(settings: OrganisationSettings, by: string): Promise<void>;
  projects(): Promise<Project[]>;
  /** Nothing if the name is taken. */
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
   * Deletes all that is known of a person but that it was done: sessions, roles, keys, sign-ins.
   * Returns the number of sessions.
   */
  forgetPerson(person: string, by: string): Promise<number>;
  /**
   * Deletes a project with its roles, revokes its keys, and orders that its sessions and figures
   * are deleted; servers do so within minutes. `DEFAULT_PROJECT` stays, without the sessions that
   * it has now.
   */
  deleteProject(project: number, by: string): Promise<void>;
  /** Deletes everything of a session of a project; false where there is none. */
  forgetSession(session: string, project: number, by: string): Promise<boolean>;
  /** The projects and people of the sessions of that name, the newest first. */
  sessionPlaces(session: string): Promise<SessionPlace[]>;
  /** By name, the projects of sessions whose senders may report to every project. */
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
  /** What came today so far. */
  today(project?: number): Promise<{ sessions: number }>;
  /** The key of the organisation's fingerprints: made once, and kept encrypted with the secret. */
  fingerprintKey(secret: string): Promise<string>;
}

/** All organisations of a database. */
export interface Organisations {
  of(org: number): OrganisationStore;
  /** The organisation of that name. */
  named(name: string): Promise<number | undefined>;
  /** A key by its id, whoever it belongs to. */
  key(id: string): Promise<OrganisationKey | undefined>;
  signIn(token: string): Promise<SignIn | undefined>;
  /** Says that this server is there; gives how many there were within the last minute. */
  serverSeen(server: string): Promise<number>;
}

/** What a role may do, as scopes of a key. */
export const scopesOf = (role: MemberRole): readonly KeyScope[] => SCOPES[role];
const SCOPES: Readonly<Record<MemberRole, readonly KeyScope[]>> = {
  viewer: ['read'],
  member: ['ingest', 'read'],
  admin: ['ingest', 'read', 'admin'],
};
