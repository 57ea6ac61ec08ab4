import type { Organisation, Project } from '@unrut/ledger/organisation';
import { WHOLE } from '@unrut/ledger/organisation';
import { describe, expect, test } from 'vitest';
import { mayIn, memberByKey, memberByName, projectsFor, scopesAnywhere } from './member.ts';

const project = (number: number, name: string, settings: Project['settings'] = {}): Project => ({
  project: number,
  name,
  settings,
  created: 0,
});
const PROJECTS = [
  project(1, 'default'),
  project(2, 'shop', { repo: 'shop' }),
  project(3, 'tools', { folder: 'scripts' }),
];
const ACME: Organisation = {
  org: 7,
  name: 'acme',
  settings: {
    groups: {
      shoppers: { project: 'shop', role: 'member' },
      watchers: { role: 'viewer' },
      owners: { role: 'admin' },
      lost: { project: 'gone', role: 'admin' },
    },
  },
};
const named = (
  groups: string[],
  roles: { project: number; role: 'viewer' | 'member' | 'admin' }[] = [],
) => memberByName(ACME, PROJECTS, { person: 'ada', roles }, groups);

/** A member's permissions in each project, and in the whole organisation. */
const table = (member: ReturnType<typeof named>): Record<string, string> =>
  Object.fromEntries(
    [WHOLE, 1, 2, 3].map((each) => [
      each,
      (['read', 'ingest', 'admin'] as const).filter((scope) => mayIn(member, scope, each)).join(),
    ]),
  );

describe('what somebody may do', () => {
  test.each([
    [
      'nobody’s group',
      named(['strangers', 'constructor', '__proto__']),
      { 0: '', 1: '', 2: '', 3: '' },
    ],
    ['a group for one project', named(['shoppers']), { 0: '', 1: '', 2: 'read,ingest', 3: '' }],
    ['a group for all', named(['watchers']), { 0: 'read', 1: 'read', 2: 'read', 3: 'read' }],
    [
      'both',
      named(['watchers', 'shoppers']),
      { 0: 'read', 1: 'read', 2: 'read,ingest', 3: 'read' },
    ],
    ['a group of a project that is gone', named(['lost']), { 0: '', 1: '', 2: '', 3: '' }],
    [
      'admins of the organisation',
      named(['owners']),
      {
        0: 'read,ingest,admin',
        1: 'read,ingest,admin',
        2: 'read,ingest,admin',
        3: 'read,ingest,admin',
      },
    ],
    [
      'a role by name',
      named([], [{ project: 3, role: 'admin' }]),
      { 0: '', 1: '', 2: '', 3: 'read,ingest,admin' },
    ],
    [
      'the higher of two',
      named(['shoppers'], [{ project: 2, role: 'viewer' }]),
      { 0: '', 1: '', 2: 'read,ingest', 3: '' },
    ],
  ])('by %s', (_, member, expected) => {
    expect(table(member)).toEqual(expected);
  });

  test('with a key: what its scopes say, in its project or in all of them', () => {
    const stored = {
      id: 'aa',
      name: '',
      hash: '',
      scopes: ['ingest' as const],
      created: 0,
      org: 7,
    };
    expect(table(memberByKey({ ...stored, project: 2 }))).toEqual({
      0: '',
      1: '',
      2: 'ingest',
      3: '',
    });
    expect(table(memberByKey(stored))).toEqual({
      0: 'ingest',
      1: 'ingest',
      2: 'ingest',
      3: 'ingest',
    });
    expect(memberByKey({ ...stored, person: 'ada' })).toMatchObject({
      org: 7,
      actor: 'key:aa',
      person: 'ada',
    });
  });

  test('is asked for by scope: some projects, or all', () => {
    expect(projectsFor(named(['watchers', 'shoppers']), 'read')).toBeUndefined();
    expect(projectsFor(named(['watchers', 'shoppers']), 'ingest')).toEqual([2]);
    expect(projectsFor(named(['shoppers']), 'admin')).toEqual([]);
    expect(scopesAnywhere(named(['watchers', 'shoppers']))).toEqual(['read', 'ingest']);
  });
});
