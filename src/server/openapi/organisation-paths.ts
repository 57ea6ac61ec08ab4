import { aCursor, aTime, wholeFrom } from '../api/query.ts';
import {
  ALWAYS,
  answered,
  BAD_QUERY,
  inPath,
  inQuery,
  json,
  MALFORMED,
  type Operation,
  type Parameter,
  type Paths,
  refusals,
} from './operation.ts';
import { ref } from './schema-words.ts';

type About = Pick<Operation, 'operationId' | 'summary' | 'x-role'> & {
  gives: string;
  takes?: string;
  parameters?: readonly Parameter[];
  missing?: string;
  conflict?: string;
};

const operation = ({ gives, takes, parameters = [], missing, conflict, ...about }: About): Operation => ({
  ...{ ...about, tags: ['organisation'], ...(parameters.length > 0 ? { parameters } : {}) },
  ...(takes === undefined ? {} : { requestBody: { required: true, content: json(ref(takes)) } }),
  responses: {
    ...answered(ref(gives), about.summary),
    ...(takes === undefined ? {} : MALFORMED),
    ...(parameters.length > 0 ? BAD_QUERY : {}),
    ...(missing === undefined ? {} : refusals(['404', missing])),
    ...(conflict === undefined ? {} : refusals(['409', conflict])),
    ...ALWAYS,
  },
});

/** The project that a request is about; where it is missing, all that the sender may see. */
export const ofProject: Parameter = inQuery('project', 'Only this project, by its name.');

/** `GET /v1/me`, which every server answers. */
export const mePath: Paths = {
  '/v1/me': {
    get: {
      ...{ operationId: 'getMe', summary: 'Get who you are, and what you may do in which project.', tags: ['operate'] },
      responses: { ...answered(ref('Me'), 'Who you are.'), ...ALWAYS },
    },
  },
};

/** Of servers of organisations. */
export const organisationPaths: Paths = {
  '/v1/projects': {
    get: operation({ operationId: 'listProjects', summary: 'List the projects that you may see.', gives: 'Projects', 'x-role': 'viewer' }),
    post: operation({
      ...{ operationId: 'addProject', summary: 'Add a project.', takes: 'NewProject', gives: 'Project', 'x-role': 'organisation-admin' },
      conflict: 'There is a project of that name.',
    }),
  },
  '/v1/projects/{name}': {
    post: operation({
      ...{ operationId: 'changeProject', summary: 'Replace the settings of a project.', takes: 'ProjectSettings', gives: 'Done' },
      ...{ parameters: [inPath('name', 'The name, URL-encoded.')], 'x-role': 'admin' },
    }),
    delete: operation({
      operationId: 'forgetProject',
      summary: 'Delete all sessions of a project, within minutes. The project, its settings and its keys stay.',
      ...{ gives: 'Done', parameters: [inPath('name', 'The name, URL-encoded.')], 'x-role': 'admin' },
    }),
  },
  '/v1/keys': {
    get: operation({
      operationId: 'listKeys',
      summary: 'List keys, oldest first.',
      gives: 'Keys',
      parameters: [ofProject],
      'x-role': 'admin',
    }),
    post: operation({ operationId: 'addKey', summary: 'Add a key.', takes: 'NewKey', gives: 'AddedKey', 'x-role': 'admin' }),
  },
  '/v1/keys/{id}': {
    delete: operation({
      ...{ operationId: 'revokeKey', summary: 'Revoke a key. Servers reject it within ten seconds.', gives: 'Done', 'x-role': 'admin' },
      ...{ parameters: [inPath('id', "The key's id.")], missing: 'No such key that is still valid.' },
    }),
  },
  '/v1/people': {
    get: operation({
      ...{
        operationId: 'listPeople',
        summary: 'List people and their roles.',
        gives: 'People',
        parameters: [ofProject],
        'x-role': 'admin',
      },
    }),
    post: operation({
      ...{
        operationId: 'setRole',
        summary: 'Give somebody a role, or take it away (null).',
        takes: 'NewRole',
        gives: 'Done',
        'x-role': 'admin',
      },
    }),
  },
  '/v1/people/{person}': {
    delete: operation({
      ...{ operationId: 'forgetPerson', summary: 'Delete everything of a person: sessions, roles, sign-ins. Their keys are revoked.' },
      ...{ gives: 'Forgotten', parameters: [inPath('person', 'The name, URL-encoded.')], 'x-role': 'organisation-admin' },
    }),
  },
  '/v1/forget': {
    post: operation({
      ...{
        operationId: 'forgetSession',
        summary: 'Delete everything of a session.',
        takes: 'SessionToForget',
        gives: 'Done',
        'x-role': 'admin',
      },
      missing: 'No such session.',
    }),
  },
  '/v1/organisation': {
    get: operation({
      ...{
        operationId: 'getOrganisation',
        summary: 'Get the settings of the organisation.',
        gives: 'OrganisationSettings',
        'x-role': 'organisation-admin',
      },
    }),
    post: operation({
      ...{
        operationId: 'changeOrganisation',
        summary: 'Replace the settings of the organisation.',
        takes: 'OrganisationSettings',
        gives: 'Done',
      },
      'x-role': 'organisation-admin',
    }),
  },
  '/v1/audit': {
    get: operation({
      ...{ operationId: 'listAudit', summary: 'List what was done by whom, newest first.', gives: 'Audit', 'x-role': 'admin' },
      parameters: [
        ofProject,
        inQuery('since', 'Only what was done since: epoch milliseconds, 30m, 24h, 7d, 2w or a date.', aTime),
        inQuery('limit', 'Max number of results (default 100).', wholeFrom(1, 1000)),
        inQuery('cursor', 'The next value of an earlier response.', aCursor),
      ],
    }),
  },
};

const redirected: Operation['responses'] = { 302: { description: 'Go on at Location.' } };

/** For people with a browser, where a provider of sign-ins is known. */
export const signInPaths: Paths = {
  '/v1/sign-in': {
    get: {
      ...{ operationId: 'signIn', summary: 'Sign in with the provider (OpenID Connect). Needs no token.', tags: ['operate'], security: [] },
      responses: { ...redirected, ...refusals(['404', 'People cannot sign in here.'], ['502', 'The provider cannot be reached.']) },
    },
  },
  '/v1/sign-in/callback': {
    get: {
      ...{ operationId: 'signedIn', summary: 'Where the provider sends people back to. Needs no token.', tags: ['operate'], security: [] },
      responses: {
        ...redirected,
        ...refusals(['403', 'The sign-in failed or was not begun here.'], ['404', 'People cannot sign in here.']),
      },
    },
  },
  '/v1/sign-out': {
    post: {
      ...{ operationId: 'signOut', summary: 'End your sign-in.', tags: ['operate'] },
      responses: { ...answered(ref('Done'), 'Signed out.'), ...ALWAYS },
    },
  },
};
