import {
  aListOf,
  aMapOf,
  aNumber,
  anObject,
  anOptional,
  described,
  oneOf,
} from '@unrut/engine/schema/kinds';
import { KEY_SCOPES } from '@unrut/ledger/api-key';
import { ROLES } from '@unrut/ledger/organisation';
import * as v from 'valibot';
import { isInSeconds, NOT_SECONDS } from '../latest-time.ts';
import { named } from '../route/schema-words.ts';

/** The bodies of requests about an organisation. */

const NAME = 'a name of 1 to 100 characters without control characters';
const aName = () => v.pipe(v.string(NAME), v.regex(/^[^\u0000-\u001f\u007f]{1,100}$/, NAME));

const PROJECT =
  'a name of 1 to 60 letters, digits, spaces, dots, hyphens and underscores that begins and ends with a letter or digit';
/** The name is used in URLs, tables and commands. */
const aProjectName = v.pipe(
  v.string(PROJECT),
  v.regex(/^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u, PROJECT),
);

const aQuota = () =>
  anOptional({
    events: () => described(aNumber({ from: 1 }), 'Max events per second, over all servers.'),
    sessions: () => described(aNumber({ from: 1 }), 'Max new sessions per day.'),
    bytes: () => described(aNumber({ from: 1 }), 'Max bytes per day, over all servers.'),
  });

export const aProjectSettings = named(
  'ProjectSettings',
  anOptional({
    repo: () =>
      described(
        aName(),
        'Sessions of this repository belong to the project, unless their key names another.',
      ),
    folder: () =>
      described(
        aName(),
        'Sessions in a folder of this name belong to the project, unless their key names another.',
      ),
    visibility: () =>
      described(
        oneOf(['all', 'own']),
        "own: labels of other people's sessions are hidden from everybody but admins.",
      ),
    days: () =>
      described(
        aNumber({ from: 1, to: 3650, integer: true }),
        'Delete sessions that have been inactive for longer.',
      ),
    quota: () => described(aQuota(), 'How much may be sent.'),
    config: () =>
      described(aMapOf(v.unknown()), 'What a config file says, for the sessions of the project.'),
  }),
);

export const aProject = named(
  'NewProject',
  anObject({
    name: described(aProjectName, 'Its name, unique in the organisation.'),
    settings: v.optional(aProjectSettings),
  }),
);

export const aKey = named(
  'NewKey',
  anObject({
    name: v.optional(
      described(
        v.pipe(v.string(NAME), v.maxLength(60, 'a name of at most 60 characters')),
        'What people call it.',
      ),
    ),
    scopes: described(
      v.pipe(aListOf(oneOf(KEY_SCOPES), 'a list of scopes'), v.nonEmpty('at least one scope')),
      'What it is for.',
    ),
    project: v.optional(described(aName(), 'Missing: for the whole organisation.')),
    person: v.optional(described(aName(), 'Whose sessions are recorded with it.')),
    expires: v.optional(
      described(
        v.pipe(
          aNumber({ from: 0 }),
          v.check((at) => !isInSeconds(at), NOT_SECONDS),
        ),
        'When it stops working. Epoch milliseconds.',
      ),
    ),
    quota: v.optional(aQuota()),
  }),
);

export const aRole = named(
  'NewRole',
  anObject({
    person: described(aName(), 'The name by which they sign in.'),
    role: described(v.nullable(oneOf(ROLES)), 'Null takes the role away.'),
    project: v.optional(described(aName(), 'Missing: the whole organisation.')),
  }),
);

export const aSessionToForget = named(
  'SessionToForget',
  anObject({
    session: described(v.pipe(v.string('a name'), v.nonEmpty('a name')), 'The full name.'),
  }),
);

export const anOrganisationSettings = named(
  'OrganisationSettings',
  anOptional({
    groups: () =>
      described(
        aMapOf(anObject({ project: v.optional(aName()), role: oneOf(ROLES) })),
        'What members of a group at the sign-in provider may do: a role in a project or, without one, in the whole organisation.',
      ),
    quota: () => described(aQuota(), 'How much may be sent.'),
  }),
);
