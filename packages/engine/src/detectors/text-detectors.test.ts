import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventType } from '../event.ts';
import type { Fingerprint, Progress } from '../fingerprint/fingerprint.ts';
import { type Channel, endMessage, readText, startText } from '../fingerprint/text.ts';
import type { Evidence } from '../signal.ts';
import { chanting } from './chanting/detector.ts';
import type { Detector } from './detector.ts';
import { monologue } from './monologue/detector.ts';
import { repeatedThought } from './repeated-thought/detector.ts';

const SEED = 99;

/**
 * Runs one detector the way the guard does: text through `readText`, and its state through JSON
 * after every event.
 */
function watch(detector: Detector, options: object = {}) {
  const text = startText();
  let state = detector.start();
  let step = 0;
  const run = {
    raised: [] as Evidence[],
    largest: 0,
    see(type: EventType, more: Partial<Fingerprint> = {}): Evidence | null {
      const seen: Fingerprint = {
        type,
        step,
        tick: step,
        at: 0,
        silence: 0,
        gap: 0,
        speaker: '',
        batch: '',
        announced: false,
        neutral: null,
        progress: null,
        ...more,
      };
      if (type !== 'text-added') {
        const ended = endMessage(text, undefined, SEED);
        if (ended) seen.text = ended;
      }
      const evidence = detector.step(state, seen, { ...detector.options, ...options });
      const json = JSON.stringify(state);
      run.largest = Math.max(run.largest, Buffer.byteLength(json));
      state = JSON.parse(json);
      if (type === 'call-finished' || seen.text?.message) step++;
      if (evidence) run.raised.push(evidence);
      return evidence;
    },
    add(added: string, channel: Channel = 'answer', done = false): Evidence | null {
      return run.see('text-added', {
        text: readText(
          text,
          { type: 'text-added', session: '', at: 0, text: added, channel, done },
          SEED,
        ),
      });
    },
    say: (said: string) => run.add(said, 'answer', true),
    think: (thought: string) => run.add(thought, 'thinking', true),
    call(progress: Progress | null = null): void {
      run.see('call-proposed', { call: {} as never });
      run.see('call-finished', { call: {} as never, progress });
    },
  };
  return run;
}

/** The characters read when each signal is raised. */
function chant(whole: string, size: number, done = false): { at: number[]; evidence: Evidence[] } {
  const run = watch(chanting);
  const at: number[] = [];
  for (let i = 0; i < whole.length; i += size) {
    const evidence = run.add(whole.slice(i, i + size), 'answer', done && i + size >= whole.length);
    if (evidence) at.push(Math.min(whole.length, i + size));
  }
  return { at, evidence: run.raised };
}

const lines = (count: number, line: (i: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, i) => line(i)).join(between);

function random(length: number, alphabet: string): string {
  let x = 12345;
  let text = '';
  for (let i = 0; i < length; i++) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    text += alphabet[(x >>> 8) % alphabet.length];
  }
  return text;
}

const source = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const VERSE = (
  i: number,
) => `The ${['moon', 'wind', 'tide', 'frost', 'lark'][i % 5]} goes over ${['hill', 'barn', 'sea', 'field', 'mill'][(i * 3) % 5]} and ${['stone', 'thorn', 'sand', 'reed', 'wall'][(i * 2) % 5]},
and nobody has ${['counted', 'followed', 'forgotten', 'mended', 'named'][i % 5]} the ${['days', 'sheep', 'boats', 'stars', 'lanes'][(i * 2) % 5]}.
`;
const REFRAIN =
  'O bring me back, bring me back to the river,\nwhere the willow leans low and the water runs slow,\nO bring me back to the river.\n';
const WORDS =
  'build,cache,client,config,error,handler,loader,module,option,parser,query,reader,schema,server,socket,token,upload,worker'.split(
    ',',
  );
const word = (i: number): string => WORDS[Math.imul(i + 1, 2654435761) >>> 28]!;

