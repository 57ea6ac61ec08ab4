import { expect, test } from 'vitest';
import { siteLink } from '../../scripts/site/links.ts';
import { siteMap } from '../../scripts/site/site-map.ts';

const map = siteMap();
const REPOSITORY = 'https://github.com/unrut-dev/unrut';

test.each([
  ['a page of the docs', '../scan.md#formats', 'start/ci.md', '/scan#formats'],
  [
    'a README that is a page',
    '../packages/engine/src/detectors/cycle/README.md',
    'detectors.md',
    '/reference/detectors/cycle',
  ],
  [
    'a folder whose README is a page',
    '../packages/adapters/src/gateway/',
    'client.md',
    '/reference/project/gateway',
  ],
  [
    'a folder without a page',
    '../examples/gateway',
    'frameworks.md',
    `${REPOSITORY}/tree/main/examples/gateway`,
  ],
  [
    'a file of the repository',
    '../deploy/compose.yaml',
    'fleet.md',
    `${REPOSITORY}/blob/main/deploy/compose.yaml`,
  ],
  [
    'a page, from a README elsewhere',
    '../../../../../docs/config.md',
    'reference/detectors/cycle.md',
    '/config',
  ],
  ['a heading', '#formats', 'scan.md', '#formats'],
  ['another site', 'https://example.com/a.md', 'scan.md', 'https://example.com/a.md'],
])('a link to %s', (_, href, page, expected) => {
  expect(siteLink(href, page, map)).toBe(expected);
});

test('a link to nothing stays as it is, so that the build reports it', () => {
  expect(siteLink('no-such-page.md', 'scan.md', map)).toBe('no-such-page.md');
});
