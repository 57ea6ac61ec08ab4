import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../build.ts';

/** Folders whose READMEs are pages of the reference, by section of the site. */
export const SECTIONS: Readonly<Record<string, { title: string; folder: string; about: string }>> =
  {
    detectors: {
      title: 'Detectors',
      folder: 'packages/engine/src/detectors',
      about: 'What each detector sees, the traces that fire and stay quiet, and its options.',
    },
    failures: {
      title: 'Failures',
      folder: 'packages/engine/src/failures',
      about: 'The kinds of failed calls that Unrut knows, and the next moves it offers for each.',
    },
    recoveries: {
      title: 'Recoveries',
      folder: 'packages/engine/src/recoveries',
      about: 'What Unrut does about a loop.',
    },
    agents: {
      title: 'Coding agents',
      folder: 'packages/agents/src/hosts',
      about: 'What the hooks of each coding agent report, and what they can do.',
    },
    frameworks: {
      title: 'Agent frameworks',
      folder: 'packages/adapters/src/frameworks',
      about: 'How each framework is guarded.',
    },
  };

/** Single files outside `docs/` that are pages of the reference. */
const PROJECT: Readonly<Record<string, string>> = {
  contributing: 'CONTRIBUTING.md',
  architecture: 'ARCHITECTURE.md',
  changelog: 'CHANGELOG.md',
  security: 'SECURITY.md',
  decisions: 'decisions/README.md',
  gateway: 'packages/adapters/src/gateway/README.md',
  'python-client': 'clients/python/README.md',
  'github-action': 'action/README.md',
};

/** A page whose text stands outside `docs/`. */
export interface BorrowedPage {
  section: string;
  name: string;
  /** Its file, from the root of the repository. */
  source: string;
}

/** Where a borrowed page is in the site. */
export const routeOf = ({ section, name }: Pick<BorrowedPage, 'section' | 'name'>): string =>
  `/reference/${section}/${name}`;

const readmesIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => existsSync(join(root, folder, name, 'README.md')))
    .sort();

const decisions = (): BorrowedPage[] =>
  readdirSync(join(root, 'decisions'))
    .filter((file) => /^\d{4}-.*\.md$/.test(file))
    .map((file) => ({
      section: 'decisions',
      name: file.replace(/\.md$/, ''),
      source: `decisions/${file}`,
    }));

/** All pages whose text stands outside `docs/`. */
export function borrowedPages(): BorrowedPage[] {
  return [
    ...Object.entries(SECTIONS).flatMap(([section, { folder }]) =>
      readmesIn(folder).map((name) => ({ section, name, source: `${folder}/${name}/README.md` })),
    ),
    ...Object.entries(PROJECT)
      .filter(([, source]) => existsSync(join(root, source)))
      .map(([name, source]) => ({ section: 'project', name, source })),
    ...decisions(),
  ];
}

/** The list of a section, with the first sentence of each page. */
export function makeOverview(section: string): string {
  const { title, folder, about } = SECTIONS[section]!;
  const rows = readmesIn(folder).map((name) => {
    const source = `${folder}/${name}/README.md`;
    const text = readFileSync(join(root, source), 'utf8');
    const path = relative('docs/reference/section', source);
    return `| [\`${name}\`](${path}) | ${firstSentence(text)} |`;
  });
  return [`# ${title}`, about, ['| name | |', '|---|---|', ...rows].join('\n')].join('\n\n');
}

/** The first sentence of the first paragraph, without its links. */
function firstSentence(text: string): string {
  const paragraph = text
    .split(/\n{2,}/)
    .find((each) => /^[^#\s<|`-]/.test(each))
    ?.replace(/\s+/g, ' ')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
  return /^.*?[.:](?= |$)/.exec(paragraph ?? '')?.[0].replace(/:$/, '.') ?? '';
}
