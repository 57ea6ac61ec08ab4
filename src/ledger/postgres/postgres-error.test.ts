import { expect, test } from 'vitest';
import { toPostgresFault } from './postgres-error.ts';

const denied = Object.assign(new Error('permission denied for table states'), { code: '42501' });

test.each([
  [new TypeError('Cannot read properties of undefined'), /This is a fault of Unrut, not of the database: please report it\.$/],
  [Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' }), /please report it\.$/],
  [new Error('Connection terminated unexpectedly'), /Try again; if it stays so, check that it is up\.$/],
  [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), /check that it is up\.$/],
  [Object.assign(new Error('relation does not exist'), { code: '42P01' }), /Run unrut migrate\.$/],
  [denied, /Grant unrut_server to the role of the servers\.$/],
])('what to do about %s', (error, advice) => {
  const { message, cause } = toPostgresFault('db.example:5432', error);
  expect(message).toMatch(advice);
  expect(cause).toBe(error);
});
