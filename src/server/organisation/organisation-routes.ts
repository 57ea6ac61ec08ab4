import { type Context, Hono } from 'hono';
import type { GenericSchema, InferOutput } from 'valibot';
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
} from '../../ledger/organisation.ts';
import { redact } from '../../redact/redact.ts';
import { safeName } from '../../redact/safe-name.ts';
import { parseValue } from '../../schema/problems.ts';
import { printable } from '../../text/printable.ts';
import type { AddedKeyAnswer, AuditAnswer, MeAnswer, ShownDeed, ShownKey, ShownPerson, ShownProject } from '../api/answers.ts';
import { cursorIn, cursorText, numberIn, sinceIn } from '../api/query.ts';
import { readJsonBody } from '../body.ts';
import { makeKey } from '../keys.ts';
import { Refusal } from '../problem.ts';
import { aKey, anOrganisationSettings, aProject, aProjectSettings, aRole, aSessionToForget } from './bodies.ts';
import { type Member, mayIn, projectsFor } from './member.ts';

export interface OrganisationRoutes {
  organisations: Organisations;

  /** Who asks. It is known by then. */
  memberOf(context: Context): Member;
  now?: () => number;
}

/** What is said to whoever may not; whether there is such a thing is not told. */
export const notYours = (role: MemberRole | 'organisation-admin'): Refusal =>
  new Refusal(403, 'wrong-role', `Expected the role ${role.replace('-', ' ')} there, got less. Ask an admin of your organisation for it.`);

