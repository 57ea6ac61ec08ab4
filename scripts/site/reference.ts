import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build.ts';
import { borrowedPages, makeOverview, SECTIONS } from './borrowed-pages.ts';
import { makeCommandPage } from './command-pages.ts';

/** A page of the reference whose text stands outside `docs/` or is generated. */
export interface ReferencePage {
  params: { section: string; name: string };
  content: string;
}

let pages: Promise<ReferencePage[]> | undefined;

async function makePages(): Promise<ReferencePage[]> {
  return [
    ...borrowedPages().map(({ section, name, source }) => ({
      params: { section, name },
      content: readFileSync(join(root, source), 'utf8'),
    })),
    ...Object.keys(SECTIONS).map((section) => ({
      params: { section, name: 'index' },
      content: makeOverview(section),
    })),
    { params: { section: 'project', name: 'commands' }, content: await makeCommandPage() },
  ];
}

/** All pages of the reference; made once. */
export const referencePages = (): Promise<ReferencePage[]> => {
  pages ??= makePages();
  return pages;
};

/** Fences that tests read: traces of detectors, and cases of failures and rules. */
const CASES = /^```(?:adds|cases|decides|runs|trace|twin)\b[\s\S]*?^```$/gm;

/** The text of a page of the reference as the search reads it: without traces and cases. */
export async function searchedText(page: string): Promise<string> {
  const found = (await referencePages()).find(
    ({ params: { section, name } }) => page === `reference/${section}/${name}.md`,
  );
  return found?.content.replace(CASES, '') ?? '';
}
