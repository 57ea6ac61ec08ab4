import { KEY_SCOPES } from '../../ledger/api-key.ts';
import { ROLES } from '../../ledger/organisation.ts';
import { aKey, anOrganisationSettings, aProject, aProjectSettings, aRole, aSessionToForget } from '../organisation/bodies.ts';
import { anything, choiceSchema, flag, list, mapOf, numberSchema, object, orNull, ref, type Schema, text, time } from './schema-words.ts';

const role = choiceSchema(ROLES, 'What somebody may do: look; also report; also decide.');
const scopes = list(choiceSchema(KEY_SCOPES));
/** Who asks; every server can tell. */
export const meSchemas: Readonly<Record<string, Schema>> = {
  Me: object(
    {
      organisation: orNull(text('Null on a server for one person.')),
      admin: flag('May do everything in the organisation.'),
      projects: list(object({ name: text(), scopes }), 'What you may do in each project.'),
    },
    {
      person: text(),
      key: text('The id of the key you ask with.'),
      csrf: text('Send it back as X-Unrut-Csrf to change anything.'),
      signedIn: flag('By a sign-in that POST /v1/sign-out ends.'),
    },
  ),
};

/** Projects and people. */
export const organisationSchemas: Readonly<Record<string, Schema>> = {
  Project: object({ name: text(), settings: ref('ProjectSettings'), created: time() }),
  Projects: object({ projects: list(ref('Project')) }),
  NewProject: aProject,
  ProjectSettings: aProjectSettings,
  Key: object(
    { id: text(), name: text(), scopes, created: time() },
    {
      project: text('Missing: the whole organisation.'),
      person: text(),
      expires: time(),
      revoked: time(),
      lastUsed: time(),
      quota: mapOf(numberSchema()),
    },
  ),
  Keys: object({ keys: list(ref('Key')) }),
  NewKey: aKey,
  AddedKey: object({ key: text('The key itself. It is shown only now.'), added: ref('Key') }),
  Person: object(
    { person: text(), created: time(), roles: list(object({ role }, { project: text('Missing: the whole organisation.') })) },
    { name: text(), email: text(), seen: time('Last sign-in.') },
  ),
  People: object({ people: list(ref('Person')) }),
  NewRole: aRole,
  SessionToForget: aSessionToForget,
  OrganisationSettings: anOrganisationSettings,
  AuditEntry: object(
    { id: text(), at: time(), actor: text(), action: text(), data: mapOf(anything('A detail.')) },
    { project: text(), target: text() },
  ),
  Audit: object({ audit: list(ref('AuditEntry')) }, { next: text('Pass it as cursor to get the next page.') }),
  Forgotten: object({ sessions: numberSchema('How many sessions were deleted.') }),
  Done: object({ done: flag('False where it has begun, and takes some minutes.') }),
};
