// make-secrets.mjs FOLDER: makes what a fleet needs to be secret, each in a file. What is there
// stays. make-secrets.mjs FOLDER metrics-key: keeps the key on standard input there, for
// Prometheus.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, given] = process.argv.slice(2);
const random = () => randomBytes(32).toString('base64url');

/** The containers read them under users of their own; the folder is theirs alone. */
function keep(name, content) {
  const file = join(folder, name);
  if (!existsSync(file)) writeFileSync(file, content, { mode: 0o444 });
  return readFileSync(file, 'utf8');
}

if (given === 'metrics-key') {
  const key = readFileSync(0, 'utf8').trim();
  if (!/^unrut_\S+$/.test(key)) {
    console.error('Expected a key of unrut key add on standard input, got something else.');
    process.exit(1);
  }
  rmSync(join(folder, given), { force: true });
  keep(given, key);
}

keep('secret', random());
keep('grafana', random());
const owner = keep('owner-password', random());
const server = keep('server-password', random());
// The database is next to them on a network of their own.
keep('owner', `postgres://unrut_owner:${owner}@postgres:5432/unrut?sslmode=disable`);
keep('server', `postgres://unrut_app:${server}@postgres:5432/unrut?sslmode=disable`);
// Empty until it is given: Prometheus is refused until then.
keep('metrics-key', '');
