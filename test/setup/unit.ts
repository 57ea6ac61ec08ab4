import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workers from 'node:worker_threads';
import { afterAll } from 'vitest';

/** Whatever is tried is remembered, since the code under test may carry on without. */
const tried = new Set<string>();
const forbid = (what: string) =>
  function forbidden(): never {
    tried.add(what);
    throw new Error(`A unit test uses no ${what}. Name the file *.process.test.ts.`);
  };

for (const name of [
  'spawn',
  'spawnSync',
  'exec',
  'execSync',
  'execFile',
  'execFileSync',
  'fork',
] as const)
  childProcess[name] = forbid('process') as never;
net.Server.prototype.listen = forbid('server') as never;
workers.Worker = class {
  constructor() {
    forbid('thread')();
  }
} as never;
syncBuiltinESMExports();

afterAll(() => {
  if (tried.size > 0) forbid([...tried].join(' and '))();
});
