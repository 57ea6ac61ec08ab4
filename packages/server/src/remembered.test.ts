import { expect, test, vi } from 'vitest';
import { findIn, remembered } from './remembered.ts';

const away = new Error('away');

test('requests in the meantime get the same answer, and a new one when it is too old', async () => {
  const ask = vi.fn(async (name: string) => `${name} ${ask.mock.calls.length}`);
  const soon = remembered(60_000, 10, ask);
  expect(await Promise.all([soon('a'), soon('a'), soon('b')])).toEqual(['a 1', 'a 1', 'b 2']);
  const never = remembered(0, 10, ask);
  expect([await never('a'), await never('a')]).toEqual(['a 3', 'a 4']);
});

test('while requests fail, the last answer is used', async () => {
  const ask = vi
    .fn()
    .mockResolvedValueOnce('known')
    .mockRejectedValueOnce(away)
    .mockResolvedValue('changed');
  const answer = remembered(0, 10, ask);
  expect([await answer('a'), await answer('a'), await answer('a')]).toEqual([
    'known',
    'known',
    'known',
  ]);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('what was never answered is asked again at once, and what is forgotten does not stand', async () => {
  const ask = vi
    .fn()
    .mockRejectedValueOnce(away)
    .mockResolvedValueOnce('known')
    .mockRejectedValueOnce(away);
  const answer = remembered(60_000, 10, ask);
  await expect(answer('a')).rejects.toBe(away);
  expect(await answer('a')).toBe('known');
  answer.forget('a');
  await expect(answer('a')).rejects.toBe(away);
});

test('what is not in a list is looked for once more, and what is there is not', async () => {
  const ask = vi.fn().mockResolvedValueOnce(['one']).mockResolvedValue(['one', 'new']);
  const lists = remembered<string[]>(60_000, 10, ask);
  const find = (wanted: string) => findIn(lists, 'a', (each) => each === wanted);
  expect([await find('one'), await find('one'), ask.mock.calls.length]).toEqual(['one', 'one', 1]);
  expect([await find('new'), await find('new'), ask.mock.calls.length]).toEqual(['new', 'new', 2]);
  expect(await find('none')).toBeUndefined();
});
