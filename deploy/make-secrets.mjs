// make-secrets.mjs FOLDER: makes what a fleet needs to be secret, each in a file. What is there stays.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const random = () => randomBytes(32).toString('base64url');

/** The containers read them under users of their own; the folder is theirs alone. */
function keep(name, content) {
  const file = join(folder, name);
  if (!existsSync(file)) writeFileSync(file, content, { mode: 0o444 });
  return readFileSync(file, 'utf8');
}

keep('secret', random());
keep('grafana', random());
const owner = keep('owner-password', random());
const server = keep('server-password', random());
// The database is beside them on a network of their own.
keep('owner', `postgres://unrut_owner:${owner}@postgres:5432/unrut?sslmode=disable`);
keep('server', `postgres://unrut_app:${server}@postgres:5432/unrut?sslmode=disable`);
// unrut key add prometheus --scope read
keep('metrics-key', '');
