import { WE } from '../recoveries/wording.ts';
import type { BriefDeed, BriefState } from './deeds.ts';

export const OPENING = `${WE}: your context was compacted.`;
/** The most characters of a brief. */
const MAX_BRIEF = 1200;

/** The parts of a brief, the most useful first. */
const PARTS: readonly {
  title: string;
  has(deed: BriefDeed): boolean;
  says(deed: BriefDeed): string;
}[] = [
  {
    title: 'Written',
    has: ({ did }) => did === 'wrote',
    says: ({ name }) => name,
  },
  {
    title: 'Checked',
    has: ({ did }) => did === 'checked',
    says: (deed) =>
      `\`${deed.name}\` ${outcomeOf(deed)}${deed.isOlder ? ', before the last write' : ''}`,
  },
  {
    title: 'Tried in vain',
    has: ({ did, times }) => did === 'ran' && times > 1,
    says: (deed) => `\`${deed.name}\` ${outcomeOf(deed)}`,
  },
  {
    title: 'Read, and not changed since',
    has: ({ did, times }) => did === 'read' && times === 0,
    says: nameWithLines,
  },
  {
    title: 'Read before a command that may have changed it',
    has: ({ did, times }) => did === 'read' && times > 0,
    says: nameWithLines,
  },
  {
    title: 'Run',
    has: ({ did, times }) => did === 'ran' && times < 2,
    says: (deed) => `\`${deed.name}\` ${outcomeOf(deed)}`,
  },
];

function nameWithLines({ name, detail }: BriefDeed): string {
  return detail === '' ? name : `${name} (${detail})`;
}

function outcomeOf({ times, detail }: BriefDeed): string {
  if (times === 0) return 'succeeded';
  return `failed${times > 1 ? ` ${times} times` : ''} (${detail})`;
}

const TITLE = 'What your calls have done, newest first.';
/** Without a word of it, what is not named would seem not to be done. */
const PARTIAL = 'What your calls have done last, newest first.';
const ENDING = 'Continue from here.';

/** What the agent has done; empty if nothing is known. With its opening at most 1,200 characters. */
export function briefText({ deeds, more }: BriefState): string {
  const written = deeds.findLastIndex(([did]) => did === 'wrote');
  const newest = deeds
    .map(
      ([did, name, detail = '', times = 0], i): BriefDeed => ({
        did,
        name,
        detail,
        times,
        isOlder: i < written,
      }),
    )
    .toReversed();
  let room = MAX_BRIEF - OPENING.length - PARTIAL.length - ENDING.length - 3;
  let isPartial = more === true;
  const parts: string[] = [];
  for (const { title, has, says } of PARTS) {
    let part = '';
    for (const text of newest.filter(has).map(says)) {
      const longer = part === '' ? `${title}: ${text}` : `${part}; ${text}`;
      if (longer.length + 2 > room) {
        isPartial = true;
        break;
      }
      part = longer;
    }
    if (part === '') continue;
    parts.push(`${part}.`);
    room -= part.length + 2;
  }
  return parts.length === 0 ? '' : [isPartial ? PARTIAL : TITLE, ...parts, ENDING].join(' ');
}
