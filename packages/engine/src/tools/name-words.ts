import { lazily } from '../lazily.ts';
import type { Asks, Verb } from '../prints.ts';

/** Guesses what a tool does from the words of its name. */

/** Words by the verb that they stand for. */
const SAYING: readonly [verb: Verb, words: string][] = [
  [
    'read',
    `read get list search find fetch query show view look lookup describe inspect explain count stat screenshot snapshot capture extract
   retrieve load browse calculate compute resolve scan grep glob ls cat head tail see peek summarize analyze analyse compare diff poll subscribe
   calculator download translate convert parse filter select enumerate identify detect discover`,
  ],
  [
    'write',
    `write edit editor insert create update delete remove patch replace append prepend save rename add put upsert modify change assign cancel submit upload
   publish commit push apply install uninstall deploy mkdir touch reset enable disable approve reject restore rollback revert undo clear erase drop
   truncate overwrite fix refactor format generate register unregister schedule grant revoke attach detach move`,
  ],
  [
    'execute',
    'run exec execute invoke trigger launch spawn start stop restart eval evaluate python javascript ipython interpreter click tap type fill press hover drag',
  ],
  ['execute', 'clicked typed pressed hovered filled dragged keypress dblclick doubleclick swipe'],
  ['verify', 'test tests build lint compile verify validate typecheck assert'],
  ['wait', 'wait sleep pause delay'],
  ['navigate', 'navigate goto visit scroll scrolled redirect pageup pagedown reload refresh'],
  ['nothing', 'noop'],
];
const VERBS = lazily(
  () =>
    new Map(
      SAYING.flatMap(([verb, words]) => words.split(/\s+/).map((word) => [word, verb] as const)),
    ),
);

/** More often nouns than verbs, so they count only as the first word. */
const FIRST = new Map<string, Verb>();
const ACTS = `set book order post comment mark tag copy share merge call charge pay transfer send close archive reply email notify remind
  reserve cancel place bid`;
for (const word of ACTS.split(/\s+/)) FIRST.set(word, 'write');
FIRST.set('call', 'execute');

/** Words that name a result. They count if no word is a verb. */
const ANSWERS = new Set(
  'status info information details logs history summary results result preview contents documentation docs help schema'.split(
    ' ',
  ),
);

/** Words that ask for the state of something that changes by itself. They outweigh the others. */
const STATES = new Set(
  `status state progress check watch wait poll inbox mailbox queue queues messages mail mails emails notifications alerts events
  health ready alive heartbeat ping job jobs run runs order orders shipment delivery deployment deployments deploy build builds pipeline
  pipelines workflow workflows pods pod containers container process processes port ports log logs metrics balance
  training calls invoice payment booking approval ticket count`.split(/\s+/),
);
/** Things that arrive by themselves. A search for them that finds none may find one later. */
const ARRIVING = new Set(
  `mail mails email emails gmail inbox mailbox unread message messages reply replies response responses notification notifications
  appointment appointments slot slots seat seats availability vacancy vacancies booking bookings reservation reservations order orders
  device devices peer peers sensor sensors call calls update updates event events alert alerts job jobs run runs transaction transactions
  payment payments shipment shipments delivery deliveries invoice ticket tickets queue queues`.split(
    /\s+/,
  ),
);
/** Instruments. What they show changes by itself, however it is asked for. */
const INSTRUMENTS = new Set(
  'sensor sensors gauge meter thermometer thermostat temperature humidity voltage telemetry ticker'.split(
    ' ',
  ),
);
/** What others write into. Only a search in it asks for content. */
const TALKS = new Set(
  `channel channels thread threads replies reply chat chats conversation conversations comments sms otp voicemail
  mailbox inbox clipboard`.split(/\s+/),
);
/** Words that ask for content. */
const CONTENTS = new Set(
  `search find lookup look query read fetch grep glob list ls cat view open browse document documents doc docs page pages file files
  code record records article knowledge docs summarize extract retrieve
  calculator calculate compute convert translate`.split(/\s+/),
);

const SEARCHING = new Set('search find query grep glob'.split(' '));
const LISTING = new Set('list ls glob browse enumerate tree'.split(' '));
const REMOVING = new Set('delete remove drop erase clear unlink archive'.split(' '));
const RELOCATING = new Set(
  'move rename copy mkdir upload download install deploy publish'.split(' '),
);
/** Things that are drawn. If they are changed without a look, nobody knows what they look like. */
const DRAWN = new Set(
  'widget component slide chart node shape layer frame diagram canvas panel scene sprite figure plot'.split(
    ' ',
  ),
);
const CHANGING = new Set('patch edit update set modify change replace'.split(' '));
const PAGES = new Set('url page tab browser link site website webpage'.split(' '));
const CODE = new Set(
  'code types type syntax style formatting lint build all files file project'.split(' '),
);
const SHELLS = new Set('bash sh zsh shell terminal powershell pwsh cmd console'.split(' '));
const PROGRAMS = new Set(
  'code python ipython javascript interpreter exec execute run script program'.split(' '),
);
const STARTERS = new Set('exec execute run command'.split(' '));

