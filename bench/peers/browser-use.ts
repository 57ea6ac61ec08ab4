import { canonicalJson, digest } from './call-key.ts';
import { definePeer, type PeerCall } from './define-peer.ts';
import { type Ladder, reached, strongest, warn } from './peer.ts';
import { fieldsOf, isTyping } from './tool-kinds.ts';

const WINDOW = 20;
const UNCHANGED = 5;
const NUDGES: Ladder = [
  [5, warn('mild nudge')],
  [8, warn('nudge')],
  [12, warn('strong nudge')],
];
const IGNORED = /^(?:wait|done|go_back)$/;

/**
 * browser-use: one action 5, 8 or 12 times among the last twenty, or a page that stayed the same
 * for five steps. Nudges, and never blocks.
 */
export const browserUse = definePeer('browser-use', () => {
  let actions: string[] = [];
  let page = '';
  let unchanged = 0;
  return {
    result(result) {
      if (!IGNORED.test(result.tool))
        actions = [...actions, digest(normalised(result)).slice(0, 12)].slice(-WINDOW);
      const counts = new Map<string, number>();
      for (const action of actions) counts.set(action, (counts.get(action) ?? 0) + 1);
      if (result.screen) {
        const seen = canonicalJson([
          result.screen.url,
          result.screen.frame ?? result.screen.description,
        ]);
        unchanged = seen === page ? unchanged + 1 : 0;
        page = seen;
      }
      return strongest(
        reached(NUDGES, Math.max(0, ...counts.values())),
        unchanged >= UNCHANGED ? warn('stagnant page') : null,
      );
    },
  };
});

/**
 * The key by which actions are equal: the words of a search, the element and text of an input,
 * otherwise all arguments.
 */
function normalised({ tool, args }: PeerCall): string {
  if (typeof args === 'string')
    return `${tool} ${/search/i.test(tool) ? words(args) : isTyping(tool) ? plain(args) : args}`;
  const { query, engine, index, text, url, direction, down } = fieldsOf(args);
  if (/search/i.test(tool) && typeof query === 'string')
    return canonicalJson(['search', engine, words(query)]);
  if (tool === 'click' && index !== undefined) return canonicalJson(['click', index]);
  if (isTyping(tool) && index !== undefined)
    return canonicalJson(['input', index, plain(String(text ?? ''))]);
  if (/navigate|goto|go_to/.test(tool) && url !== undefined)
    return canonicalJson(['navigate', url]);
  const way = direction ?? down;
  if (/scroll/.test(tool) && way !== undefined) return canonicalJson(['scroll', way, index]);
  return canonicalJson([
    tool,
    Object.fromEntries(Object.entries(fieldsOf(args)).filter(([, value]) => value !== null)),
  ]);
}

const plain = (text: string): string => text.trim().toLowerCase();
const words = (text: string): string =>
  [...new Set(text.toLowerCase().match(/\w+/g) ?? [])].sort().join(' ');
