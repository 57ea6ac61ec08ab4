import { cursorParameter, limitParameter, sinceParameter } from './look-paths.ts';
import {
  inPath,
  inQuery,
  type Operation,
  operation,
  type Parameter,
  type Paths,
  refusals,
} from './operation.ts';

type Managing = Omit<Parameters<typeof operation>[0], 'tag'>;
const manage = (about: Managing): Operation => operation({ ...about, tag: 'organisation' });

/** The project that a request is about; where it is missing, all that the sender may see. */
export const ofProject: Parameter = inQuery('project', 'Only this project, by its name.');

/** `GET /v1/me`, which every server answers. */
export const mePath: Paths = {
  '/v1/me': {
    get: operation({
      operationId: 'getMe',
      summary: 'Get who you are, and what you may do in which project.',
      tag: 'operate',
      gives: 'Me',
    }),
  },
};

/** Of servers of organisations. */
export const organisationPaths: Paths = {
  '/v1/projects': {
    get: manage({
      operationId: 'listProjects',
      summary: 'List the projects that you may see.',
      gives: 'Projects',
      'x-role': 'viewer',
    }),
    post: manage({
      operationId: 'addProject',
      summary: 'Add a project.',
      takes: 'NewProject',
      gives: 'Project',
      'x-role': 'organisation-admin',
      refuses: { 409: 'There is a project of that name.' },
    }),
  },
  '/v1/projects/{name}': {
    post: manage({
      operationId: 'changeProject',
      summary: 'Replace the settings of a project.',
      takes: 'ProjectSettings',
      gives: 'Done',
      parameters: [inPath('name', 'The name, URL-encoded.')],
      'x-role': 'admin',
    }),
    delete: manage({
      operationId: 'forgetProject',
      summary:
        'Delete all sessions of a project, within minutes. The project, its settings and its keys stay.',
      gives: 'Done',
      parameters: [inPath('name', 'The name, URL-encoded.')],
      'x-role': 'admin',
    }),
  },
  '/v1/keys': {
    get: manage({
      operationId: 'listKeys',
      summary: 'List keys, oldest first.',
      gives: 'Keys',
      parameters: [ofProject],
      'x-role': 'admin',
    }),
    post: manage({
      operationId: 'addKey',
      summary: 'Add a key.',
      takes: 'NewKey',
      gives: 'AddedKey',
      'x-role': 'admin',
    }),
  },
  '/v1/keys/{id}': {
    delete: manage({
      operationId: 'revokeKey',
      summary: 'Revoke a key. Servers reject it within ten seconds.',
      gives: 'Done',
      'x-role': 'admin',
      parameters: [inPath('id', "The key's id.")],
      refuses: { 404: 'No such key that is still valid.' },
    }),
  },
  '/v1/people': {
    get: manage({
      operationId: 'listPeople',
      summary: 'List people and their roles.',
      gives: 'People',
      parameters: [ofProject],
      'x-role': 'admin',
    }),
    post: manage({
      operationId: 'setRole',
      summary: 'Give somebody a role, or take it away (null).',
      takes: 'NewRole',
      gives: 'Done',
      'x-role': 'admin',
    }),
  },
  '/v1/people/{person}': {
    delete: manage({
      operationId: 'forgetPerson',
      summary: 'Delete everything of a person: sessions, roles, sign-ins. Their keys are revoked.',
      gives: 'Forgotten',
      parameters: [inPath('person', 'The name, URL-encoded.')],
      'x-role': 'organisation-admin',
    }),
  },
  '/v1/forget': {
    post: manage({
      operationId: 'forgetSession',
      summary: 'Delete everything of a session.',
      takes: 'SessionToForget',
      gives: 'Done',
      'x-role': 'admin',
      refuses: { 404: 'No such session.' },
    }),
  },
  '/v1/organisation': {
    get: manage({
      operationId: 'getOrganisation',
      summary: 'Get the settings of the organisation.',
      gives: 'OrganisationSettings',
      'x-role': 'organisation-admin',
    }),
    post: manage({
      operationId: 'changeOrganisation',
      summary: 'Replace the settings of the organisation.',
      takes: 'OrganisationSettings',
      gives: 'Done',
      'x-role': 'organisation-admin',
    }),
  },
  '/v1/audit': {
    get: manage({
      operationId: 'listAudit',
      summary: 'List what was done by whom, newest first.',
      gives: 'Audit',
      'x-role': 'admin',
      parameters: [ofProject, sinceParameter, limitParameter(100, 1000), cursorParameter],
    }),
  },
};

const redirected: Operation['responses'] = { 302: { description: 'Go on at Location.' } };

/** For people with a browser, where a provider of sign-ins is known. */
export const signInPaths: Paths = {
  '/v1/sign-in': {
    get: {
      operationId: 'signIn',
      summary: 'Sign in with the provider (OpenID Connect). Needs no token.',
      tags: ['operate'],
      security: [],
      responses: {
        ...redirected,
        ...refusals(
          ['404', 'People cannot sign in here.'],
          ['502', 'The provider cannot be reached.'],
        ),
      },
    },
  },
  '/v1/sign-in/callback': {
    get: {
      operationId: 'signedIn',
      summary: 'Where the provider sends people back to. Needs no token.',
      tags: ['operate'],
      security: [],
      responses: {
        ...redirected,
        ...refusals(
          ['403', 'The sign-in failed or was not begun here.'],
          ['404', 'People cannot sign in here.'],
        ),
      },
    },
  },
  '/v1/sign-out': {
    post: operation({
      operationId: 'signOut',
      summary: 'End your sign-in.',
      tag: 'operate',
      gives: 'Done',
    }),
  },
};
