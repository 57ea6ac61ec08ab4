/** Small numbers from a seed, the same on every machine. */
export type Chance = ReturnType<typeof createChance>;

export function createChance(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    one: <T>(list: readonly T[]): T => list[below(list.length)]!,
    is: (share: number): boolean => next() < share,
  };
}

/** A call as an agent makes it, with what only the world knows of it. */
export interface WorldCall {
  tool: string;
  args: Record<string, unknown>;
  family: 'files' | 'shell' | 'web';
  /** The things that its answer depends on. */
  on: readonly string[];
  /** Its effect on a thing; undefined for a look. */
  does?: { thing: string; to: number | 'next' };
  /** Its answer does not describe its effect. */
  isReceipt?: true;
  /** It asks about something that changes on its own, so it may be repeated. */
  isOpen?: true;
}

export interface Answer {
  /** Without values that always change: equal contents are the same answer. */
  content: string;
  failed: boolean;
}

const FILES = ['a', 'b', 'c', 'd'];
const SERVICES = ['shop', 'mail'];
const PAGES = ['news', 'prices'];
/** Things that change with time: a CI run, a log, an inbox, a slow job, a port, a flaky program. */
const RUNNING = ['ci', 'log', 'inbox', 'job', 'port', 'flaky'] as const;
export type Running = (typeof RUNNING)[number];
export const THINGS: readonly string[] = [...FILES, ...SERVICES, ...PAGES, ...RUNNING];

const FIRST =
  'amber basalt cedar dune ember fjord garnet harbour indigo juniper kelp lantern meadow nettle onyx pumice'.split(
    ' ',
  );
const SECOND =
  'anvil bridge cloak drum engine flute gate hammer inlet jar kite ladder mirror needle oar pillar'.split(
    ' ',
  );

/**
 * Words that no two versions of a thing share. A word with a digit in it would look like an id,
 * which means nothing.
 */
function wordsOf(thing: string, version: number): string {
  const spelled = String(version).replace(/\d/g, (digit) => 'qwrtpsdfgh'[Number(digit)]!);
  const at = (list: readonly string[], i: number): string => list[Math.abs(i) % list.length]!;
  const salt = thing.length * 7 + thing.charCodeAt(0);
  const words = Array.from(
    { length: 6 },
    (_, i) =>
      `${at(FIRST, version * 5 + i * 3 + salt)}${at(SECOND, version * 11 + i * 7 + salt)}${spelled}${thing}`,
  );
  return words.join(' ');
}

/** Files that only acts change, services and pages that also change by themselves. */
export class World {
  /** The version of each thing; 0 if it does not exist or is down. */
  readonly versions = new Map<string, number>(THINGS.map((thing) => [thing, 0]));

  constructor(chance: Chance) {
    for (const thing of THINGS) this.versions.set(thing, chance.is(0.3) ? 0 : 1 + chance.below(3));
  }

  at = (thing: string): number => this.versions.get(thing)!;

  /** The current answer to a call. */
  answer({ tool, args, on, does }: WorldCall): Answer {
    const [thing = does?.thing ?? ''] = on;
    const version = this.at(thing);
    const ok = (content: string): Answer => ({ content, failed: false });
    const no = (content: string): Answer => ({ content, failed: true });
    if (tool === 'Read')
      return version > 0
        ? ok(`1\t${wordsOf(thing, version)}\n2\tend of ${thing}`)
        : no('File does not exist.');
    if (tool === 'Write' || tool === 'Edit')
      return ok(`The file ${String(args.file_path)} has been updated.`);
    if (tool === 'Grep') {
      const hits = FILES.filter(
        (file) => wordsOf(file, this.at(file)).includes(String(args.pattern)) && this.at(file) > 0,
      );
      return ok(
        hits.length > 0
          ? hits.map((file) => `/repo/${file}.ts: ${wordsOf(file, this.at(file))}`).join('\n')
          : 'No files found',
      );
    }
    if (tool === 'WebFetch')
      return version > 0
        ? ok(`# ${thing}\n\n${wordsOf(thing, version)}\n\nread more below`)
        : no('HTTP 404 Not Found');
    if (tool === 'browser_click') return ok('ok');
    if ((RUNNING as readonly string[]).includes(thing)) return this.#running(thing as Running);
    const command = String(args.command);
    if (command === 'npm test') return this.#test();
    if (command.startsWith('cat'))
      return version > 0
        ? ok(wordsOf(thing, version))
        : no(`cat: ${thing}.ts: No such file or directory`);
    if (command.startsWith('./start')) return ok(`asked ${thing} to come up`);
    if (command.startsWith('./build')) return ok('built what there is into the folder dist');
    return version > 0
      ? ok(`${thing} answers: ${wordsOf(thing, version)}`)
      : no(`${thing} does not answer: connection refused`);
  }

