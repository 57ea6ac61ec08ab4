import { redact } from '@unrut/engine/redact/redact';
import { cut, printable } from '@unrut/engine/text/printable';
import { KEY_SCOPES, type KeyScope } from '@unrut/ledger/api-key';
import { timeGiven } from '@unrut/ledger/views/time-given';
import { isValid, makeKey } from '@unrut/server/keys';
import { flagOption, optionLines, textOption } from './arguments.ts';
import { defineCommand } from './command.ts';
import { effectiveLedger } from './effective-ledger.ts';
import { complain, EXIT, usageError } from './exit.ts';
import { type KeyPlace, type ListedKey, openKeyPlace } from './key-place.ts';

const OPTIONS = {
  scope: textOption(
    'LIST',
    'what the key is for: ingest (hooks, events, telemetry), read (dashboard, API, metrics) or admin (everything); default ingest',
    'ingest',
  ),
  expires: textOption('WHEN', 'when it stops working: 30d, 12h, or a date (default never)'),
  project: textOption(
    'NAME',
    'only for this project (default all of the organisation; Postgres only)',
  ),
  person: textOption('NAME', 'whose sessions are recorded with it (Postgres only)'),
  org: textOption('NAME', 'the organisation (default: default; Postgres only)'),
  'new-org': textOption(
    'NAME',
    'in place of --org: add an organisation of this name, and the key to it; needs the role that owns the tables',
  ),
  json: flagOption('print JSON'),
} as const;

const HELP = `unrut key add [name] [options]
unrut key list
unrut key revoke <id>

Manage the keys that clients of unrut serve use in place of one shared token: Authorization: Bearer <key>. Keys are kept in the ledger as
hashes; a running server knows new and revoked ones within seconds. A key is printed once, when it is added.

${optionLines(OPTIONS)}

Exit codes: 0 done, 2 no such key or unusable ledger, 64 usage error.`;

const MAX_NAME_LENGTH = 60;
const WORDS = { add: [1, 2], list: [1, 1], revoke: [2, 2] } as const;

/** `unrut key`. */
export const key = defineCommand(
  { name: 'key', help: HELP, options: OPTIONS },
  async ({ values, operands }) => {
    const [command = '', operand = ''] = operands;
    const [least, most] = WORDS[command as keyof typeof WORDS] ?? [0, 0];
    if (operands.length < Math.max(1, least) || operands.length > most)
      throw usageError(
        `key takes add [name], list or revoke <id>; got ${operands.join(' ') || 'nothing'}. See unrut key --help.`,
      );
    const { scope, expires, project, person, org, json, 'new-org': newOrg } = values;
    const scopes = scopesIn(scope);
    const until = expiryIn(expires);
    const place = await openKeyPlace(effectiveLedger(), { org, newOrg });
    try {
      if (command === 'list') return await list(place, json);
      if (command === 'revoke') return await revoke(place, operand, json);
      const name = cut(printable(redact(operand)), MAX_NAME_LENGTH);
      const { key, stored } = makeKey({ name, scopes, expires: until }, Date.now());
      return await add(place, key, { ...stored, project, person }, json);
    } finally {
      await place.close();
    }
  },
);

async function add(
  place: KeyPlace,
  key: string,
  stored: ListedKey,
  json: boolean,
): Promise<number> {
  await place.add(stored);
  if (json) console.log(JSON.stringify({ key, ...shown(stored) }));
  else {
    console.log(key);
    const { id, scopes } = stored;
    console.error(
      `Added key ${id} for ${scopes.join(', ')}. It is shown only now; revoke it with unrut key revoke ${id}.`,
    );
  }
  return EXIT.ok;
}

async function list(place: KeyPlace, json: boolean): Promise<number> {
  const keys = await place.list();
  if (json) console.log(JSON.stringify({ keys: keys.map(shown) }));
  else if (keys.length === 0) console.log('There are no keys. Add one with unrut key add.');
  else for (const stored of keys) console.log(lineOf(stored));
  return EXIT.ok;
}

async function revoke(place: KeyPlace, id: string, json: boolean): Promise<number> {
  if (!(await place.revoke(id))) {
    complain(`There is no key ${redact(id)} that could be revoked. unrut key list shows them.`);
    return EXIT.unreadable;
  }
  console.log(
    json ? JSON.stringify({ revoked: id }) : `Revoked key ${id}. Servers refuse it within seconds.`,
  );
  return EXIT.ok;
}

/** All but the hash. */
const shown = ({ hash: _, ...rest }: ListedKey): Omit<ListedKey, 'hash'> => rest;

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

function lineOf(stored: ListedKey): string {
  const { project, person, id, name, scopes, created, expires, revoked, lastUsed } = stored;
  const state =
    revoked !== undefined
      ? `revoked ${day(revoked)}`
      : !isValid(stored, Date.now())
        ? `expired ${day(expires!)}`
        : expires === undefined
          ? 'valid'
          : `valid until ${day(expires)}`;
  const used = lastUsed === undefined ? 'never used' : `last used ${day(lastUsed)}`;
  return printable(
    [
      id,
      scopes.join(','),
      state,
      `added ${day(created)}`,
      used,
      ...(project === undefined ? [] : [`in ${project}`]),
      ...(person === undefined ? [] : [`of ${person}`]),
      name,
    ]
      .join('  ')
      .trimEnd(),
  );
}

function scopesIn(given: string): KeyScope[] {
  const names = [...new Set(given.split(','))];
  const strange = names.find((name) => !KEY_SCOPES.includes(name as KeyScope));
  if (strange !== undefined)
    throw usageError(`--scope takes ${KEY_SCOPES.join(', ')}; got ${strange || 'nothing'}.`);
  return names as KeyScope[];
}

function expiryIn(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const now = Date.now();
  const time = timeGiven(given, now);
  // `30d` is read as a time ago.
  const expires =
    time === undefined ? Number.NaN : /^\d+[mhdw]$/.test(given) ? 2 * now - time : time;
  if (expires > now) return expires;
  throw usageError(`--expires takes 30d, 12h or a date to come; got ${given}.`);
}
