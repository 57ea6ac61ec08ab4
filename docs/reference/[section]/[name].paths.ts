import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/build.ts';
import { borrowedPages, makeOverview, SECTIONS } from '../../../scripts/site/borrowed-pages.ts';
import { makeCommandPage } from '../../../scripts/site/command-pages.ts';

/** The pages of the reference whose text stands outside `docs/` or is generated. */
export default {
  async paths() {
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
  },
};
