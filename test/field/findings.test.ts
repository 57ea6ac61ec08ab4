import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../structure/tree.ts';

const ACTING = 'test/field/acting.test.ts';
const KINDS = 'test/field/kinds.test.ts';
const LIVING = 'test/mcp/living-evidence.browser.test.ts';
const THIRTY = 'test/mcp/thirty-failures.browser.test.ts';
const EXCHANGE = 'src/mcp/exchange.test.ts';
const REAL = 'test/real/test-agent.ts';
const TERMINAL = 'test/real/terminal.test.ts';

/**
 * What was found wrong with acting in the field, and the tests that fail if it comes back: their
 * files and parts of their titles.
 */
const FINDINGS: Readonly<Record<string, [file: string, title: string][]>> = {
  'A1 the call that would show that the advice worked is refused': [
    [ACTING, 'A1: the call that would show that the recovery worked runs'],
    [ACTING, 'twin: without it, the fifth is refused'],
    [LIVING, 'A1: the call that would show that the advice worked runs'],
    [REAL, 'what it mended is run, and it hears no more'],
  ],
  'A2 in the proxy a refusal never ends': [
    [ACTING, 'A2: where only a part of the world is seen, a refusal ends by itself'],
    [LIVING, 'a log that is looked at every three seconds'],
    [LIVING, 'twin: while it stays the same, it is let through at growing intervals'],
  ],
  'A3 a stop looks like success': [
    [ACTING, 'A3: before a stop that nobody is asked about, the agent is asked for its report'],
    [ACTING, 'twin: who gets out of it after all is not stopped'],
    [REAL, 'is told, helped, refused and stopped, as far as it lets itself, when it insists'],
  ],
  'A4 mute after a stop': [
    [ACTING, 'A4: after a stop and a word of a person'],
    [ACTING, 'twin: who heeds the person hears nothing'],
    [REAL, 'is told again, two rungs below, when a person has looked and it goes on'],
    [TERMINAL, 'told to go on, it begins two rungs below'],
  ],
  'A5 the weakest note wins': [
    [ACTING, 'A5: of several true statements the surest is said'],
    [REAL, 'is told the surest of what is true when it edits to and fro between checks (A5)'],
  ],
  'A6, A7 the order after a refusal, and a call that did run': [
    [ACTING, 'A6, A7: in order, and true'],
  ],
  'A8 nobody is told that it is Unrut': [
    ['test/generated.test.ts', 'every text names Unrut once'],
    [
      'test/hook/person.process.test.ts',
      'what reaches a person names Unrut, and the commands that tell more',
    ],
    [
      TERMINAL,
      'shows nothing of Unrut while work gets on, then what was said of a loop and how it ended',
    ],
  ],
  'A9 sentences about people who are not there': [
    [ACTING, 'A9: a person is being asked only where one is'],
  ],
  'A10, A11 walls missed and invented': [
    [LIVING, 'A10, A11: a wall is one by what is on the page'],
    [LIVING, 'twin: the same click on a form with a CAPTCHA is one'],
  ],
  'A12 on a login page every failure is a wall': [
    [THIRTY, '6 a wrong selector on a login page'],
    [THIRTY, '5 a login that does not let in'],
  ],
  'A13 the order at a wall': [
    [
      'src/candidates/rank.test.ts',
      'an auth wall or CAPTCHA: no click, typing or retry is offered, handing over is',
    ],
  ],
  'A14 an open dialog': [
    [
      LIVING,
      "A14: an open dialog in Chrome's own server is closed by the tool that the server names",
    ],
    [THIRTY, '12 '],
    [THIRTY, '13 '],
  ],
  'A15 every network error is waited for': [
    [LIVING, 'is not waited for'],
    [
      'test/mcp/stuck-in-browser.browser.test.ts',
      'a page that is too slow: the first candidate waits for it, and it comes',
    ],
  ],
  'A16 arguments that the schema does not know': [
    [LIVING, 'A16: every candidate with a tool can be called as it is offered'],
  ],
  'A17 the wrong tool': [
    [LIVING, 'A17: no tool that its server calls deprecated is offered'],
    ['src/candidates/hints.test.ts', 'a tool that the error itself names comes first'],
  ],
  'A18 the destructive gate': [
    [LIVING, 'A18: a key may be pressed where a click does nothing'],
    [
      'src/candidates/rank.test.ts',
      'where the thing acted on deletes, pays or sends, nothing that acts is offered',
    ],
  ],
  'A19 a covered element': [[LIVING, 'A19: what covers the element is named, and to be closed']],
  'A20 candidates come late and go early': [
    [
      LIVING,
      'A20: candidates come with the first note, and are still there when the call is refused',
    ],
    [
      'test/recoveries.test.ts',
      'again where nobody is asked and nothing can be stopped: the best move alone',
    ],
  ],
  'A21, A22 sentences that a model cannot use': [
    ['test/recoveries.test.ts', 'wording is behaviour'],
    [
      'test/generated.test.ts',
      'every text names Unrut once, or is the one whose words are fixed, and is short enough',
    ],
  ],
  'M1 the old transport is not watched': [
    [
      'test/mcp/http.process.test.ts',
      'the oldest transport, HTTP with server-sent events, is watched too',
    ],
  ],
  'M2 the model of Claude Code never sees a note': [
    [EXCHANGE, 'is chosen by what the client calls itself'],
    ['test/real/claude-code.test.ts', 'hears the note that stands beside a result'],
    ['test/real/claude-code.test.ts', 'twin: hears nothing when it reads one file after the other'],
  ],
  'M3 the Inspector cannot read an installed config': [
    ['test/real/mcp-inspector.test.ts', 'takes a config into which the proxy was put (M3)'],
  ],
  'M5 a config in YAML': [
    [
      'test/mcp/install-mcp.process.test.ts',
      'a config in YAML is said to be that, not to be broken',
    ],
  ],
  'M6 a noted result is written anew': [
    [
      EXCHANGE,
      'keeps every other byte: names that are there twice, escapes, blanks, the end of the line',
    ],
  ],
  'M7 the count of patches': [
    [EXCHANGE, 'a widget that is patched gets the count from the first patch on, and nothing else'],
    [EXCHANGE, 'twin: a file that is edited does not'],
  ],
  'M8 walls that are too easy': [[LIVING, 'A10, A11: a wall is one by what is on the page']],
  'the thirty failures': [[THIRTY, 'const THIRTY']],
  'J12 productive work in a browser is refused': [
    [LIVING, 'J12: work in a browser gets a note at most'],
    [LIVING, 'twin: a button that does nothing is told of'],
    [ACTING, 'J12: an act whose receipt says nothing gets at most a note'],
  ],
  'J17, J42 different questions with the same no': [
    [ACTING, 'get at most a hint'],
    [ACTING, 'twin: one search that finds nothing, over and over, is stopped'],
    [KINDS, 'J17, J42: different questions with the same "no"'],
    [REAL, 'works a day that gets on'],
  ],
  'J30, J41 polls': [
    [KINDS, 'J30, J41: a poll is known by its answer'],
    [REAL, 'works a day that gets on'],
  ],
  'J43 edit and test': [
    [
      ACTING,
      'J43: different edits and the same test, red each time, are never stopped nor refused',
    ],
    [ACTING, 'twin: the same red test without any edit is stopped'],
    [REAL, 'works a day that gets on'],
  ],
  'J49 the pace of the ladder': [
    [ACTING, 'J49: the pace of the ladder'],
    [ACTING, 'what goes forward in between puts the stop off'],
  ],
};

test.each(Object.entries(FINDINGS))('%s', (_, tests) => {
  for (const [file, title] of tests)
    expect(readFileSync(join(root, file), 'utf8'), file).toContain(title);
});
