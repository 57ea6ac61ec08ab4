import { isQuestion, type OutcomeEvidence, type OutcomeRule, SHORT } from './outcome.ts';
import { hasError, saysSomething, statusWord } from './record.ts';
import * as words from './words.ts';

/** Programs whose exit code 1 is an answer, not an error. */
const ANSWERS_BY_EXIT_CODE =
  /^(?:[efpz]?grep|rg|ag|ack|diff|cmp|test|git (?:diff|grep)|which|command|type|\[\[?)$/;
const COMPARES = /^(?:diff|cmp|git diff)$/;

/** Longer file contents are never searched for refusals. */
const isLongFile = ({ facts, content }: OutcomeEvidence): boolean =>
  facts.file && content.length > SHORT;

/** The last line of a check that passed; what failed before was expected. */
const PASSED = /^(?:ok\s+\S|PASS\b|\W*all (?:\w+ )?(?:tests|checks|files) pass)/i;

const isStrictlyOf = (evidence: OutcomeEvidence, pattern: RegExp): boolean =>
  pattern.test(evidence.head) || pattern.test(evidence.tail);

/** Who rejected the call, what the host says, and what the envelope and the fields state. */
export const statedRules: readonly OutcomeRule[] = [
  {
    name: 'rejected-by-user-or-host',
    when: ({ facts: { refusedBy } }) =>
      refusedBy === 'user' || refusedBy === 'host' || refusedBy === 'unrut',
    gives: 'yes',
    why: 'denial',
  },
  {
    name: 'rejected-call',
    when: ({ facts: { refusedBy } }) => refusedBy !== undefined,
    gives: 'yes',
    why: 'validation',
  },
  {
    name: 'answer-by-exit-code',
    when: ({ facts, flag, exitCode, content }) =>
      facts.shell &&
      ANSWERS_BY_EXIT_CODE.test(facts.tool) &&
      (exitCode === 1 || (exitCode === undefined && flag === true)
        ? COMPARES.test(facts.tool) || words.NO_WORD.test(content)
        : exitCode === undefined && words.ONLY_FAILED.test(content)),
    gives: 'no',
    why: 'exit-code',
  },
  { name: 'host-flag', when: ({ flag }) => flag === true, gives: 'yes', why: 'flag' },
  {
    name: 'exit-code',
    when: ({ exitCode, exitFrom }) => exitFrom === 'host' && exitCode !== 0,
    gives: 'yes',
    why: 'exit-code',
  },
  {
    name: 'stated-exit-code',
    when: ({ facts, flag, exitCode, exitFrom }) =>
      exitCode !== undefined &&
      exitCode !== 0 &&
      (exitFrom === 'envelope'
        ? facts.shell || !facts.file
        : exitFrom === 'text' && flag !== false && !facts.file),
    gives: 'yes',
    why: 'exit-code',
  },
  {
    name: 'failing-check',
    when: ({ facts, failures, lastLines }) =>
      facts.verb === 'verify' && (failures ?? 0) > 0 && !PASSED.test(lastLines[0] ?? ''),
    gives: 'yes',
    why: 'error-text',
  },
  {
    name: 'error-tag',
    when: ({ isTagged, flag }) => isTagged && flag !== false,
    gives: 'yes',
    why: 'error-text',
  },
  {
    name: 'refused-change',
    when: (evidence) => !isLongFile(evidence) && isStrictlyOf(evidence, words.REFUSED),
    gives: 'yes',
    why: 'refusal',
  },
  {
    name: 'status-field',
    when: ({ record }) =>
      record !== null &&
      /^(?:error|failed|failure|errored)$/.test(statusWord(record)) &&
      (hasError(record) || saysSomething(record.message) || saysSomething(record.reason)) &&
      !hasAnswer(record),
    gives: 'yes',
    why: 'status-field',
  },
  {
    name: 'said-to-be-fine',
    when: ({ facts, flag, exitCode }) =>
      (flag === false || exitCode === 0) &&
      !(facts.muted && (facts.verb === 'execute' || facts.verb === 'verify')),
    gives: 'no',
    why: 'flag',
  },
  {
    name: 'user-rejected-in-words',
    when: ({ head }) => words.DENIED_BY_USER.test(head),
    gives: 'yes',
    why: 'denial',
  },
  {
    name: 'rejected-in-words',
    when: ({ facts, head, content }) =>
      (!facts.file || content.length <= SHORT) && words.REJECTED_CALL.test(head),
    gives: 'yes',
    why: 'validation',
  },
  {
    name: 'false-field',
    when: (evidence) =>
      evidence.record !== null &&
      (['ok', 'success', 'accepted', 'succeeded'].some(
        (name) => evidence.record![name] === false,
      ) ||
        evidence.record.iserror === true ||
        (!isQuestion(evidence) &&
          ['approved', 'valid', 'allowed'].some((name) => evidence.record![name] === false))),
    gives: 'yes',
    why: 'status-field',
  },
  {
    name: 'false-field-of-python',
    when: ({ facts, head, tail }) =>
      !facts.file && /^\s*\{/.test(head) && words.PYTHON_FALSE.test(tail || head),
    gives: 'yes',
    why: 'status-field',
  },
  {
    name: 'denying-status',
    when: (evidence) =>
      evidence.record !== null &&
      !isQuestion(evidence) &&
      /^(?:error|failed|failure|errored|rejected|refused|declined|denied|[45]\d\d)$/.test(
        statusWord(evidence.record),
      ),
    gives: 'yes',
    why: 'status-field',
  },
  {
    name: 'true-field',
    when: ({ record }) =>
      record !== null &&
      !hasError(record) &&
      (record.ok === true || record.success === true || record.iserror === false),
    gives: 'no',
    why: 'status-field',
  },
  {
    name: 'error-field',
    when: ({ record }) =>
      record !== null && hasError(record) && record.success !== true && record.ok !== true,
    gives: 'yes',
    why: 'status-field',
  },
];

/** Besides a status, the object has an answer of its own: it describes something that failed. */
const hasAnswer = (record: { [name: string]: unknown }): boolean =>
  ['id', 'items', 'results', 'rows', 'name', 'createdat', 'jobs', 'runs'].some(
    (name) => record[name] !== undefined,
  ) && !hasError(record);
