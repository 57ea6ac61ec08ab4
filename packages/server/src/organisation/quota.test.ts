import { expect, test } from 'vitest';
import { createQuotas } from './quota.ts';

test('events beyond the share of a server wait until there is room again', () => {
  let now = 0;
  const quotas = createQuotas(
    () => 2,
    () => now,
  );
  const owners = [{ name: 'org', quota: { events: 20 } }];
  // Ten a second, saved up for two.
  expect(quotas.take(owners, 20, 0)).toBeUndefined();
  expect(quotas.take(owners, 5, 0)).toBe(1);
  now += 500;
  expect(quotas.take(owners, 5, 0)).toBeUndefined();
  expect(quotas.take(owners, 1, 0)).toBe(1);
  now += 60_000;
  expect(quotas.take(owners, 20, 0)).toBeUndefined();
  expect(quotas.take(owners, 1, 0)).toBe(1);
});

test('a request larger than all that can be saved up is taken, and the next ones wait for it', () => {
  let now = 0;
  const quotas = createQuotas(
    () => 1,
    () => now,
  );
  const owners = [{ name: 'org', quota: { events: 10 } }];
  expect(quotas.take(owners, 100, 0)).toBeUndefined();
  expect(quotas.take(owners, 1, 0)).toBe(9);
  now += 9000;
  expect(quotas.take(owners, 1, 0)).toBeUndefined();
});

test('what one owner refuses counts for none of the others', () => {
  const quotas = createQuotas(
    () => 1,
    () => 0,
  );
  const org = { name: 'org', quota: { events: 10 } };
  const key = { name: 'key', quota: { events: 1 } };
  expect(quotas.take([org, key], 2, 0)).toBeUndefined();
  expect(quotas.take([org, key], 1, 0)).toBe(1);
  expect(quotas.take([org], 18, 0)).toBeUndefined();
  expect(quotas.take([org], 1, 0)).toBe(1);
  expect(quotas.take([{ name: 'none', quota: undefined }], 1_000_000, 0)).toBeUndefined();
});

test('bytes and sessions of a day are counted until the day is over', () => {
  let now = 86_400_000 * 3 - 1000;
  const quotas = createQuotas(
    () => 1,
    () => now,
  );
  const owners = [{ name: 'project', quota: { bytes: 100, sessions: 5 }, today: { sessions: 4 } }];
  expect(quotas.take(owners, 1, 60)).toBeUndefined();
  expect(quotas.take(owners, 1, 60)).toBe(300);
  now += 2000;
  expect(quotas.take(owners, 1, 60)).toBeUndefined();
  expect(quotas.take([{ ...owners[0]!, today: { sessions: 5 } }], 1, 1)).toBe(300);
});