const QUIET: Record<string, string> = {
  TypeScript: source('../event.ts'),
  'a detector': source('./chanting/detector.ts'),
  Markdown: source('./chanting/README.md'),
  'a minified array of nulls': `{"values":[${lines(150, () => 'null', ',')}]}`,
  'an array of nulls, one on each line': `[\n${lines(120, () => '    null', ',\n')}\n]`,
  'an array of equal words': `const states = [${lines(60, () => "'pending'", ', ')}];`,
  'an array of equal numbers': `[${lines(400, () => '0.0', ', ')}]`,
  bytes: `unsigned char data[] = { ${lines(300, () => '0x00', ', ')} };`,
  'an identical import five times': `${'import { readFile, writeFile, mkdir } from "node:fs/promises";\n'.repeat(5)}\nconst a = 1;\n`,
  'a table with nearly equal rows': `| package | version | licence | audited |\n|---|---|---|---|\n${lines(60, (i) => `| @scope/${word(i)}-${i} | 1.0.0 | MIT | yes, no findings at all |`)}\n`,
  'a table of ticks': `| case | a | b | c |\n|---|---|---|---|\n${lines(50, (i) => `| ${i} | yes | yes | yes |`)}\n`,
  'an empty HTML table': `<table>${'<tr><td></td><td></td><td></td></tr>'.repeat(20)}</table>`,
  'nested closing tags': '</div>'.repeat(80),
  'non-breaking spaces': '&nbsp;'.repeat(120),
  CSS: lines(
    50,
    (i) =>
      `.${word(i)}-${i} {\n  display: flex;\n  align-items: center;\n  padding: 8px 16px;\n}\n`,
  ),
  'a hex dump of zeros': lines(
    80,
    (i) =>
      `${(i * 16).toString(16).padStart(8, '0')}: 0000 0000 0000 0000 0000 0000 0000 0000  ................`,
  ),
  'a hex dump of erased flash': lines(
    80,
    (i) =>
      `${(i * 16).toString(16).padStart(8, '0')}: ffff ffff ffff ffff ffff ffff ffff ffff  ................`,
  ),
  'bytes in hexadecimal': lines(200, () => 'FF', ' '),
  'ASCII art': '/\\_/\\_/\\_/\\_/\\_/\\\n( o.o )( o.o )( o.o )\n > ^ <  > ^ <  > ^ <\n'.repeat(12),
  'a drawn box': `+${'-'.repeat(60)}+\n${`|${' '.repeat(60)}|\n`.repeat(30)}+${'-'.repeat(60)}+\n`,
  'a changelog': lines(
    40,
    (i) =>
      `## 1.${40 - i}.0\n\n- Fixed: the ${word(i)} no longer fails when the ${word(i + 7)} is empty (#${900 - i})\n`,
  ),
  'test names with a shared prefix': lines(
    80,
    (i) =>
      ` ✓ fingerprint > reading text in deltas > however a text is cut, the ${word(i)} of case ${i} are the same (2ms)`,
  ),
  'a log': lines(
    120,
    (i) =>
      `2026-03-01T10:${String(i % 60).padStart(2, '0')}:07.123Z INFO  [worker-${i % 4}] waiting for the job queue to become ready`,
  ),
  base64: random(6000, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
  'a padded base64 blob': `data:image/png;base64,${random(300, 'ABCDEFGHIJKLMNOPabcdef0123456789')}${'A'.repeat(3000)}${random(300, 'QRSTUVWXYZuvwxyz')}==`,
  rulers: `${'-'.repeat(400)}\n${'='.repeat(400)}\n${'- '.repeat(300)}\n${'*-'.repeat(300)}`,
  'a table of contents with leaders': lines(40, (i) => `${word(i)} ${'.'.repeat(70)} ${i}`),
  'capital letters': lines(60, (i) =>
    `${word(i)} ${word(i * 3)} ${word(i * 7)} ${word(i * 5 + 1)}`.toUpperCase(),
  ),
  digits: random(5000, '0123456789'),
  'the same digits': '1234567890'.repeat(300),
  'a poem with a refrain': lines(12, (i) => `${VERSE(i)}${VERSE(i + 2)}\n${REFRAIN}`),
  'a refrain sung twice at the end': `${lines(6, (i) => `${VERSE(i)}\n${REFRAIN}`)}\n${REFRAIN}`,
  'a list': lines(
    60,
    (i) => `- [ ] write the tests for the ${word(i)} of the ${word(i * 3)}, and run them`,
  ),
  SQL: lines(
    60,
    (i) => `INSERT INTO events (id, name, created_at) VALUES (${i}, '${word(i)}', '2026-01-01');`,
  ),
  'a lock file': lines(
    40,
    (i) =>
      `    "node_modules/${word(i)}-${i}": {\n      "version": "1.0.0",\n      "license": "MIT",\n      "engines": { "node": ">=18" }\n    },`,
  ),
  laughter: 'haha'.repeat(60),
  emoji: '🎉'.repeat(400),
};

const SIZES = [1, 3, 17, Number.MAX_SAFE_INTEGER];

const CHANTS: Record<string, { unit: string; from: number; variant: string }> = {
  'a sentence': {
    unit: 'I will now read the file again and then decide. ',
    from: 300,
    variant: 'short-unit',
  },
  'a sentence of fifty characters and more': {
    unit: 'Let me check the configuration once more before I go on with it. ',
    from: 390,
    variant: 'short-unit',
  },
  'two words': { unit: 'try again ', from: 300, variant: 'short-unit' },
  'one word': { unit: 'again ', from: 300, variant: 'short-unit' },
  'a line': { unit: 'We need to run the tests.\n', from: 300, variant: 'short-unit' },
  'a sentence that contains its own ending twice': {
    unit: 'so I read the whole file again, and then I read the whole file again, but before I read the whole file again ',
    from: 660,
    variant: 'short-unit',
  },
  Chinese: { unit: '让我再检查一下这个文件,然后再决定。', from: 300, variant: 'short-unit' },
  'a line of code': {
    unit: '    elif isinstance(value, Field):\n        return value.db_type, set()\n',
    from: 372,
    variant: 'short-unit',
  },
  'a paragraph': {
    unit: 'First I look at the configuration, because the loader reads it before anything else happens. Then I follow the call into the parser, where the value is lost, and I ask myself who wrote it. That brings me to the start.\n\n',
    from: 654,
    variant: 'long-unit',
  },
  'a page': {
    unit: `${lines(14, (i) => `The ${word(i)} calls the ${word(i + 5)} and hands it the ${word(i * 3)} of the ${word(i * 7)}.`)}\n\n`,
    from: 2700,
    variant: 'long-unit',
  },
  'mark-up without end': { unit: '</div>', from: 1500, variant: 'short-unit' },
};

describe('chanting', () => {
  describe.each(Object.keys(QUIET))('is quiet on %s', (name) => {
    test.each(SIZES)('in deltas of %d', (size) => {
      expect(chant(QUIET[name]!, size, true).evidence).toEqual([]);
    });
  });

  describe.each(Object.keys(CHANTS))('recognises %s', (name) => {
    const { unit, from, variant } = CHANTS[name]!;
    const opening = 'Now that the tests have run, this is how I see the matter at hand.\n\n';
    const whole = opening + unit.repeat(Math.ceil((from * 2 + 2000) / unit.length));
    // Characters as the detector counts them: a run of white space is one.
    const collapsed =
      `${unit}${unit}`.replace(/\s+/g, ' ').length - unit.replace(/\s+/g, ' ').length;

    test.each([1, 3, 17])('in deltas of %d, within one check', (size) => {
      const { at, evidence } = chant(whole, size);
      expect(evidence[0]!.variant).toBe(variant);
      const heard = ((at[0]! - opening.length) * collapsed) / unit.length;
      expect(heard).toBeGreaterThanOrEqual(Math.min(from, 300));
      expect(heard).toBeLessThanOrEqual(
        from + (variant === 'long-unit' ? 256 : 64) + collapsed + size + 2,
      );
      expect(evidence[0]!.facts).toMatchObject({ unit: collapsed });
    });

    test('in one piece', () => {
      expect(chant(whole, whole.length, true).evidence).toHaveLength(1);
    });

    test('continues with a growing count under one key', () => {
      const { evidence } = chant(whole, 5);
      expect(evidence.length).toBeGreaterThan(1);
      evidence.forEach((each, i) => {
        if (i > 0) expect(each.count).toBeGreaterThan(evidence[i - 1]!.count);
        expect(each.keys).toEqual(evidence[0]!.keys);
      });
    });
  });

  test.each([
    [
      'five times a sentence of eighty characters',
      'I am going to open the settings page and switch the option on, and then wait. '.repeat(5),
    ],
    ['six times a sentence that does not fill 300 characters', 'I will try this again. '.repeat(6)],
    ['a long paragraph twice', CHANTS['a paragraph']!.unit.repeat(2)],
  ])('is quiet below its thresholds: %s', (_, whole) => {
    for (const size of SIZES)
      expect(
        chant(`Here it is. ${whole}And that is all there is to it.`, size, true).evidence,
      ).toEqual([]);
  });

  test('the end of a message is checked, however short the rest is', () => {
    expect(
      chant('I will look into it again, and again, until it works. '.repeat(6), 7, true).evidence,
    ).toHaveLength(1);
  });

  test('the size of a delta changes neither the first signal nor the last count', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 4, maxLength: 120 }),
        fc.integer({ min: 3, max: 40 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 }),
        (unit, times, sizes) => {
          const whole = `An opening line. ${`${unit} and on `.repeat(times)}An end.`;
          const run = watch(chanting);
          for (let at = 0, i = 0; at < whole.length; i++) {
            const size = sizes[i % sizes.length]!;
            run.add(whole.slice(at, at + size));
            at += size;
          }
          const once = watch(chanting);
          once.add(whole);
          expect(run.raised.at(-1)?.count).toBe(once.raised.at(-1)?.count);
          expect(run.raised.at(-1)?.keys).toEqual(once.raised.at(-1)?.keys);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('a call or the user ends the stretch', () => {
    for (const end of [
      'call-proposed',
      'call-finished',
      'user-spoke',
      'action-finished',
    ] as const) {
      const run = watch(chanting);
      for (let i = 0; i < 20; i++) {
        for (let k = 0; k < 5; k++) run.add('I will now read the file again and then decide. ');
        run.see(end, { call: {} as never });
      }
      expect(run.raised).toEqual([]);
    }
  });

  test('the channels are checked separately, even if they alternate', () => {
    const run = watch(chanting);
    for (let i = 0; i < 30; i++) {
      run.add('I will now read the file again and then decide. ', 'thinking');
      run.add(
        `${word(i)} and ${word(i + 3)} come before ${word(i * 5)}, as I said ${i} lines above. `,
        'answer',
      );
    }
    expect(run.raised.length).toBeGreaterThan(0);
    expect(run.raised.every(({ facts }) => facts.channel === 'thinking')).toBe(true);
  });

  test('says what it sees', () => {
    const [first] = chant(
      'I will now read the file again and then decide. '.repeat(20),
      9,
    ).evidence;
    expect(chanting.explain(first!)).toBe(
      'the answer repeats one passage of 48 characters without a break: 6 times so far',
    );
  });

  test('quotes what repeats if one event contains it, but never a secret', () => {
    const said = (unit: string): string => {
      const run = watch(chanting);
      run.say(unit.repeat(20));
      return chanting.explain(run.raised[0]!);
    };
    expect(said('I will now read the file again. And then I decide. ')).toContain(
      'repeats "And then I decide. I will now read the file…" without',
    );
    const key = 'sk-proj-Zx81kQm2Vb7TtR04nLw9aJhD';
    const kept = said(`The key is ${key}, which I will use now. `);
    expect(kept).not.toContain(key.slice(0, 10));
    expect(kept).toContain('one passage of');
  });

  test('the state stays under 14 KB over 10,000 events on both channels', () => {
    const run = watch(chanting);
    for (let i = 0; i < 10_000; i++) {
      run.add(`${random(40 + (i % 50), 'abcdefgh ')}${i} `, i % 3 ? 'answer' : 'thinking');
    }
    run.add(random(20_000, 'abcdefgh '));
    expect(run.largest).toBeLessThan(14_000);
  });
});

const DOUBT =
  'Wait, maybe the value is lost in the loader before the parser ever sees it, so I should look there first.';

describe('repeated-thought', () => {
  test('the same paragraph four times in one stretch of reasoning', () => {
    const run = watch(repeatedThought);
    const other = (i: number) =>
      `The ${word(i)} hands the ${word(i + 4)} to the ${word(i * 3)}, which then decides about the ${word(i * 5)} alone.`;
    const whole = lines(4, (i) => `${DOUBT}\n\n${other(i)}\n\n`, '');
    for (let i = 0; i < whole.length; i += 7) run.add(whole.slice(i, i + 7), 'thinking');
    expect(run.raised).toMatchObject([{ variant: 'exact', count: 4 }]);
  });

  test('keeps raising with a growing count under one key', () => {
    const run = watch(repeatedThought);
    for (let i = 0; i < 40; i++) run.think(DOUBT);
    expect(run.raised.map(({ count }) => count)).toEqual(
      Array.from({ length: 37 }, (_, i) => i + 4),
    );
    expect(new Set(run.raised.flatMap(({ keys }) => keys)).size).toBe(1);
  });

  test('the same sentence about the same few files, in turn', () => {
    const run = watch(repeatedThought);
    for (let i = 0; i < 8; i++)
      run.think(
        `I should open ${['src/a.ts', 'src/b.ts'][i % 2]} again and see whether the value arrives there.`,
      );
    expect(run.raised[0]).toMatchObject({ variant: 'templated' });
  });

  test('nearly the same words', () => {
    const run = watch(repeatedThought);
    const ends = ['now', 'today', 'instead', 'again', 'properly', 'carefully'];
    for (const end of ends)
      run.think(
        `${DOUBT} Only then does it make sense to change anything in the tests or in the build ${end}`,
      );
    expect(run.raised[0]).toMatchObject({ variant: 'overlap', count: 4 });
  });

  test.each<[string, (run: ReturnType<typeof watch>) => void]>([
    [
      'it names a new file each time',
      (run) =>
        lines(12, (i) =>
          String(
            run.think(`I should open src/part${i}.ts and see whether the value arrives there.`),
          ),
        ),
    ],
    [
      'it counts up',
      (run) =>
        lines(12, (i) =>
          String(
            run.think(
              `Row ${i} has a positive amount and a known customer, so I keep it as it is.`,
            ),
          ),
        ),
    ],
    ['three times', (run) => lines(3, () => String(run.think(DOUBT)))],
    [
      'it is short, and comes five times',
      (run) => lines(5, () => String(run.think('Let me think about this again.'))),
    ],
    [
      'the user spoke in between',
      (run) => lines(12, () => String(run.think(DOUBT)) + String(run.see('user-spoke'))),
    ],
    [
      'every call in between brought something',
      (run) => lines(12, () => String(run.think(DOUBT)) + String(run.call('novel'))),
    ],
    [
      'other thoughts lie between',
      (run) =>
        lines(90, (i) =>
          String(
            run.think(
              i % 6
                ? `${word(i)} ${word(i * 3)} then ${word(i * 7)} or ${word(i * 11)} before ${word(i + 9)} and ${word(i * 13)} with ${word(i * 17)}`
                : DOUBT,
            ),
          ),
        ),
    ],
    [
      'each stands under another heading',
      (run) =>
        void run.say(
          lines(
            12,
            (i) =>
              `### ${word(i * 5)} ${word(i)} ${i}\n\nNo change is needed here, the code already follows the guide as it stands.\n\n`,
            '',
          ),
        ),
    ],
  ])('is quiet when %s', (_, go) => {
    const run = watch(repeatedThought);
    go(run);
    expect(run.raised).toEqual([]);
  });

  test('calls that bring nothing do not end it, and a call completes the paragraph that it interrupts', () => {
    const run = watch(repeatedThought);
    for (let i = 0; i < 5; i++) {
      run.add(DOUBT, 'thinking');
      run.call();
    }
    expect(run.raised.map(({ count }) => count)).toEqual([4, 5]);
  });

  test('says what it sees', () => {
    const run = watch(repeatedThought);
    for (let i = 0; i < 4; i++) run.think(DOUBT);
    expect(repeatedThought.explain(run.raised[0]!)).toBe(
      `the same thought ("${DOUBT.slice(0, DOUBT.lastIndexOf(' ', 47))}…") has come 4 times word for word, and added nothing new`,
    );
  });

  test('the state stays under 8 KB over 10,000 events', () => {
    const run = watch(repeatedThought);
    for (let i = 0; i < 10_000; i++) {
      const names = lines(
        20,
        (k) => `${word(i + k)}${i}/${word(k)}${k}.ts "${word(i * k)} ${i + k}"`,
        ' and ',
      );
      run.add(i % 3 ? `${names}\n\n` : `# ${word(i)} ${i}\n\n`, i % 2 ? 'answer' : 'thinking');
    }
    expect(run.largest).toBeLessThan(8000);
  });
});

const PLAN = (
  way: string,
  end: string,
) => `To ${way} plan the journey, let's go through the following steps:

1. **Choose**: the train is fast and economical, the bus is slower but cheaper, a taxi is quick and costly.
2. **Book**: use the link on the travel page to check schedules and to buy the tickets.
3. **Prepare**: align the departure with your calendar, plan interesting stops, book the hotel in advance.

${end}`;

describe('monologue', () => {
  test('three messages that say the same', () => {
    const run = watch(monologue);
    for (let i = 0; i < 5; i++) run.say('I will now open the settings page.');
    expect(run.raised.map(({ variant, count }) => [variant, count])).toEqual([
      ['equal', 3],
      ['equal', 4],
      ['equal', 5],
    ]);
  });

  test('three messages that say much the same', () => {
    const run = watch(monologue);
    run.say('I have found three ways to get there, and here is what each of them costs.');
    expect(run.say(PLAN('efficiently', 'Would you like me to book the train?'))).toBeNull();
    expect(run.say(PLAN('effectively', 'Shall I book the train or rather the bus?'))).toBeNull();
    expect(run.say(PLAN('carefully', 'Would you like help with booking?'))).toMatchObject({
      variant: 'alike',
      count: 3,
      since: 1,
    });
  });

  test('however a message is cut into deltas', () => {
    const run = watch(monologue);
    for (const way of ['efficiently', 'effectively', 'carefully']) {
      const whole = PLAN(way, 'Shall I?');
      for (let i = 0; i < whole.length; i += 11)
        run.add(whole.slice(i, i + 11), 'answer', i + 11 >= whole.length);
    }
    expect(run.raised).toHaveLength(1);
  });

  test('a message of a word or two needs one more', () => {
    const run = watch(monologue);
    run.say('Here is the script.');
    for (let i = 0; i < 4; i++) run.say('```python');
    expect(run.raised.map(({ count }) => count)).toEqual([4]);
  });

  test.each<[string, (run: ReturnType<typeof watch>) => unknown, number[]]>([
    ['nothing', () => undefined, []],
    ['a call', (run) => run.call(), [4]],
    ['the user', (run) => run.see('user-spoke'), [4]],
  ])('a few equal words count only after something has happened: %s', (_, first, raised) => {
    const run = watch(monologue);
    first(run);
    for (let i = 0; i < 4; i++) run.say('Initialized.');
    expect(run.raised.map(({ count }) => count)).toEqual(raised);
  });

  test.each<[string, (run: ReturnType<typeof watch>, i: number) => void]>([
    ['a call lies between', (run) => [run.say('I will now open the settings page.'), run.call()]],
    [
      'a call was only proposed',
      (run) => [
        run.say('I will now open the settings page.'),
        run.see('call-proposed', { call: {} as never }),
      ],
    ],
    [
      'the agent waited',
      (run) => [
        run.say('The build is still running, I wait.'),
        run.see('call-finished', { call: {} as never, neutral: 'wait' }),
      ],
    ],
    [
      'an action hit the screen',
      (run) => [
        run.say('I will now open the settings page.'),
        run.see('action-finished', { call: {} as never }),
      ],
    ],
    [
      'the user spoke',
      (run) => [run.say('I will now open the settings page.'), run.see('user-spoke')],
    ],
    ['it is reasoning', (run) => run.think('I will now open the settings page.')],
    [
      'a number moves',
      (run, i) =>
        run.say(
          `The upload of the archive is going well so far: ${i * 10} percent of it has arrived.`,
        ),
    ],
    [
      'it is about another file each time',
      (run, i) =>
        run.say(
          `I have finished the review of src/${word(i)}${i}.ts and found nothing that needs a change.`,
        ),
    ],
    [
      'the content differs',
      (run, i) =>
        run.say(
          `The ${word(i * 3)} comes before the ${word(i)}, since the ${word(i * 7)} of a ${word(i * 11)} reads the ${word(i + 6)} first.`,
        ),
    ],
    ['the messages are empty', (run) => run.say('')],
  ])('is quiet when %s', (_, say) => {
    const run = watch(monologue);
    for (let i = 0; i < 8; i++) say(run, i);
    expect(run.raised).toEqual([]);
  });

  test('a new iteration of an outer loop is not an action', () => {
    const run = watch(monologue);
    for (let i = 0; i < 3; i++) {
      run.add('I will now open the settings page.');
      run.see('iteration-started');
    }
    expect(run.raised).toHaveLength(1);
  });

  test('says what it sees', () => {
    const run = watch(monologue);
    for (let i = 0; i < 3; i++) run.say('I will now open the settings page.');
    expect(monologue.explain(run.raised[0]!)).toBe(
      '3 messages in a row say the same thing ("I will now open the settings page."), with no action between them',
    );
  });

  test('the state stays small over 10,000 events', () => {
    const run = watch(monologue);
    for (let i = 0; i < 10_000; i++)
      run.say(lines(20, (k) => `${word(i + k)}${i}/${word(k)}${k}.ts of ${word(i * k)}`, ' and '));
    expect(run.largest).toBeLessThan(2000);
  });
});
