import type { KeyScope } from '../../api-key.ts';
import type { AuditEntry, MemberRole, OrganisationKey, Person, Project, ProjectSettings, Quota } from '../../organisation.ts';

/** Rows of the organisation's tables, as the driver gives them. */

export interface KeyRow {
  id: string;
  org: number;
  project: number | null;
  person: string | null;
  name: string;
  hash: string;
  scopes: KeyScope[];
  quota: Quota | null;
  created: Date;
  expires: Date | null;
  revoked: Date | null;
  last_used: Date | null;
}

export const toKey = (row: KeyRow): OrganisationKey => ({
  ...{ id: row.id, org: row.org, name: row.name, hash: row.hash, scopes: row.scopes, created: row.created.getTime() },
  ...(row.project === null ? {} : { project: row.project }),
  ...(row.person === null ? {} : { person: row.person }),
  ...(row.quota ? { quota: row.quota } : {}),
  ...(row.expires === null ? {} : { expires: row.expires.getTime() }),
  ...(row.revoked === null ? {} : { revoked: row.revoked.getTime() }),
  ...(row.last_used === null ? {} : { lastUsed: row.last_used.getTime() }),
});

export interface ProjectRow {
  project: number;
  name: string;
  settings: ProjectSettings;
  created: Date;
}

export const toProject = ({ project, name, settings, created }: ProjectRow): Project => ({
  ...{ project, name, settings },
  created: created.getTime(),
});

export interface PersonRow {
  person: string;
  name: string | null;
  email: string | null;
  created: Date;
  seen: Date | null;
  roles: { project: number; role: MemberRole }[];
}

export const toPerson = ({ person, name, email, created, seen, roles }: PersonRow): Person => ({
  person,
  ...(name === null ? {} : { name }),
  ...(email === null ? {} : { email }),
  created: created.getTime(),
  ...(seen === null ? {} : { seen: seen.getTime() }),
  roles,
});

export interface AuditRow {
  id: string;
  at: Date;
  project: number | null;
  actor: string;
  action: string;
  target: string | null;
  data: AuditEntry['data'];
}

export const toAuditEntry = ({ id, at, project, actor, action, target, data }: AuditRow): AuditEntry => ({
  ...{ id, at: at.getTime(), actor, action, data },
  ...(project === null ? {} : { project }),
  ...(target === null ? {} : { target }),
});
