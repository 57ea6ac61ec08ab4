import { expect, test } from 'vitest';
import { type HeaderState, withoutLearnedHeader } from './learned-header.ts';

const text = (i: number, id: string): string =>
  `Request: ${id}\nTook: ${i}.5 seconds\nRows: ${i}\n\nthe same answer`;

const read = (results: readonly string[], args: (i: number) => unknown = () => ({})): string[] => {
  const state: HeaderState = [];
  return results.map((result, i) => withoutLearnedHeader(state, 'query', result, args(i)));
};

const IDS = ['9f3ab1', '77cd02', 'e06053', '6fbc90', '1a2b3c', 'c0ffee7'];

test('header lines whose ids and times differ in each result are envelope after four results', () => {
  const read6 = read(IDS.map((id, i) => text(i, id)));
  expect(read6[2]).toBe(text(2, 'e06053'));
  expect(read6[4]).toBe('Rows: 4\n\nthe same answer');
  expect(read6[5]).toBe('Rows: 5\n\nthe same answer');
});

test('an id that the call asks for is content', () => {
  const read6 = read(
    IDS.map((id, i) => text(i, id)),
    (i) => ({ request: IDS[i] }),
  );
  expect(read6[5]).toContain('Request: c0ffee7');
});

test('an id that comes again is content, and so is a quantity', () => {
  const again = [...IDS.slice(0, 3), IDS[0]!, ...IDS.slice(3)];
  const last = read(again.map((id, i) => text(i, id))).at(-1)!;
  expect(last).toContain('Request: ');
  expect(last).toContain('Rows: ');
});

test('a header that is not learned stays exactly as it is', () => {
  expect(read(['Error: gone'])).toEqual(['Error: gone']);
});

test('a text that does not begin with a header stays as it is', () => {
  const plain = IDS.map((id) => `found\nRequest: ${id}`);
  expect(read(plain)).toEqual(plain);
});

test('the state stays small, however many tools and keys there are', () => {
  const state: HeaderState = [];
  for (let i = 0; i < 2000; i++)
    withoutLearnedHeader(state, `tool ${i % 50}`, `Key ${i}: a1b2${i}\nOther ${i}: c3d4${i}`, {});
  expect(JSON.stringify(state).length).toBeLessThan(8000);
});
