import { describe, expect, test } from 'vitest';
import { idOf, keyOf, rowsText } from './entry-rows.ts';

describe('rows of entries', () => {
  test.each([
    ['s', 's/agent/id/event', '/agent/id/event'],
    ['s', 'other/1', '=other/1'],
    ['s', '/1', '=/1'],
    ['s', '=1', '==1'],
    ['', 'ledger/1', '=ledger/1'],
    ['', '/1', '/1'],
  ])('the id %j %j is kept as %j, and comes back', (session, id, key) => {
    expect([keyOf(session, id), idOf(session, key)]).toEqual([key, id]);
  });

  test('hold nothing that Postgres does not take', () => {
    const rows = [{ text: 'a\0b\ud800', '\udc00': ['\0'], fine: '\\u0000', pair: '😀' }];
    expect(JSON.parse(rowsText(rows)!)).toEqual([
      { text: 'a\ufffdb\ufffd', '\ufffd': ['\ufffd'], fine: '\\u0000', pair: '😀' },
    ]);
    expect(rowsText([])).toBeNull();
  });
});