/** What people, keys and projects are there, who may do what, and what was done. */
export function organisationRoutes({ organisations, memberOf, now = Date.now }: OrganisationRoutes): Hono {
  const app = new Hono();

  interface Asked {
    member: Member;
    store: OrganisationStore;
    projects: Project[];
  }

  async function asked(context: Context): Promise<Asked> {
    const member = memberOf(context);
    const store = organisations.of(member.org);
    return { member, store, projects: await store.projects() };
  }

  /** The project of that name, in which the sender is an admin; without a name, all of the organisation. */
  function administered({ member, projects }: Asked, name: string | undefined): number {
    const project = name === undefined ? WHOLE : projects.find((each) => each.name === name)?.project;
    if (project === undefined || !mayIn(member, 'admin', project)) throw notYours(name === undefined ? 'organisation-admin' : 'admin');
    return project;
  }

  /** The projects that a list is about: the one that is asked for, or all that the sender is an admin of. */
  function listed(context: Context, given: Asked): readonly number[] | undefined {
    const name = context.req.query('project');
    return name === undefined ? projectsFor(given.member, 'admin') : [administered(given, name)];
  }

  app.get('/v1/me', async (context) => {
    const { member, projects, store } = await asked(context);
    const { name } = await store.organisation();
    return context.json({
      organisation: name,
      admin: mayIn(member, 'admin', WHOLE),
      projects: projects.flatMap((project) => {
        const scopes = SCOPES.filter((scope) => mayIn(member, scope, project.project));
        return scopes.length > 0 ? [{ name: project.name, scopes }] : [];
      }),
      ...{ person: member.person, key: member.key?.id, csrf: member.csrf, signedIn: member.isSignedIn },
    } satisfies MeAnswer);
  });

  app.get('/v1/projects', async (context) => {
    const { member, projects } = await asked(context);
    const seen = projects.filter(({ project }) => SCOPES.some((scope) => mayIn(member, scope, project)));
    return context.json({ projects: seen.map(shownProject) });
  });

  app.post('/v1/projects', async (context) => {
    const given = await asked(context);
    administered(given, undefined);
    const { name, settings = {} } = await bodyOf(context, aProject);
    const added = await given.store.addProject(shownText(name), settings as ProjectSettings, given.member.actor);
    if (!added) throw new Refusal(409, 'name-taken', 'Expected a new name, got that of another project. Choose another name.');
    return context.json(shownProject(added));
  });

  app.post('/v1/projects/:name', async (context) => {
    const given = await asked(context);
    const project = administered(given, context.req.param('name'));
    const settings = await bodyOf(context, aProjectSettings);
    await given.store.changeProject(project, settings as ProjectSettings, given.member.actor);
    return context.json({ done: true });
  });

  app.delete('/v1/projects/:name', async (context) => {
    const given = await asked(context);
    await given.store.forgetProject(administered(given, context.req.param('name')), given.member.actor);
    return context.json({ done: false });
  });

  app.get('/v1/keys', async (context) => {
    const given = await asked(context);
    const wanted = listed(context, given);
    const keys = (await given.store.keys()).filter(({ project = WHOLE }) => wanted === undefined || wanted.includes(project));
    return context.json({ keys: keys.map((key) => shownKey(key, given.projects)) });
  });

  app.post('/v1/keys', async (context) => {
    const given = await asked(context);
    const wanted = await bodyOf(context, aKey);
    const project = administered(given, wanted.project);
    if (wanted.expires !== undefined && wanted.expires <= now())
      throw new Refusal(400, 'malformed', 'Expected `expires` to be a time to come, got one that has passed.');
    const { name = '', scopes, expires, person } = wanted;
    const { key, stored } = makeKey({ name: shownText(name), scopes: [...new Set(scopes)], expires }, now());
    const quota = wanted.quota as Quota | undefined;
    const added: Omit<OrganisationKey, 'org'> = { ...stored, project: project === WHOLE ? undefined : project, person, quota };
    await given.store.addKey(added, given.member.actor);
    return context.json({ key, added: shownKey(added, given.projects) } satisfies AddedKeyAnswer);
  });

  app.delete('/v1/keys/:id', async (context) => {
    const given = await asked(context);
    const id = context.req.param('id');
    const found = (await given.store.keys()).find((key) => key.id === id);
    const isRevoked =
      found !== undefined &&
      mayIn(given.member, 'admin', found.project ?? WHOLE) &&
      (await given.store.revokeKey(id, now(), given.member.actor));
    if (!isRevoked) throw new Refusal(404, 'unknown-key', 'Expected the id of a valid key of yours, got another. See GET /v1/keys.');
    return context.json({ done: true });
  });

  app.get('/v1/people', async (context) => {
    const given = await asked(context);
    const wanted = listed(context, given);
    const people = (await given.store.people()).map((person) => ({
      ...person,
      roles: person.roles.filter(({ project }) => wanted === undefined || wanted.includes(project)),
    }));
    const seen = people.filter(({ roles }) => wanted === undefined || roles.length > 0);
    return context.json({ people: seen.map((person) => shownPerson(person, given.projects)) });
  });

  app.post('/v1/people', async (context) => {
    const given = await asked(context);
    const { person, role, project: name } = await bodyOf(context, aRole);
    const project = administered(given, name);
    await given.store.setRole(person, project, role ?? undefined, given.member.actor);
    return context.json({ done: true });
  });

  app.delete('/v1/people/:person', async (context) => {
    const given = await asked(context);
    administered(given, undefined);
    return context.json({ sessions: await given.store.forgetPerson(context.req.param('person'), given.member.actor) });
  });

  app.post('/v1/forget', async (context) => {
    const { member, store } = await asked(context);
    const { session: name } = await bodyOf(context, aSessionToForget);
    const session = safeName(name);
    const place = await store.sessionPlace(session);
    const isForgotten = place !== undefined && mayIn(member, 'admin', place.project) && (await store.forgetSession(session, member.actor));
    if (!isForgotten) throw new Refusal(404, 'unknown-session', 'No such session in a project of yours. See GET /v1/sessions.');
    return context.json({ done: true });
  });

  app.get('/v1/organisation', async (context) => {
    const given = await asked(context);
    administered(given, undefined);
    return context.json((await given.store.organisation()).settings);
  });

  app.post('/v1/organisation', async (context) => {
    const given = await asked(context);
    administered(given, undefined);
    const settings = await bodyOf(context, anOrganisationSettings);
    await given.store.change(settings, given.member.actor);
    return context.json({ done: true });
  });

  app.get('/v1/audit', async (context) => {
    const given = await asked(context);
    const projects = listed(context, given);
    const limit = numberIn(context, 'limit', 100);
    const before = cursorIn(context);
    const audit = await given.store.audit({
      ...{ limit: limit + 1, since: sinceIn(context, now()), projects },
      before: before && { at: before.at, id: before.name },
    });
    const last = audit.length > limit ? audit[limit - 1] : undefined;
    return context.json({
      audit: audit.slice(0, limit).map((entry) => shownEntry(entry, given.projects)),
      next: last && cursorText({ at: last.at, name: last.id }),
    } satisfies AuditAnswer);
  });

  return app;
}

const SCOPES = ['ingest', 'read', 'admin'] as const;

async function bodyOf<Schema extends GenericSchema>(context: Context, schema: Schema): Promise<InferOutput<Schema>> {
  return parseValue(schema, await readJsonBody(context), (text) => new Refusal(400, 'malformed', text));
}

/** What people call something may not hold secrets. */
const shownText = (given: string): string => printable(redact(given));

const nameOf = (projects: readonly Project[], number: number | undefined): { project?: string } => ({
  project: projects.find(({ project }) => project === number)?.name,
});

const shownProject = ({ name, settings, created }: Project): ShownProject => ({ name, settings, created });

function shownKey(key: Omit<OrganisationKey, 'org'>, projects: readonly Project[]): ShownKey {
  const { org: _, hash: __, project, ...rest } = key as OrganisationKey;
  return { ...rest, ...nameOf(projects, project) };
}

const shownPerson = ({ roles, ...person }: Person, projects: readonly Project[]): ShownPerson => ({
  ...person,
  roles: roles.map(({ role, project }: Membership) => ({ role, ...nameOf(projects, project) })),
});

const shownEntry = ({ project, ...entry }: AuditEntry, projects: readonly Project[]): ShownDeed => ({
  ...entry,
  ...nameOf(projects, project),
});
