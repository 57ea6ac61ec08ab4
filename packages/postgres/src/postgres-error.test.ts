import { expect, test } from 'vitest';
import { isAway, isWrongAddress, toPostgresFault } from './postgres-error.ts';

const denied = Object.assign(new Error('permission denied for table states'), { code: '42501' });

test.each([
  [
    new TypeError('Cannot read properties of undefined'),
    /This is a fault of Unrut, not of the database: please report it\.$/,
  ],
  [Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' }), /please report it\.$/],
  [
    new Error('Connection terminated unexpectedly'),
    /Try again; if it stays so, check that it is up\.$/,
  ],
  [
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    /check that it is up\.$/,
  ],
  [
    Object.assign(new Error('relation does not exist'), { code: '42P01' }),
    /Run unrut ledger migrate\.$/,
  ],
  [
    Object.assign(new Error('unable to verify the first certificate'), {
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    }),
    /with sslrootcert=FILE /,
  ],
  [
    Object.assign(new Error('Hostname/IP does not match'), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    }),
    /the name that its certificate has\.$/,
  ],
  [new Error('The server does not support SSL connections'), /sslmode=disable/],
  [
    new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
    /set PGPASSWORD/,
  ],
  [
    Object.assign(new Error('no pg_hba.conf entry for host "::1", no encryption'), {
      code: '28000',
    }),
    /leave sslmode out of the address\.$/,
  ],
  [
    Object.assign(new Error('password authentication failed'), { code: '28P01' }),
    /Check role, password and name of the database\.$/,
  ],
  [
    Object.assign(new Error('remaining connection slots are reserved'), { code: '53300' }),
    /Raise its max_connections/,
  ],
  [denied, /Grant unrut_server to the role of the servers\.$/],
])('what to do about %s', (error, advice) => {
  const { message, cause } = toPostgresFault('db.example:5432', error);
  expect(message).toMatch(advice);
  expect(cause).toBe(error);
});

test.each([
  ['28P01', 'password authentication failed', true],
  ['3D000', 'database "unrut" does not exist', true],
  ['57P03', 'the database system is starting up', false],
  ['ECONNREFUSED', 'connect ECONNREFUSED', false],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND db.example', false],
])('%s is worth waiting for unless the address is wrong', (code, message, expected) => {
  expect(isWrongAddress(Object.assign(new Error(message), { code }))).toBe(expected);
});

const withCode = (code: string) => Object.assign(new Error('…'), { code });

test('an unreachable database is distinguished from faults of Unrut and of statements', () => {
  const away = [
    new Error('Connection terminated due to connection timeout'),
    new Error('timeout exceeded when trying to connect'),
    ...['ECONNREFUSED', 'EAI_AGAIN', '57P01', '53300', '08006'].map(withCode),
  ];
  const others = [
    new TypeError('Cannot read properties of undefined'),
    ...['ENOENT', '23505', '42P01'].map(withCode),
    undefined,
  ];
  expect([away.map(isAway), others.map(isAway)]).toEqual([
    away.map(() => true),
    others.map(() => false),
  ]);
});
