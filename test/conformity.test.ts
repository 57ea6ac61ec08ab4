import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  answerComplaints,
  type DetectorPiece,
  documentationComplaints,
  documentedDetectors,
  statusComplaints,
  traceComplaints,
} from './structure/detector-rules.ts';
import {
  DETECTOR,
  type Folder,
  folderComplaints,
  type Kind,
  optionComplaints,
  type Piece,
  piecesIn,
  RECOVERY,
  registryComplaints,
} from './structure/folders.ts';
import { roomSources } from './structure/source-tree.ts';
import { foldersIn, projectFiles, root } from './structure/tree.ts';

const read = (path: string): string =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';

const load = async (path: string): Promise<Record<string, unknown>> =>
  existsSync(join(root, path)) ? ((await import(join(root, path))) as Record<string, unknown>) : {};

const loadFolder = async (parent: string, name: string, kind: Kind): Promise<Folder> => {
  const path = `${parent}/${name}`;
  return {
    name,
    files: readdirSync(join(root, path)),
    exported: await load(`${path}/${kind.file}`),
    readme: read(`${path}/README.md`),
  };
};

const loadFolders = (parent: string, kind: Kind): Promise<Folder[]> =>
  Promise.all(foldersIn(parent).map((name) => loadFolder(parent, name, kind)));

/** Presets are found by their shape: a list of detectors, alone or under names. */
const presetsIn = (value: unknown, path = 'presets'): Record<string, Piece[]> => {
  if (Array.isArray(value))
    return { [path]: value.filter((item) => typeof item?.step === 'function') };
  if (typeof value !== 'object' || value === null) return {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, inner]) => presetsIn(inner, `${path}.${key}`)),
  );
};

const detectorFolders = await loadFolders('packages/engine/src/detectors', DETECTOR);
const recoveryFolders = await loadFolders('packages/engine/src/recoveries', RECOVERY);
const detectors = ((await load('packages/engine/src/detectors/index.ts')).detectors ??
  []) as DetectorPiece[];
const recoveries = ((await load('packages/engine/src/recoveries/index.ts')).recoveries ??
  []) as (Piece & { answers: string[] })[];
const presets = presetsIn({ ...(await load('packages/engine/src/presets.ts')) });
const documented = documentedDetectors(read('docs/detectors.md'));

const piecesByFolder = (folders: Folder[], kind: Kind): Map<string, Piece> =>
  new Map(
    folders.flatMap((folder) =>
      piecesIn(folder, kind).map(([, piece]) => [folder.name, piece] as const),
    ),
  );

const expectNone = (complaints: string[]): void =>
  expect(complaints, complaints.join('\n')).toEqual([]);

describe.each(detectorFolders)('the detector $name', (folder) => {
  const found = piecesIn<DetectorPiece>(folder, DETECTOR).map(([, piece]) => piece);

  it('has the files, the export and the headings of a detector', () =>
    expectNone(folderComplaints(folder, DETECTOR)));

  it('documents its options with their defaults', () =>
    expectNone(optionComplaints(folder, found[0]?.declared)));

  it('has nothing left to write', () => {
    const rows = read('docs/detectors.md')
      .split('\n')
      .filter((line) => line.includes(`[\`${folder.name}\`]`));
    const texts = {
      'README.md': folder.readme,
      'detector.ts': read(`packages/engine/src/detectors/${folder.name}/detector.ts`),
      'docs/detectors.md': rows.join('\n'),
    };
    expectNone(
      Object.entries(texts).flatMap(([file, text]) =>
        /\bTODO\b(?!\.md)|todo:/.test(text) ? [`${folder.name}: a TODO is left in ${file}`] : [],
      ),
    );
  });

  it('has firing traces and quiet twins', () => expectNone(traceComplaints(folder)));

  it('keeps to what its status allows', () => expectNone(found.flatMap(statusComplaints)));
});

describe.each(recoveryFolders)('the recovery $name', (folder) => {
  const found = piecesIn<(typeof recoveries)[number]>(folder, RECOVERY).map(([, piece]) => piece);

  it('has the files, the export and the headings of a recovery', () =>
    expectNone(folderComplaints(folder, RECOVERY)));

  it('documents its options with their defaults', () =>
    expectNone(optionComplaints(folder, found[0]?.declared)));

  it('answers detectors that exist', () => {
    const names = detectors.map((detector) => detector.name);
    expectNone(found.flatMap((recovery) => answerComplaints(recovery, names)));
  });
});

describe('the project', () => {
  it('has every detector in its registry', () => {
    expect(detectors).not.toHaveLength(0);
    expectNone(
      registryComplaints(detectors, piecesByFolder(detectorFolders, DETECTOR), documented),
    );
  });

  it('has every recovery in its registry', () => {
    expect(recoveries).not.toHaveLength(0);
    expectNone(registryComplaints(recoveries, piecesByFolder(recoveryFolders, RECOVERY)));
  });

  it('has presets', () => expect(Object.values(presets).flat()).not.toHaveLength(0));

  it('lists in docs/detectors.md what it detects', () => {
    expectNone(
      documentationComplaints(
        documented,
        detectors.map((detector) => detector.name),
      ),
    );
  });

  it('spreads no object literal into another', () =>
    expectNone(
      roomSources().flatMap(({ path, literalSpreads }) =>
        literalSpreads.map((line) => `${path}:${line}: write the fields without the spread`),
      ),
    ));

  it('names no path of a machine and no registry', () => {
    // A developer's machine, or the host that a package came from.
    const leak =
      /(?<![\w.$~-])\/(?:work\/|root\/|tmp\/bash)|https?:\/\/registry\.|\bregistry\.(?:npmjs|yarnpkg)\./;
    expectNone(projectFiles().filter((path) => leak.test(read(path))));
  });

  it('has one repository, which its home page and its place for issues follow', () => {
    const { repository, homepage, bugs } = JSON.parse(read('package.json')) as {
      repository: { url: string };
      homepage: string;
      bugs: string;
    };
    const address = /^git\+(https:\/\/github\.com\/[\w-]+\/[\w-]+)\.git$/.exec(repository.url)?.[1];
    expect(address).toBeDefined();
    expect({ homepage, bugs }).toEqual({
      homepage: `${address}#readme`,
      bugs: `${address}/issues`,
    });
    const others = projectFiles()
      .filter((path) => /\.(?:md|ya?ml|json|ts|tsx)$/.test(path) && !path.includes('fixtures/'))
      .flatMap((path) => [...read(path).matchAll(/https:\/\/github\.com\/[\w-]+\/unrut\b/g)])
      .map(([found]) => found);
    expect(new Set(others)).toEqual(new Set([address]));
  });
});
