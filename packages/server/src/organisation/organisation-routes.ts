import { safeName } from '@unrut/engine/redact/safe-name';
import { KEY_SCOPES } from '@unrut/ledger/api-key';

import {
  type AuditEntry,
  type Project,
  type ProjectSettings,
  WHOLE,
} from '@unrut/ledger/organisation';
import { auditSchema, doneSchema, projectSchema, projectsSchema } from '../answers/organisation.ts';
import type { ShownDeed, ShownProject } from '../api/answers.ts';
import {
  cursorParam,
  cursorText,
  limitOf,
  nameParam,
  sinceParam,
  sinceTime,
} from '../api/query.ts';
import { Refusal } from '../problem.ts';
import { anOrganisationSettings, aProject, aProjectSettings, aSessionToForget } from './bodies.ts';
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
import { memberRoutes } from './member-routes.ts';

const projectName = nameParam('The name');

/** Routes for projects, keys, people, settings, and the audit. */
export const organisationRoutes = [
  manage.get('/v1/projects', {
    id: 'listProjects',
    summary: 'List the projects that you may see.',
    role: 'viewer',
    answer: projectsSchema,
    async handle(_, { member, projects }) {
      const seen = projects.filter(({ project }) =>
        KEY_SCOPES.some((scope) => mayIn(member, scope, project)),
      );
      return { projects: seen.map(shownProject) };
    },
  }),

  manage.post('/v1/projects', {
    id: 'addProject',
    summary: 'Add a project.',
    role: 'organisation-admin',
    body: aProject,
    answer: projectSchema,
    refuses: { 409: 'There is a project of that name.' },
    async handle({ body: { name, settings = {} } }, parts) {
      administered(parts, undefined);
      const added = await parts.store.addProject(
        shownText(name),
        settings as ProjectSettings,
        parts.member.actor,
      );
      if (!added)
        throw new Refusal(
          409,
          'name-taken',
          'Expected a new name, got that of another project. Choose another name.',
        );
      return shownProject(added);
    },
  }),

  manage.post('/v1/projects/:name', {
    id: 'changeProject',
    summary: 'Replace the settings of a project.',
    role: 'admin',
    params: { name: projectName },
    body: aProjectSettings,
    answer: doneSchema,
    async handle({ params, body }, parts) {
      const project = administered(parts, params.name);
      await parts.store.changeProject(project, body as ProjectSettings, parts.member.actor);
      return IS_DONE;
    },
  }),

  manage.delete('/v1/projects/:name', {
    id: 'deleteProject',
    summary:
      'Delete a project: its settings and roles at once, its keys within ten seconds, its sessions and figures within minutes. The project `default` is only emptied.',
    role: 'admin',
    params: { name: projectName },
    answer: doneSchema,
    async handle({ params }, parts) {
      await parts.store.deleteProject(administered(parts, params.name), parts.member.actor);
      return {
        done: false,
        text: `Deleting ${params.name}: its keys end within ten seconds, its sessions and figures go within minutes.`,
      };
    },
  }),

  ...memberRoutes,

  manage.post('/v1/forget', {
    id: 'forgetSession',
    summary: 'Delete everything of a session; of several with that name, the newest.',
    role: 'admin',
    query: { project: ofProject },
    body: aSessionToForget,
    answer: doneSchema,
    refuses: { 404: 'No such session.' },
    async handle({ body, query }, parts) {
      const { member, store } = parts;
      const session = safeName(body.session);
      const asked = query.project === undefined ? undefined : administered(parts, query.project);
      const place = (await store.sessionPlaces(session)).find(
        ({ project }) =>
          (asked === undefined || project === asked) && mayIn(member, 'admin', project),
      );
      const isForgotten =
        place && (await store.forgetSession(session, place.project, member.actor));
      if (!isForgotten)
        throw new Refusal(
          404,
          'unknown-session',
          'No such session in a project of yours. See GET /v1/sessions.',
        );
      return IS_DONE;
    },
  }),

  manage.get('/v1/organisation', {
    id: 'getOrganisation',
    summary: 'Get the settings of the organisation.',
    role: 'organisation-admin',
    answer: anOrganisationSettings,
    async handle(_, parts) {
      administered(parts, undefined);
      return { ...(await parts.store.organisation()).settings };
    },
  }),

  manage.post('/v1/organisation', {
    id: 'changeOrganisation',
    summary: 'Replace the settings of the organisation.',
    role: 'organisation-admin',
    body: anOrganisationSettings,
    answer: doneSchema,
    async handle({ body }, parts) {
      administered(parts, undefined);
      await parts.store.change(body, parts.member.actor);
      return IS_DONE;
    },
  }),

  manage.get('/v1/audit', {
    id: 'listAudit',
    summary: 'List what was done by whom, newest first.',
    role: 'admin',
    query: {
      project: ofProject,
      since: sinceParam,
      limit: limitOf(100, 1000),
      cursor: cursorParam,
    },
    answer: auditSchema,
    async handle({ query: { project, limit, cursor: before, since } }, parts) {
      const projects = listedProjects(parts, project);
      const audit = await parts.store.audit({
        limit: limit + 1,
        since: sinceTime(since, parts.now()),
        projects,
        before: before && { at: before.at, id: before.name },
      });
      const last = audit.length > limit ? audit[limit - 1] : undefined;
      // Admins of one project see keys of other projects only by id.
      const names = new Map(
        (await parts.store.keys())
          .filter((key) => projects?.includes(key.project ?? WHOLE) ?? true)
          .map(({ id, name }) => [id, name]),
      );
      return {
        audit: audit.slice(0, limit).map((entry) => shownEntry(entry, parts.projects, names)),
        next: last && cursorText({ at: last.at, name: last.id }),
      };
    },
  }),
];

const shownProject = ({ name, settings, created }: Project): ShownProject => ({
  name,
  settings,
  created,
});

const shownEntry = (
  { project, ...entry }: AuditEntry,
  projects: readonly Project[],
  keys: ReadonlyMap<string, string>,
): ShownDeed => ({
  ...entry,
  key: entry.actor.startsWith('key:') ? keys.get(entry.actor.slice(4)) : undefined,
  targetKey: entry.action.startsWith('key-') ? keys.get(entry.target ?? '') : undefined,
  ...namedProject(projects, project),
});
