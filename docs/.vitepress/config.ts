import { siteLink } from '../../scripts/site/links.ts';
import { menu } from '../../scripts/site/menu.ts';
import { searchedText } from '../../scripts/site/reference.ts';
import { siteMap } from '../../scripts/site/site-map.ts';

const map = siteMap();

interface Token {
  type: string;
  /** The words after the backticks of a fence. */
  info: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** Fences that tests read: traces of detectors, and cases of failures and rules. */
const OUR_FENCES = /^(?:adds|cases|decides|runs|trace|twin)\b/;

/** The site. Pages are files in `docs/`, and READMEs elsewhere that the reference borrows. */
export default {
  title: 'Unrut',
  description: 'Detects when an AI agent is stuck in a loop, and gets it out.',
  lang: 'en',
  base: './',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  lastUpdated: false,
  markdown: {
    languageAlias: { promql: 'txt', caddyfile: 'txt' },
    config(md: { core: { ruler: { push(name: string, rule: (state: State) => void): void } } }) {
      md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
        for (const token of tokens) {
          if (OUR_FENCES.test(token.info)) token.info = 'txt';
          // The page has a picture of the same.
          if (token.info === 'mermaid') Object.assign(token, { type: 'html_block', content: '' });
          // Indented blocks are command lines.
          if (token.type === 'code_block') Object.assign(token, { type: 'fence', info: 'sh' });
        }
        for (const token of tokens.flatMap(({ children }) => children ?? []))
          if (token.type === 'link_open')
            token.attrSet('href', siteLink(token.attrGet('href') ?? '', env.relativePath, map));
      });
    },
  },
  themeConfig: {
    ...menu(),
    search: {
      provider: 'local',
      options: {
        // Pages of the reference have no file that the search could read.
        _render: async (raw: string, env: State['env'], md: Renderer) =>
          md.renderAsync(raw || (await searchedText(env.relativePath)), env),
      },
    },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: 'https://github.com/unrut-dev/unrut' }],
  },
};

interface Renderer {
  renderAsync(text: string, env: object): Promise<string>;
}

interface State {
  tokens: Token[];
  env: { relativePath: string };
}
