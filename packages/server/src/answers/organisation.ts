import { KEY_SCOPES } from '@unrut/ledger/api-key';
import { ROLES } from '@unrut/ledger/organisation';
import * as v from 'valibot';
import {
  choice,
  flag,
  list,
  mapOf,
  mark,
  maybe,
  named,
  nullable,
  numeric,
  object,
  text,
} from '../route/schema-words.ts';
import { next } from './sessions.ts';

/** The server itself, organisations, projects, keys and people. */

export const problemSchema = named(
  'Problem',
  object({
    type: v.literal('about:blank'),
    title: text('Of the status.'),
    status: numeric(),
    detail: text('One line for people: what was expected, what came, what to do.'),
    code: text('For programs.'),
    error: object({ code: text(), message: text() }, 'The same, for older clients.'),
  }),
  'Every answer that is not a success: problem details (RFC 9457) with a code for programs.',
);

export const healthSchema = named('Health', object({ ok: flag() }));

const scopes = list(choice(KEY_SCOPES));

export const meSchema = named(
  'Me',
  object({
    organisation: nullable(text('Null on a server for one person.')),
    admin: flag('May do everything in the organisation.'),
    projects: list(object({ name: text(), scopes }), 'What you may do in each project.'),
    person: maybe(text()),
    key: maybe(text('The id of the key you ask with.')),
    csrf: maybe(text('Send it back as X-Unrut-Csrf to change anything.')),
    signedIn: mark('By a sign-in that POST /v1/sign-out ends.'),
  }),
);

const quotaSchema = object({
  events: maybe(numeric('Events a second, over all servers.')),
  sessions: maybe(numeric('New sessions a day.')),
  bytes: maybe(numeric('Bytes a day.')),
});

export const projectSchema = named(
  'Project',
  object({
    name: text(),
    settings: object({
      repo: maybe(text()),
      folder: maybe(text()),
      visibility: maybe(choice(['all', 'own'])),
      days: maybe(numeric()),
      quota: maybe(quotaSchema),
      config: maybe(mapOf(v.unknown())),
    }),
    created: numeric('Epoch milliseconds.'),
  }),
);
export const projectsSchema = named('Projects', object({ projects: list(projectSchema) }));

export const keySchema = named(
  'Key',
  object({
    id: text('Part of the key itself, so that it can be named without being shown.'),
    name: text('What people call it.'),
    scopes,
    project: maybe(text('Missing: the whole organisation.')),
    person: maybe(text('Whose sessions are recorded with it.')),
    quota: maybe(quotaSchema),
    created: numeric(),
    expires: maybe(numeric()),
    revoked: maybe(numeric()),
    lastUsed: maybe(numeric('To the hour.')),
  }),
  'A key without its secret.',
);
export const keysSchema = named('Keys', object({ keys: list(keySchema) }));
export const addedKeySchema = named(
  'AddedKey',
  object({ key: text('The key itself. It is shown only now.'), added: keySchema }),
);

export const personSchema = named(
  'Person',
  object({
    person: text(),
    name: maybe(text()),
    email: maybe(text()),
    created: numeric(),
    seen: maybe(numeric('When they last signed in.')),
    roles: list(
      object({ role: choice(ROLES), project: maybe(text()) }),
      'Without a project: in the whole organisation.',
    ),
  }),
);
export const peopleSchema = named('People', object({ people: list(personSchema) }));

export const deedSchema = named(
  'AuditEntry',
  object({
    id: text(),
    at: numeric(),
    project: maybe(text()),
    actor: text('`key:<id>`, `person:<name>` or `cli`.'),
    key: maybe(text('The name of the key that did it.')),
    targetKey: maybe(text('The name of the key that it was done to.')),
    action: text('`key-added`, `session-forgotten`, …'),
    target: maybe(text()),
    data: mapOf(v.unknown()),
  }),
  'What was done, by whom.',
);
export const auditSchema = named('Audit', object({ audit: list(deedSchema), next }));

export const forgottenSchema = named(
  'Forgotten',
  object({ sessions: numeric('How many sessions were deleted.') }),
);
export const doneSchema = named(
  'Done',
  object({
    done: flag('False if it has begun and takes some minutes.'),
    text: maybe(text('What goes on then.')),
  }),
);
