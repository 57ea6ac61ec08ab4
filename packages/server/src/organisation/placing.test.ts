import type { Project } from '@unrut/ledger/organisation';
import { expect, test } from 'vitest';
import { createPlacing } from './placing.ts';

const project = (number: number, settings: Project['settings'] = {}): Project => ({
  project: number,
  name: `project-${number}`,
  settings,
  created: 0,
});
const PROJECTS = [project(1), project(2, { repo: 'shop' }), project(3, { folder: 'scripts' })];

function placingWith(known: [string, number][] = [], projects: () => Project[] = () => PROJECTS) {
  const asked: (readonly string[])[] = [];
  const placing = createPlacing(
    {
      async ruledSessions(names) {
        asked.push(names);
        return new Map(known.filter(([name]) => names.includes(name)));
      },
    },
    async () => projects(),
  );
  return { placing, asked };
}

test('new sessions belong to the project of their repository, else of their folder, else to default', async () => {
  const { placing } = placingWith();
  expect(
    await placing([
      { sessions: ['a'], repo: 'shop', folder: 'scripts' },
      { sessions: ['b'], folder: 'scripts' },
      { sessions: ['c'], repo: 'other' },
      { sessions: ['d'] },
    ]),
  ).toEqual([2, 3, 1, 1]);
});

test('a session stays where it was begun, whatever its folder, here and on other servers', async () => {
  const { placing, asked } = placingWith([['elsewhere', 3]]);
  expect(await placing([{ sessions: ['a'] }, { sessions: ['elsewhere'] }])).toEqual([1, 3]);
  expect(await placing([{ sessions: ['a'], folder: 'scripts' }])).toEqual([1]);
  expect(await placing([{ sessions: ['elsewhere'], folder: 'home' }])).toEqual([3]);
  expect(asked).toEqual([['a', 'elsewhere']]);
});

test('a repository that a project has decides, so that two with the same name are two sessions', async () => {
  const { placing } = placingWith([['run-1', 3]]);
  expect(
    await placing([
      { sessions: ['run-1'], repo: 'shop' },
      { sessions: ['run-1'], repo: 'shop' },
    ]),
  ).toEqual([2, 2]);
});

test('a session is in the project of the one that it reports to', async () => {
  const { placing } = placingWith([['parent', 3]]);
  expect(await placing([{ sessions: ['child', 'parent'] }, { sessions: ['child'] }])).toEqual([
    3, 3,
  ]);
});

test('what stayed in a project that was deleted goes to default', async () => {
  let projects = PROJECTS;
  const { placing } = placingWith([], () => projects);
  expect(await placing([{ sessions: ['a'], repo: 'shop' }])).toEqual([2]);
  projects = PROJECTS.slice(0, 1);
  expect(await placing([{ sessions: ['a'] }])).toEqual([1]);
});