  /** The state of a running thing: constant until it changes on its own. */
  #running(thing: Running): Answer {
    const version = this.at(thing);
    const words = wordsOf(thing, version);
    const said: Record<Running, string> = {
      ci: `* main CI · 123\n* build ${words}`,
      log: `last lines of the log\n${words}`,
      inbox: version > 2 ? JSON.stringify([{ from: words }]) : '[]',
      job: JSON.stringify({ status: version > 3 ? 'shipped' : 'awaiting_payment', at: words }),
      port: version > 1 ? `served ${words}` : 'curl: (7) Failed to connect: Connection refused',
      flaky: `ran ${words}\n1 passed`,
    };
    return { content: said[thing], failed: thing === 'port' && version <= 1 };
  }

  #test(): Answer {
    const wrong = FILES.filter((file) => this.at(file) < 6);
    if (wrong.length === 0) return { content: ' Tests  8 passed (8)', failed: false };
    const worst = wrong
      .map((file) => `${file}.test.ts expected the last, received ${wordsOf(file, this.at(file))}`)
      .join('\n');
    return {
      content: `FAIL  ${worst}\n Tests  ${wrong.length} failed | ${8 - wrong.length} passed (8)`,
      failed: true,
    };
  }

  /** Applies a call. Returns the changed things. */
  apply({ does }: WorldCall): string[] {
    if (!does) return [];
    const before = this.at(does.thing);
    this.versions.set(does.thing, does.to === 'next' ? before + 1 : does.to);
    return this.at(does.thing) === before ? [] : [does.thing];
  }

  /** Lets time pass. Returns the things that changed on their own. */
  drift(chance: Chance, share: number): string[] {
    const changed = [...SERVICES, ...PAGES, ...RUNNING].filter(() => chance.is(share));
    for (const thing of changed) this.versions.set(thing, this.at(thing) + 1);
    return changed;
  }
}

const path = (file: string): string => `/repo/${file}.ts`;
const bash = (
  command: string,
  on: readonly string[],
  more: Partial<WorldCall> = {},
): WorldCall => ({
  tool: 'Bash',
  args: { command },
  family: 'shell',
  on,
  ...more,
});

export const read = (file: string): WorldCall => ({
  tool: 'Read',
  args: { file_path: path(file) },
  family: 'files',
  on: [file],
});
export const grep = (pattern: string): WorldCall => ({
  tool: 'Grep',
  args: { pattern },
  family: 'files',
  on: FILES,
});
export const runTests: WorldCall = bash('npm test', FILES);
export const status = (service: string): WorldCall =>
  bash(`./status ${service}`, [service], { isOpen: true });

/** Asks for the state of something that runs. */
function ask(thing: Running): WorldCall {
  const commands: Partial<Record<Running, string>> = {
    ci: 'gh run view 123',
    log: 'tail -n 3 app.log',
    port: 'curl -s http://localhost:3000/health',
    flaky: 'node flaky.mjs',
  };
  const command = commands[thing];
  if (command !== undefined) return bash(command, [thing], { isOpen: true });
  const tool = thing === 'inbox' ? 'check_inbox' : 'get_order';
  return { tool, args: { id: 7 }, family: 'web', on: [thing], isOpen: true };
}
export const anyRunning = (chance: Chance): WorldCall => ask(chance.one(RUNNING));

/** Each edit leaves another version. */
export const edit = (file: string, from: number, to: number): WorldCall => ({
  tool: 'Edit',
  args: { file_path: path(file), old_string: wordsOf(file, from), new_string: wordsOf(file, to) },
  family: 'files',
  on: [],
  does: { thing: file, to },
  isReceipt: true,
});

/** Any call, most of them looks. */
export function anyCall(chance: Chance, world: World): WorldCall {
  const file = chance.one(FILES);
  const service = chance.one(SERVICES);
  const page = chance.one(PAGES);
  return chance.one<() => WorldCall>([
    () => read(file),
    () => bash(`cat ${file}.ts`, [file]),
    () => grep(chance.one(FIRST)),
    () => runTests,
    () => status(service),
    () => anyRunning(chance),
    () => ({
      tool: 'WebFetch',
      args: { url: `https://example.org/${page}` },
      family: 'web',
      on: [page],
    }),
    () => edit(file, world.at(file), world.at(file) + 1),
    () => ({
      tool: 'Write',
      args: { file_path: path(file), content: wordsOf(file, 2) },
      family: 'files',
      on: [],
      does: { thing: file, to: 2 },
      isReceipt: true,
    }),
    () => bash(`./start ${service}`, [], { does: { thing: service, to: 5 }, isReceipt: true }),
    () => bash('./build', [], { does: { thing: 'd', to: 4 }, isReceipt: true }),
    () => ({
      tool: 'browser_click',
      args: { element: 'More', ref: page },
      family: 'web',
      on: [],
      does: { thing: page, to: 'next' },
      isReceipt: true,
    }),
  ])();
}
