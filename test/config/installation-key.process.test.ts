import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { guardOptions, installationKey } from '@unrut/ledger/config/guard-options';
import { expect, test } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';
import { makePlace } from './place.ts';

const module = fileURLToPath(
  new URL('../../packages/ledger/src/config/guard-options.ts', import.meta.url),
);

test('the key is made once, at random, for the eyes of the user only', () => {
  const [one, other] = [makePlace(), makePlace()].map((place) =>
    join(place.home, 'state/ledger.db'),
  );
  const key = installationKey(one!);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(installationKey(one!)).toBe(key);
  expect(installationKey(other!)).not.toBe(key);
  expect(statSync(join(dirname(one!), 'key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(one!))).toEqual(['key']);
});

test('processes that make it at once have the same', async () => {
  const ledger = join(makePlace().home, 'state/ledger.db');
  const code = `import(${JSON.stringify(module)}).then(({ installationKey }) => console.log(installationKey(${JSON.stringify(ledger)})))`;
  const keys = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const child = spawn(process.execPath, ['--eval', code], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let out = '';
      child.stdout.on('data', (data) => (out += data));
      await once(child, 'close');
      return out.trim();
    }),
  );
  expect(new Set(keys)).toEqual(
    new Set([readFileSync(join(dirname(ledger), 'key'), 'utf8').trim()]),
  );
});

test('where nothing can be written there is no key, and no error', () => {
  const place = makePlace({ 'home/file': 'in the way' });
  expect(installationKey(join(place.home, 'file/ledger.db'))).toBeUndefined();
});

test('settings are read without making a key; options for a guard make it', () => {
  const { settings } = makePlace().load();
  const file = join(dirname(settings.ledger.path), 'key');
  expect(existsSync(file)).toBe(false);
  expect(guardOptions(settings).key).toBe(readFileSync(file, 'utf8').trim());
});

test('fingerprints of two installations cannot be compared, those of one can', () => {
  const { settings } = makePlace().load();
  const keyOf = () =>
    createGuard(guardOptions(settings)).observe({
      type: 'call-proposed',
      session: 's',
      at: 0,
      call: { id: '1', tool: 'ask', args: {} },
    }).seen?.call?.key;
  const first = keyOf();
  expect(keyOf()).toBe(first);
  writeFileSync(join(dirname(settings.ledger.path), 'key'), 'another');
  expect(keyOf()).not.toBe(first);
});
