import type { KeyScope } from '@unrut/ledger/api-key';
import {
  type MemberRole,
  type Membership,
  type Organisation,
  type OrganisationKey,
  type Person,
  type Project,
  ROLES,
  scopesOf,
  WHOLE,
} from '@unrut/ledger/organisation';
import { mayDo } from '../keys.ts';

/** A caller on a server with organisations. */
export interface Member {
  org: number;
  /** The caller's name in the audit. */
  actor: string;
  /** The person whose sessions count as the caller's own. */
  person?: string;
  /** By project; `WHOLE` counts for every one. */
  grants: ReadonlyMap<number, readonly KeyScope[]>;
  /** The token that the browser's pages must send with changes. */
  csrf?: string;
  /** By a sign-in that can be ended here. */
  isSignedIn?: true;
  /** Of a key. */
  key?: OrganisationKey;
}

/** Whoever has a key. */
export const memberByKey = (key: OrganisationKey): Member => ({
  org: key.org,
  actor: `key:${key.id}`,
  ...(key.person === undefined ? {} : { person: key.person }),
  grants: new Map([[key.project ?? WHOLE, key.scopes]]),
  key,
});

/** The permissions of a signed-in person: their own roles and those of their groups. */
export function memberByName(
  { org, settings }: Organisation,
  projects: readonly Project[],
  { person, roles }: Pick<Person, 'person' | 'roles'>,
  groups: readonly string[],
): Member {
  const given = [...roles, ...rolesOfGroups(settings.groups ?? {}, projects, groups)];
  const grants = new Map<number, readonly KeyScope[]>();
  for (const { project } of given)
    grants.set(project, scopesOf(highest(given.filter((each) => each.project === project))));
  return { org, actor: `person:${person}`, person, grants };
}

const highest = (given: readonly Membership[]): MemberRole =>
  given.map(({ role }) => role).sort((a, b) => ROLES.indexOf(b) - ROLES.indexOf(a))[0]!;

/** Groups for projects that do not exist are ignored. */
function rolesOfGroups(
  mapped: NonNullable<Organisation['settings']['groups']>,
  projects: readonly Project[],
  groups: readonly string[],
): Membership[] {
  return groups.flatMap((group) => {
    const grant = Object.hasOwn(mapped, group) ? mapped[group] : undefined;
    if (!grant) return [];
    const project =
      grant.project === undefined
        ? WHOLE
        : projects.find(({ name }) => name === grant.project)?.project;
    return project === undefined ? [] : [{ project, role: grant.role }];
  });
}

/** Whether a member has this scope in a project; `WHOLE` means the whole organisation. */
export const mayIn = ({ grants }: Member, scope: KeyScope, project: number): boolean =>
  mayDo(grants.get(WHOLE) ?? [], scope) || mayDo(grants.get(project) ?? [], scope);

/** The projects in which a member has this scope; undefined for all. */
export function projectsFor(member: Member, scope: KeyScope): readonly number[] | undefined {
  if (mayIn(member, scope, WHOLE)) return undefined;
  return [...member.grants].flatMap(([project, scopes]) => (mayDo(scopes, scope) ? [project] : []));
}

/** The scopes that a member has in at least one project. */
export const scopesAnywhere = ({ grants }: Member): readonly KeyScope[] => [
  ...new Set([...grants.values()].flat()),
];
