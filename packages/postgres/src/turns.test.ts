import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('one after the other at a session, and side by side at others, in the order of arrival', async () => {
  const turns = createTurns();
  const began: string[] = [];
  const take = (name: string, ...sessions: string[]) =>
    turns.take(sessions).then((end) => {
      began.push(name);
      return end;
    });
  const first = take('ab', 'a', 'b');
  const second = take('bc', 'b', 'c');
  const third = take('c', 'c');
  const fourth = take('d', 'd');
  await Promise.all([first, fourth]);
  expect(began).toEqual(['ab', 'd']);
  (await first)();
  await second;
  // The third waits for the second, which holds a common session.
  expect(began).toEqual(['ab', 'd', 'bc']);
  (await second)();
  await third;
  expect(began).toEqual(['ab', 'd', 'bc', 'c']);
});
