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

/** What the routes work with: who asks, and their organisation. */
export interface Managing {
  member: Member;
  store: OrganisationStore;
  projects: Project[];
  now(): number;
}

/**
 * The project of that name, in which the sender is an admin; without a name, the whole
 * organisation.
 */
export function administered({ member, projects }: Managing, name: string | undefined): number {
  const project = name === undefined ? WHOLE : projects.find((each) => each.name === name)?.project;
  if (project === undefined || !mayIn(member, 'admin', project))
    throw notYours(name === undefined ? 'organisation-admin' : 'admin');
  return project;
}

/** The projects of a list: the one that is asked for, or all that the sender is an admin of. */
export const listedProjects = (
  parts: Managing,
  name: string | undefined,
): readonly number[] | undefined =>
  name === undefined ? projectsFor(parts.member, 'admin') : [administered(parts, name)];

/** The caller, and what they may do. */
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

/** What people call something may not hold secrets. */
export const shownText = (given: string): string => printable(redact(given));

export const namedProject = (
  projects: readonly Project[],
  number: number | undefined,
): { project?: string } => ({
  project: projects.find(({ project }) => project === number)?.name,
});
