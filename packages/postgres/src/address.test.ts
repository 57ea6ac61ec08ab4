import { isPostgresUrl } from '@unrut/ledger/postgres-address';
import { describe, expect, test } from 'vitest';
import { parseAddress } from './address.ts';

const read = (url: string) => {
  const { where, config } = parseAddress(url);
  return [
    where,
    config.user ?? null,
    config.password ?? null,
    config.database ?? null,
    config.ssl === false ? 'plain' : 'tls',
  ];
};

describe('the address of a database', () => {
  test.each([
    [
      'postgres://unrut@127.0.0.1:6000/ledger',
      ['127.0.0.1:6000/ledger', 'unrut', null, 'ledger', 'plain'],
    ],
    [
      'postgresql://u%40x:p%3Aw@localhost/a%20b',
      ['localhost:5432/a b', 'u@x', 'p:w', 'a b', 'plain'],
    ],
    ['postgres://u@[::1]:7/x', ['::1:7/x', 'u', null, 'x', 'plain']],
    ['postgres://u@db.internal/x', ['db.internal:5432/x', 'u', null, 'x', 'tls']],
    ['postgres://u@db.internal/x?sslmode=disable', ['db.internal:5432/x', 'u', null, 'x', 'plain']],
    [
      'postgres://u@127.0.0.1,db.internal:6/x',
      ['127.0.0.1:5432,db.internal:6/x', 'u', null, 'x', 'tls'],
    ],
    ['postgres:///x?host=/run/postgresql', ['/run/postgresql:5432/x', null, null, 'x', 'plain']],
  ])('%s', (url, expected) => {
    expect(read(url)).toEqual(expected);
  });

  test('verifies certificate and name by default, unless the address asks for less', () => {
    const ssl = (options: string) =>
      parseAddress(`postgres://u@db.internal/x${options}`).config.ssl;
    expect(ssl('')).toEqual({ rejectUnauthorized: true });
    expect(ssl('?sslmode=verify-ca')).toEqual({
      rejectUnauthorized: true,
      checkServerIdentity: expect.any(Function),
    });
    expect(ssl('?sslmode=require')).toEqual({
      rejectUnauthorized: false,
      checkServerIdentity: expect.any(Function),
    });
  });

  test('of several hosts takes one that can be written to, unless any will do', () => {
    expect(parseAddress('postgres://u@a,b/x').writable).toBe(true);
    expect(parseAddress('postgres://u@a,b/x?target_session_attrs=any').writable).toBe(false);
    expect(parseAddress('postgres://u@a/x').writable).toBe(false);
  });

  test.each([
    'postgres://u:hidden-word@[',
    'postgres://u:hidden-word@a b/x',
    'postgres://u:hidden-word@h/x?sslmode=perhaps',
    'mysql://u:hidden-word@h/x',
  ])('%s is refused, without its password', (url) => {
    expect(() => parseAddress(url)).toThrow(
      /^\[unrut\] \[postgres\] The address of the ledger: expected (?!.*hidden-word)/,
    );
  });

  test('is recognised by the path of a file', () => {
    expect(
      ['postgres://h/x', 'postgresql://h/x', '/home/a/ledger.db', 'postgres'].map(isPostgresUrl),
    ).toEqual([true, true, false, false]);
  });
});
