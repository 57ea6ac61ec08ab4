import { describe, expect, it } from 'vitest';
import { enter, shellFolder, startFolders } from './folder.ts';

/** The folders that commands run in, each as the number of the first that ran in the same. */
function same(...directories: (string | null)[]): number[] {
  const folders = startFolders();
  const found: string[] = [];
  return directories.map((directory) => {
    const folder = shellFolder(folders, directory);
    enter(folders, folder);
    if (!found.includes(folder)) found.push(folder);
    return found.indexOf(folder);
  });
}

describe('the folder of a command', () => {
  it.each<[string, (string | null)[], number[]]>([
    ['stays where it is', [null, null], [0, 0]],
    ['is kept', ['src', null], [0, 0]],
    ['is left again', [null, 'src', '..'], [0, 1, 0]],
    ['has one spelling', ['web', './web/', 'web'], [0, 0, 0]],
    ['is the same when a shell forgets it', ['web', 'api', 'web', 'api'], [0, 1, 0, 1]],
    [
      'is another deeper down',
      ['src', 'main', 'java', '../../../../test', 'java'],
      [0, 1, 2, 3, 4],
    ],
    [
      'begins where the first absolute one is',
      [null, '/repo', '/repo/', '/repo/src'],
      [0, 0, 0, 1],
    ],
    ['is the same by either path', ['/repo', 'src', '/repo/src'], [0, 1, 1]],
    ['may lie elsewhere', ['/repo', '/tmp', '/repo'], [0, 1, 0]],
    ['may be at home', ['~/a', '~/b', '~/a'], [0, 1, 0]],
    ['goes up from where it began', ['..', '../..'], [0, 1]],
  ])('%s', (_, directories, expected) => expect(same(...directories)).toEqual(expected));

  it('is kept without its name', () => {
    const folders = startFolders();
    for (const directory of [
      '/home/ada/secret-7f3a',
      'token-91c2/deep',
      '~/secret-home',
      '$SECRET_ROOT/x',
    ])
      enter(folders, shellFolder(folders, directory));
    expect(JSON.stringify(folders)).not.toMatch(/secret|token|ada|deep/i);
  });
});
