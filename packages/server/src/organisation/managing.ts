import { redact } from '@unrut/engine/redact/redact';
import { printable } from '@unrut/engine/text/printable';
import { KEY_SCOPES } from '@unrut/ledger/api-key';
import {
  type MemberRole,
  type OrganisationStore,
  type Project,
  WHOLE,
} from '@unrut/ledger/organisation';
import type { MeAnswer } from '../api/answers.ts';
import { Refusal } from '../problem.ts';
import { routesOf } from '../route/route.ts';
import { maybe, text } from '../route/schema-words.ts';
import { type Member, mayIn, projectsFor } from './member.ts';

/** The error for callers without the right; it does not reveal whether the thing exists. */
export const notYours = (role: MemberRole | 'organisation-admin'): Refusal =>
  new Refusal(
    403,
    'wrong-role',
    `Expected the role ${role.replace('-', ' ')} there, got less. Ask an admin of your organisation for it.`,
  );

/** The routes' context: the caller and the organisation. */
export interface Managing {
  member: Member;
  store: OrganisationStore;
  projects: Project[];
  now(): number;
}

/**
 * The project with that name, if the sender is its admin; without a name, the whole organisation.
 */
export function administered({ member, projects }: Managing, name: string | undefined): number {
  const project = name === undefined ? WHOLE : projects.find((each) => each.name === name)?.project;
  if (project === undefined || !mayIn(member, 'admin', project))
    throw notYours(name === undefined ? 'organisation-admin' : 'admin');
  return project;
}

/** The projects to list: the requested one, or all of which the sender is an admin. */
export const listedProjects = (
  parts: Managing,
  name: string | undefined,
): readonly number[] | undefined =>
  name === undefined ? projectsFor(parts.member, 'admin') : [administered(parts, name)];

/** The caller and their permissions. */
export async function whoAsks({ member, projects, store }: Managing): Promise<MeAnswer> {
  const { name } = await store.organisation();
  return {
    organisation: name,
    admin: mayIn(member, 'admin', WHOLE),
    projects: projects.flatMap((project) => {
      const scopes = KEY_SCOPES.filter((scope) => mayIn(member, scope, project.project));
      return scopes.length > 0 ? [{ name: project.name, scopes }] : [];
    }),
    person: member.person,
    key: member.key?.id,
    csrf: member.csrf,
    signedIn: member.isSignedIn,
  };
}

/** Declares routes that manage an organisation. */
export const manage = routesOf<Managing>({ tag: 'organisation', scope: 'admin' });

/** Of lists that can be about one project. */
export const ofProject = maybe(text('Only this project, by its name.'));

export const IS_DONE = { done: true };

/** Removes secrets from names that users choose. */
export const shownText = (given: string): string => printable(redact(given));

export const namedProject = (
  projects: readonly Project[],
  number: number | undefined,
): { project?: string } => ({
  project: projects.find(({ project }) => project === number)?.name,
});
