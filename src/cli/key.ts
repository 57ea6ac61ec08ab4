import { KEY_SCOPES, type KeyScope, type StoredKey } from '../ledger/api-key.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { redact } from '../redact/redact.ts';
import { isValid, makeKey } from '../server/keys.ts';
import { cut, printable } from '../text/printable.ts';
import { readLedger } from '../views/read-ledger.ts';
import { timeGiven } from '../views/time-given.ts';
import { readArguments } from './arguments.ts';
import { effectiveLedger } from './effective-ledger.ts';
import { EXIT, usageError } from './exit.ts';

const HELP = `unrut key add [name] [options]
unrut key list
unrut key revoke <id>

Manage the keys that clients of unrut serve use in place of one shared token: Authorization: Bearer <key>. Keys are kept in the ledger as
hashes; a running server knows new and revoked ones within seconds. A key is printed once, when it is added.

Options
  --scope LIST     what the key is for: ingest (hooks, events, telemetry), read (dashboard, API, metrics) or admin (everything); default ingest
  --expires WHEN   when it stops working: 30d, 12h, or a date (default never)
  --json           print JSON
  --help

Exit codes: 0 done, 2 no such key or unusable ledger, 64 usage error.`;

const OPTIONS = {
  scope: { type: 'string', default: 'ingest' },
  expires: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const MAX_NAME_LENGTH = 60;
const WORDS = { add: [1, 2], list: [1, 1], revoke: [2, 2] } as const;

/** `unrut key`. Returns the exit code. */
export async function key(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments('key', args, OPTIONS);
  if (values.help) {
    console.log(HELP);
    return EXIT.ok;
  }
  const [command = '', operand = ''] = positionals;
  const [least, most] = WORDS[command as keyof typeof WORDS] ?? [0, 0];
  if (positionals.length < Math.max(1, least) || positionals.length > most)
    throw usageError(`key takes add [name], list or revoke <id>; got ${positionals.join(' ') || 'nothing'}. See unrut key --help.`);
  if (command === 'add') return add(operand, scopesIn(values.scope), expiryIn(values.expires), values.json);
  return command === 'list' ? list(values.json) : revoke(operand, values.json);
}

async function add(given: string, scopes: KeyScope[], expires: number | undefined, json: boolean): Promise<number> {
  const name = cut(printable(redact(given)), MAX_NAME_LENGTH);
  const { key, stored } = makeKey({ name, scopes, ...(expires === undefined ? {} : { expires }) }, Date.now());
  const ledger = openLedger(effectiveLedger());
  try {
    await ledger.keys!.add(stored);
  } finally {
    await ledger.close();
  }
  if (json) console.log(JSON.stringify({ key, ...shown(stored) }));
  else {
    console.log(key);
    console.error(`Added key ${stored.id} for ${scopes.join(', ')}. It is shown only now; revoke it with unrut key revoke ${stored.id}.`);
  }
  return EXIT.ok;
}

async function list(json: boolean): Promise<number> {
  const keys = await readLedger(effectiveLedger(), async ({ keys }) => (await keys?.list()) ?? []);
  if (json) console.log(JSON.stringify({ keys: keys.map(shown) }));
  else if (keys.length === 0) console.log('There are no keys. Add one with unrut key add.');
  else for (const stored of keys) console.log(lineOf(stored));
  return EXIT.ok;
}

async function revoke(id: string, json: boolean): Promise<number> {
  const isRevoked = await readLedger(effectiveLedger(), async ({ keys }) => (await keys?.revoke(id, Date.now())) ?? false);
  if (!isRevoked) {
    console.error(printable(`[unrut] There is no key ${redact(id)} that could be revoked. unrut key list shows them.`));
    return EXIT.unreadable;
  }
  console.log(json ? JSON.stringify({ revoked: id }) : `Revoked key ${id}. Servers refuse it within seconds.`);
  return EXIT.ok;
}

/** All but the hash. */
const shown = ({ hash: _, ...rest }: StoredKey): Omit<StoredKey, 'hash'> => rest;

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

function lineOf(stored: StoredKey): string {
  const { id, name, scopes, created, expires, revoked, lastUsed } = stored;
  const state =
    revoked !== undefined
      ? `revoked ${day(revoked)}`
      : !isValid(stored, Date.now())
        ? `expired ${day(expires!)}`
        : expires === undefined
          ? 'valid'
          : `valid until ${day(expires)}`;
  const used = lastUsed === undefined ? 'never used' : `last used ${day(lastUsed)}`;
  return printable([id, scopes.join(','), state, `added ${day(created)}`, used, name].join('  ').trimEnd());
}

function scopesIn(given: string): KeyScope[] {
  const names = [...new Set(given.split(','))];
  const strange = names.find((name) => !KEY_SCOPES.includes(name as KeyScope));
  if (strange !== undefined) throw usageError(`--scope takes ${KEY_SCOPES.join(', ')}; got ${strange || 'nothing'}.`);
  return names as KeyScope[];
}

function expiryIn(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const now = Date.now();
  const time = timeGiven(given, now);
  // `30d` is read as a time ago.
  const expires = time === undefined ? Number.NaN : /^\d+[mhdw]$/.test(given) ? 2 * now - time : time;
  if (expires > now) return expires;
  throw usageError(`--expires takes 30d, 12h or a date to come; got ${given}.`);
}
