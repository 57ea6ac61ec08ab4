import {
  type Membership,
  type OrganisationKey,
  type Person,
  type Project,
  type Quota,
  WHOLE,
} from '@unrut/ledger/organisation';
import {
  addedKeySchema,
  doneSchema,
  forgottenSchema,
  keysSchema,
  peopleSchema,
} from '../answers/organisation.ts';
import type { ShownKey, ShownPerson } from '../api/answers.ts';
import { nameParam } from '../api/query.ts';
import { makeKey } from '../keys.ts';
import { malformed, Refusal } from '../problem.ts';
import { text } from '../route/schema-words.ts';
import { aKey, aRole } from './bodies.ts';
import {
  administered,
  IS_DONE,
  listedProjects,
  manage,
  namedProject,
  ofProject,
  shownText,
} from './managing.ts';
import { mayIn } from './member.ts';

/** Keys and people. */
export const memberRoutes = [
  manage.get('/v1/keys', {
    id: 'listKeys',
    summary: 'List keys, oldest first.',
    role: 'admin',
    query: { project: ofProject },
    answer: keysSchema,
    async handle({ query }, parts) {
      const wanted = listedProjects(parts, query.project);
      // Keys of a deleted project are revoked and not listed.
      const known = new Set([WHOLE, ...parts.projects.map(({ project }) => project)]);
      const keys = (await parts.store.keys()).filter(
        ({ project = WHOLE }) =>
          known.has(project) && (wanted === undefined || wanted.includes(project)),
      );
      return { keys: keys.map((key) => shownKey(key, parts.projects)) };
    },
  }),

  manage.post('/v1/keys', {
    id: 'addKey',
    summary: 'Add a key.',
    role: 'admin',
    body: aKey,
    answer: addedKeySchema,
    async handle({ body: wanted }, parts) {
      const project = administered(parts, wanted.project);
      const now = parts.now();
      if (wanted.expires !== undefined && wanted.expires <= now)
        throw malformed('Expected `expires` to be a time to come, got one that has passed.');
      const { name = '', scopes, expires, person } = wanted;
      const { key, stored } = makeKey(
        { name: shownText(name), scopes: [...new Set(scopes)], expires },
        now,
      );
      const quota = wanted.quota as Quota | undefined;
      const added: Omit<OrganisationKey, 'org'> = {
        ...stored,
        project: project === WHOLE ? undefined : project,
        person,
        quota,
      };
      await parts.store.addKey(added, parts.member.actor);
      return { key, added: shownKey(added, parts.projects) };
    },
  }),

  manage.delete('/v1/keys/:id', {
    id: 'revokeKey',
    summary: 'Revoke a key. Servers reject it within ten seconds.',
    role: 'admin',
    params: { id: text("The key's id.") },
    answer: doneSchema,
    refuses: { 404: 'No such key that is still valid.' },
    async handle({ params: { id } }, { member, store, now }) {
      const found = (await store.keys()).find((key) => key.id === id);
      const isRevoked =
        found &&
        mayIn(member, 'admin', found.project ?? WHOLE) &&
        (await store.revokeKey(id, now(), member.actor));
      if (!isRevoked)
        throw new Refusal(
          404,
          'unknown-key',
          'Expected the id of a valid key of yours, got another. See GET /v1/keys.',
        );
      return IS_DONE;
    },
  }),

  manage.get('/v1/people', {
    id: 'listPeople',
    summary: 'List people and their roles.',
    role: 'admin',
    query: { project: ofProject },
    answer: peopleSchema,
    async handle({ query }, parts) {
      const wanted = listedProjects(parts, query.project);
      const people = (await parts.store.people()).map((person) => ({
        ...person,
        roles: person.roles.filter(
          ({ project }) => wanted === undefined || wanted.includes(project),
        ),
      }));
      const seen = people.filter(({ roles }) => wanted === undefined || roles.length > 0);
      return { people: seen.map((person) => shownPerson(person, parts.projects)) };
    },
  }),

  manage.post('/v1/people', {
    id: 'setRole',
    summary: 'Give somebody a role, or take it away (null).',
    role: 'admin',
    body: aRole,
    answer: doneSchema,
    async handle({ body: { person, role, project } }, parts) {
      await parts.store.setRole(
        person,
        administered(parts, project),
        role ?? undefined,
        parts.member.actor,
      );
      return IS_DONE;
    },
  }),

  manage.delete('/v1/people/:person', {
    id: 'forgetPerson',
    summary: 'Delete everything of a person: sessions, roles, sign-ins. Their keys are revoked.',
    role: 'organisation-admin',
    params: { person: nameParam('The name') },
    answer: forgottenSchema,
    async handle({ params: { person } }, parts) {
      administered(parts, undefined);
      return { sessions: await parts.store.forgetPerson(person, parts.member.actor) };
    },
  }),
];

function shownKey(key: Omit<OrganisationKey, 'org'>, projects: readonly Project[]): ShownKey {
  const { org: _, hash: __, project, ...rest } = key as OrganisationKey;
  return { ...rest, ...namedProject(projects, project) };
}

const shownPerson = ({ roles, ...person }: Person, projects: readonly Project[]): ShownPerson => ({
  ...person,
  roles: roles.map(({ role, project }: Membership) => ({
    role,
    ...namedProject(projects, project),
  })),
});
