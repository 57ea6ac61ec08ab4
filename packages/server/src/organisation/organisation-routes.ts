import { redact } from '@unrut/engine/redact/redact';
import { safeName } from '@unrut/engine/redact/safe-name';
import { printable } from '@unrut/engine/text/printable';
import {
  type AuditEntry,
  type MemberRole,
  type Membership,
  type OrganisationKey,
  type OrganisationStore,
  type Organisations,
  type Person,
  type Project,
  type ProjectSettings,
  type Quota,
  WHOLE,
} from '@unrut/ledger/organisation';
import { type Context, Hono } from 'hono';
import type {
  AddedKeyAnswer,
  AuditAnswer,
  DoneAnswer,
  MeAnswer,
  ShownDeed,
  ShownKey,
  ShownPerson,
  ShownProject,
} from '../api/answers.ts';
import { cursorIn, cursorText, nameIn, numberIn, sinceIn } from '../api/query.ts';
import { readBodyAs } from '../body.ts';
import { makeKey } from '../keys.ts';
import { malformed, Refusal } from '../problem.ts';
import {
  aKey,
  anOrganisationSettings,
  aProject,
  aProjectSettings,
  aRole,
  aSessionToForget,
} from './bodies.ts';
import { type Member, mayIn, projectsFor } from './member.ts';

export interface OrganisationRoutes {
  organisations: Organisations;

  /** Who asks. It is known by then. */
  memberOf(context: Context): Member;
  now?: () => number;
}

/** What is said to whoever may not; whether there is such a thing is not told. */
export const notYours = (role: MemberRole | 'organisation-admin'): Refusal =>
  new Refusal(
    403,
    'wrong-role',
    `Expected the role ${role.replace('-', ' ')} there, got less. Ask an admin of your organisation for it.`,
  );

