import { isQuestion, type OutcomeRule, SHORT } from './outcome.ts';
import {
  badEnds,
  complains,
  displays,
  endsInStack,
  endsWithoutFailure,
  failureSigns,
  printsOwnText,
  shows,
  wentOn,
} from './shell-output.ts';
import * as words from './words.ts';

/** What an edit tool answers is at most this long; some show the edited lines. */
const LONG_RECEIPT = 4000;

/** What a tool says of a file that it could not read has few lines, or begins with an exception. */
const MAX_FILE_ERROR = 3;

/** What the tool says in words, and last what the output of a command looks like. */
export const textRules: readonly OutcomeRule[] = [
  {
    name: 'file-tool-says-so',
    when: ({ facts, head, firstLines }) =>
      facts.file &&
      (firstLines.length <= (facts.shell ? 1 : MAX_FILE_ERROR) ||
        (!facts.shell && words.EXCEPTION.test(head))) &&
      (words.FILE_TOOL_SAYS_SO.test(head) || words.FAILED_ACT.test(head)),
    gives: 'yes',
    why: 'error-text',
  },
  {
    name: 'file-content',
    when: ({ facts, content }) => facts.file && content.length > SHORT,
    gives: 'no',
    why: 'error-text',
    inferred: true,
  },
  {
    name: 'refused-edit',
    when: ({ facts, head, content }) =>
      facts.verb === 'write' &&
      !facts.shell &&
      content.length <= LONG_RECEIPT &&
      words.REFUSED_EDIT.test(head) &&
      !words.DONE.test(head),
    gives: 'yes',
    why: 'refusal',
  },
  {
    name: 'none-failed',
    when: ({ head }) => words.NONE.test(head),
    gives: 'no',
    why: 'error-text',
  },
  {
    name: 'temporary-condition',
    when: ({ facts, head }) => !facts.file && head.length <= SHORT && words.TRANSIENT.test(head),
    gives: 'yes',
    why: 'error-text',
  },
  {
    name: 'own-complaint',
    when: (evidence) => evidence.facts.shell && complains(evidence),
    gives: 'yes',
    why: 'error-text',
  },
  {
    name: 'shown-text',
    when: (evidence) =>
      (displays(evidence) &&
        (evidence.facts.file ||
          evidence.content.length > SHORT ||
          words.COMMIT.test(evidence.head))) ||
      printsOwnText(evidence),
    gives: 'no',
    why: 'error-text',
    inferred: true,
  },
  {
    name: 'bad-end',
    when: (evidence) => evidence.facts.shell && !displays(evidence) && shows(evidence, badEnds),
    gives: 'yes',
    why: 'error-text',
  },
  {
    name: 'no-failures-counted',
    when: (evidence) => evidence.facts.shell && endsWithoutFailure(evidence),
    gives: 'no',
    why: 'error-text',
  },
  {
    name: 'found-similar',
    when: (evidence) => isQuestion(evidence) && words.FOUND_SIMILAR.test(evidence.head),
    gives: 'no',
    why: 'error-text',
  },
  {
    name: 'went-on',
    when: (evidence) => evidence.facts.shell && wentOn(evidence),
    gives: 'no',
    why: 'error-text',
    inferred: true,
  },
  {
    name: 'says-so-first',
    when: ({ facts, head }) =>
      !facts.file && (words.SAYS_SO.test(head) || words.FAILED_ACT.test(head)),
    gives: 'yes',
    why: 'error-text',
  },
  {
    name: 'says-so-in-first-line',
    when: ({ facts, content, head, firstLines }) =>
      content.length <= 400 &&
      (!facts.shell || firstLines.length === 1) &&
      words.SAYS_LATER.test(head),
    gives: 'yes',
    why: 'error-text',
  },
  {
    name: 'says-it-cannot',
    when: ({ facts, content, head }) =>
      !facts.shell && !facts.file && content.length <= 400 && words.CANNOT.test(head),
    gives: 'yes',
    why: 'error-text',
  },
  {
    name: 'says-what-is-required',
    when: ({ facts, content, head }) =>
      !facts.shell &&
      facts.verb !== 'read' &&
      content.length <= SHORT &&
      words.REQUIRES.test(head) &&
      !words.DONE.test(head),
    gives: 'yes',
    why: 'validation',
  },
  {
    name: 'too-much-to-show',
    when: ({ facts, content, head }) =>
      !facts.shell && content.length <= 400 && words.TOO_MUCH.test(head),
    gives: 'yes',
    why: 'refusal',
  },
  {
    name: 'says-done',
    when: ({ facts, head, content }) =>
      !facts.shell &&
      content.length <= LONG_RECEIPT &&
      words.DONE.test(head) &&
      !words.CROSSED.test(head),
    gives: 'no',
    why: 'error-text',
  },
  {
    name: 'failing-output',
    when: (evidence) =>
      evidence.facts.shell &&
      !displays(evidence) &&
      (shows(evidence, failureSigns) || endsInStack(evidence)),
    gives: 'yes',
    why: 'error-text',
    inferred: true,
  },
  {
    name: 'answer',
    when: ({ facts, content }) => !facts.shell && facts.verb === 'read' && content.trim() !== '',
    gives: 'no',
    why: 'error-text',
    inferred: true,
  },
];