/** What the words of a name tell. */
export interface NameWords {
  words: readonly string[];
  verb: Verb;
  /** What it asks for, if the name tells. */
  asks: Asks | null;
  /** It searches, so its query is not a target. */
  searches: boolean;
  lists: boolean;
  removes: boolean;
  /** Changes where a thing is or whether it exists, not its content. */
  relocates: boolean;
  /** Whether it is about a thing that is drawn, and whether it changes things in place. */
  drawn: boolean;
  patches: boolean;
  /** Replaces the whole content. */
  whole: boolean;
  /** Runs a program, as opposed to pressing a button. */
  runsCode: boolean;
  /** Whether its name says that it runs commands. */
  shell: 'yes' | 'maybe' | 'no';
}

const MAX_LENGTH = 80;

/** `getUserName`, `get_user_name` and `get-user-name` have the same words. */
export const splitWords = (name: string): string[] =>
  name
    .slice(0, MAX_LENGTH)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** Only the agent itself changes these, so even their status is content. */
const OWN = new Set(
  'git repo repository file files folder directory workspace worktree branch todo'.split(' '),
);

/** A search stays one, even for something that has a state. */
const SEARCHES = new Set(['search', 'find', 'lookup', 'query', 'grep', 'read', 'fetch']);

export function readName(name: string): NameWords {
  const words = splitWords(name);
  const any = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  return {
    words,
    verb: verbOf(words),
    asks: asksOf(words, any),
    searches: any(SEARCHING),
    lists: any(LISTING),
    removes: any(REMOVING),
    relocates: any(RELOCATING),
    drawn: any(DRAWN),
    patches: any(CHANGING),
    whole:
      words.includes('write') ||
      words.includes('create') ||
      words.includes('save') ||
      words.includes('overwrite'),
    runsCode: any(PROGRAMS),
    shell: any(SHELLS) ? 'yes' : any(STARTERS) ? 'maybe' : 'no',
  };
}

function asksOf(
  words: readonly string[],
  any: (set: ReadonlySet<string>) => boolean,
): NameWords['asks'] {
  if (any(OWN)) return 'content';
  const isSearch = SEARCHES.has(words[0] ?? '');
  if (!isSearch && any(STATES)) return 'state';
  if (!SEARCHING.has(words[0] ?? '') && (any(INSTRUMENTS) || any(TALKS))) return 'state';
  if (!any(CONTENTS)) return null;
  return any(ARRIVING) ? 'news' : 'content';
}

/** The verb of the first word that has one, with exceptions where another word is more specific. */
export function verbOf(words: readonly string[]): Verb {
  for (let i = 0; i < words.length; i++) {
    const ofPhrase = verbOfPhrase(words, i);
    if (ofPhrase !== undefined) return ofPhrase;
    const verb = VERBS().get(words[i]!) ?? (i === 0 ? FIRST.get(words[i]!) : undefined);
    if (verb !== undefined) return specificVerb(words, i, verb);
  }
  return words.some((word) => ANSWERS.has(word)) ? 'read' : 'unknown';
}

/** Two words that mean something else than the first alone. */
const PHRASES: Readonly<Record<string, Verb>> = {
  'go back': 'navigate',
  'go forward': 'navigate',
  'go to': 'navigate',
  'page up': 'navigate',
  'page down': 'navigate',
  'no op': 'nothing',
};

function verbOfPhrase(words: readonly string[], i: number): Verb | undefined {
  const next = words[i + 1];
  if (words[i] === 'open') return words.some((other) => PAGES.has(other)) ? 'navigate' : 'read';
  if (words[i] === 'check') return next === undefined || CODE.has(next) ? 'verify' : 'read';
  return PHRASES[`${words[i]} ${next}`];
}

/** The verb of the word at `i`, unless a later word is more specific. */
function specificVerb(words: readonly string[], i: number, verb: Verb): Verb {
  if (words[i] === 'send' && words.includes('user')) return 'unknown';
  if (verb === 'execute' && words.slice(i + 1).some(checks)) return 'verify';
  return verb === 'read' && replaces(words, i) ? 'write' : verb;
}

const checks = (word: string): boolean =>
  VERBS().get(word) === 'verify' || word === 'check' || word === 'checks';

/** `find_and_replace`, `get_or_create`, `search_replace`. */
function replaces(words: readonly string[], from: number): boolean {
  for (let i = from + 1; i < words.length; i++) {
    const joined = words[i - 1] === 'and' || words[i - 1] === 'or' || words[i] === 'replace';
    if (joined && VERBS().get(words[i]!) === 'write') return true;
  }
  return false;
}