/** What people, keys and projects are there, who may do what, and what was done. */
export function organisationRoutes({
  organisations,
  memberOf,
  now = Date.now,
}: OrganisationRoutes): Hono {
  const app = new Hono();

  interface Asked {
    member: Member;
    /** For the audit. */
    actor: string;
    store: OrganisationStore;
    projects: Project[];
  }

  type Route = (given: Asked, context: Context) => Promise<object>;

  /**
   * The project of that name, in which the sender is an admin; without a name, all of the
   * organisation.
   */
  function administered({ member, projects }: Asked, name: string | undefined): number {
    const project =
      name === undefined ? WHOLE : projects.find((each) => each.name === name)?.project;
    if (project === undefined || !mayIn(member, 'admin', project))
      throw notYours(name === undefined ? 'organisation-admin' : 'admin');
    return project;
  }

  /**
   * The projects that a list is about: the one that is asked for, or all that the sender is an
   * admin of.
   */
  function listed(context: Context, given: Asked): readonly number[] | undefined {
    const name = context.req.query('project');
    return name === undefined ? projectsFor(given.member, 'admin') : [administered(given, name)];
  }

  const routes: Readonly<Record<string, Route>> = {
    async 'GET /v1/me'({ member, projects, store }) {
      const { name } = await store.organisation();
      return {
        organisation: name,
        admin: mayIn(member, 'admin', WHOLE),
        projects: projects.flatMap((project) => {
          const scopes = SCOPES.filter((scope) => mayIn(member, scope, project.project));
          return scopes.length > 0 ? [{ name: project.name, scopes }] : [];
        }),
        person: member.person,
        key: member.key?.id,
        csrf: member.csrf,
        signedIn: member.isSignedIn,
      } satisfies MeAnswer;
    },

    async 'GET /v1/projects'({ member, projects }) {
      const seen = projects.filter(({ project }) =>
        SCOPES.some((scope) => mayIn(member, scope, project)),
      );
      return { projects: seen.map(shownProject) };
    },

    async 'POST /v1/projects'(given, context) {
      administered(given, undefined);
      const { name, settings = {} } = await readBodyAs(context, aProject);
      const added = await given.store.addProject(
        shownText(name),
        settings as ProjectSettings,
        given.actor,
      );
      if (!added)
        throw new Refusal(
          409,
          'name-taken',
          'Expected a new name, got that of another project. Choose another name.',
        );
      return shownProject(added);
    },

    async 'POST /v1/projects/:name'(given, context) {
      const project = administered(given, nameIn(context, 'name'));
      await given.store.changeProject(
        project,
        (await readBodyAs(context, aProjectSettings)) as ProjectSettings,
        given.actor,
      );
      return DONE;
    },

    async 'DELETE /v1/projects/:name'(given, context) {
      await given.store.forgetProject(administered(given, nameIn(context, 'name')), given.actor);
      return { done: false };
    },

    async 'GET /v1/keys'(given, context) {
      const wanted = listed(context, given);
      const keys = (await given.store.keys()).filter(
        ({ project = WHOLE }) => wanted === undefined || wanted.includes(project),
      );
      return { keys: keys.map((key) => shownKey(key, given.projects)) };
    },

    async 'POST /v1/keys'(given, context) {
      const wanted = await readBodyAs(context, aKey);
      const project = administered(given, wanted.project);
      if (wanted.expires !== undefined && wanted.expires <= now())
        throw malformed('Expected `expires` to be a time to come, got one that has passed.');
      const { name = '', scopes, expires, person } = wanted;
      const { key, stored } = makeKey(
        { name: shownText(name), scopes: [...new Set(scopes)], expires },
        now(),
      );
      const quota = wanted.quota as Quota | undefined;
      const added: Omit<OrganisationKey, 'org'> = {
        ...stored,
        project: project === WHOLE ? undefined : project,
        person,
        quota,
      };
      await given.store.addKey(added, given.actor);
      return { key, added: shownKey(added, given.projects) } satisfies AddedKeyAnswer;
    },

    async 'DELETE /v1/keys/:id'({ member, actor, store }, context) {
      const id = nameIn(context);
      const found = (await store.keys()).find((key) => key.id === id);
      const isRevoked =
        found &&
        mayIn(member, 'admin', found.project ?? WHOLE) &&
        (await store.revokeKey(id, now(), actor));
      if (!isRevoked)
        throw new Refusal(
          404,
          'unknown-key',
          'Expected the id of a valid key of yours, got another. See GET /v1/keys.',
        );
      return DONE;
    },

    async 'GET /v1/people'(given, context) {
      const wanted = listed(context, given);
      const people = (await given.store.people()).map((person) => ({
        ...person,
        roles: person.roles.filter(
          ({ project }) => wanted === undefined || wanted.includes(project),
        ),
      }));
      const seen = people.filter(({ roles }) => wanted === undefined || roles.length > 0);
      return { people: seen.map((person) => shownPerson(person, given.projects)) };
    },

    async 'POST /v1/people'(given, context) {
      const { person, role, project } = await readBodyAs(context, aRole);
      await given.store.setRole(
        person,
        administered(given, project),
        role ?? undefined,
        given.actor,
      );
      return DONE;
    },

    async 'DELETE /v1/people/:person'(given, context) {
      administered(given, undefined);
      return { sessions: await given.store.forgetPerson(nameIn(context, 'person'), given.actor) };
    },

    async 'POST /v1/forget'({ member, actor, store }, context) {
      const session = safeName((await readBodyAs(context, aSessionToForget)).session);
      const place = await store.sessionPlace(session);
      const isForgotten =
        place &&
        mayIn(member, 'admin', place.project) &&
        (await store.forgetSession(session, actor));
      if (!isForgotten)
        throw new Refusal(
          404,
          'unknown-session',
          'No such session in a project of yours. See GET /v1/sessions.',
        );
      return DONE;
    },

    async 'GET /v1/organisation'(given) {
      administered(given, undefined);
      return (await given.store.organisation()).settings;
    },

    async 'POST /v1/organisation'(given, context) {
      administered(given, undefined);
      await given.store.change(await readBodyAs(context, anOrganisationSettings), given.actor);
      return DONE;
    },

    async 'GET /v1/audit'(given, context) {
      const projects = listed(context, given);
      const limit = numberIn(context, 'limit', 100);
      const before = cursorIn(context);
      const audit = await given.store.audit({
        limit: limit + 1,
        since: sinceIn(context, now()),
        projects,
        before: before && { at: before.at, id: before.name },
      });
      const last = audit.length > limit ? audit[limit - 1] : undefined;
      return {
        audit: audit.slice(0, limit).map((entry) => shownEntry(entry, given.projects)),
        next: last && cursorText({ at: last.at, name: last.id }),
      } satisfies AuditAnswer;
    },
  };

  for (const [name, route] of Object.entries(routes)) {
    const [method, path] = name.split(' ') as [string, string];
    app.on(method, path, async (context: Context) => {
      const member = memberOf(context);
      const store = organisations.of(member.org);
      return context.json(
        await route(
          { member, actor: member.actor, store, projects: await store.projects() },
          context,
        ),
      );
    });
  }
  return app;
}

const SCOPES = ['ingest', 'read', 'admin'] as const;

const DONE: DoneAnswer = { done: true };

/** What people call something may not hold secrets. */
const shownText = (given: string): string => printable(redact(given));

const nameOf = (
  projects: readonly Project[],
  number: number | undefined,
): { project?: string } => ({
  project: projects.find(({ project }) => project === number)?.name,
});

const shownProject = ({ name, settings, created }: Project): ShownProject => ({
  name,
  settings,
  created,
});

function shownKey(key: Omit<OrganisationKey, 'org'>, projects: readonly Project[]): ShownKey {
  const { org: _, hash: __, project, ...rest } = key as OrganisationKey;
  return { ...rest, ...nameOf(projects, project) };
}

const shownPerson = ({ roles, ...person }: Person, projects: readonly Project[]): ShownPerson => ({
  ...person,
  roles: roles.map(({ role, project }: Membership) => ({ role, ...nameOf(projects, project) })),
});

const shownEntry = (
  { project, ...entry }: AuditEntry,
  projects: readonly Project[],
): ShownDeed => ({
  ...entry,
  ...nameOf(projects, project),
});
