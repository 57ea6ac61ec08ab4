import { filesIn } from './file-names.ts';
import { hyphenated, maskNoise, slug, tag } from './gist.ts';

/** The tests that an output reports as failing. */
export interface FailingTests {
  /** As `file:name` or `name`, sorted, without duplicates. */
  names: string[];
  /** Hash of the expected and actual values; empty if the output does not show them. */
  reason: string;
  /** Headings of failing files and short names, which may tell equal names apart. */
  beside: string[];
}

/** How test runners report one failing test. The first group is its name. */
const FULL_NAMES = [
  /^FAIL\s+(?:\|.+?\|\s+)?(\S+ > .+)$/, // vitest
  /^●\s+(?!Console\b)(.+)$/, // jest
  /^(?:FAILED|ERROR)\s+(\S+\.py(?:::.+?)?)(?:\s+-\s.*)?$/, // pytest
  /^(?:FAIL|ERROR): (\w+ \([\w.]+\))/, // unittest
  /^--- FAIL: (\S+)/, // go
  /^test (\S+) \.\.\. FAILED$/, // cargo
  /^not ok \d+\s*-?\s*(.+?)(?:\s+#.*)?$/, // TAP
  /^(\S.* > .+?) FAILED$/, // gradle
  /^\[ERROR\]\s+(\w+\.\w+):\d+/, // maven
  /^Failed (\S+) \[/, // dotnet
  /^rspec (\S+ # .+)$/, // rspec
  /^\d+\) (\w+::\w+)/, // phpunit
];
/** Used only if no full name is found. */
const SHORT_NAMES = [
  /^[×✕✗✖✘]\s+(?!\d+ problem|.*\b(?:Error|Exception):\s)(.+)$/,
  /^FAIL\s+(\S+)/,
  /^\d+\) (.+?):?$/,
];
const DURATION = /\s+\(?\d+(?:\.\d+)?\s?m?s\)?$/;
const REASON =
  /^(?:E\s+)?(?:\w*Assertion\w*(?:Error|Failed)?\b|assert\b|Expected\b|Received\b|expected\b|received\b|left:|right:|got\b|want\b|actual\b)|^\S+_test\.go:\d+:\s/i;
const MAX = 100;

/** Reads the reports of common test runners, and lists in prose. */
export function failingTests(lines: readonly string[]): FailingTests {
  const full = new Set<string>();
  const short = new Set<string>();
  const reasons: string[] = [];
  for (const raw of lines) {
    const line = raw.trim();
    if (line === '') continue;
    const name = firstMatch(FULL_NAMES, line);
    if (name !== null && full.size < MAX) full.add(testName(name));
    const brief = name === null ? firstMatch(SHORT_NAMES, line) : null;
    if (brief !== null && short.size < MAX) short.add(testName(brief));
    if (reasons.length < 24 && REASON.test(line))
      reasons.push(maskNoise(line.replace(/^E\s+/, '')));
  }
  const names = full.size > 0 ? full : short;
  const reason = names.size > 0 && reasons.length > 0 ? tag(reasons.join('\n')) : '';
  return {
    names: names.size > 0 ? [...names].sort() : inProse(lines),
    reason,
    beside: [...short].sort(),
  };
}

function firstMatch(patterns: readonly RegExp[], line: string): string | null {
  for (const pattern of patterns) {
    const match = pattern.exec(line);
    if (match) return match[1]!;
  }
  return null;
}

function testName(text: string): string {
  const plain = text.replace(DURATION, '');
  const file = filesIn(plain)[0];
  if (file?.start !== 0) return hyphenated(plain, 12);
  const rest = hyphenated(plain.slice(file.end).replace(/^:\d+/, ''), 12);
  return rest === '' ? file.name : `${file.name}:${rest}`;
}

const IN_PROSE = /\bfail(?:ed|ing|s|ures?)?\b\s*(?::|[-–—]|\()\s*(\S.*)$/i;

/** `2 failed: auth.test.ts - login test timeout, logout test assertion`. */
function inProse(lines: readonly string[]): string[] {
  for (const line of lines) {
    const match = IN_PROSE.exec(line);
    if (match === null || !/\d/.test(line.slice(0, match.index))) continue;
    const listed = match[1]!.replace(/[.!?)](?:\s.*)?$/, '');
    const file = filesIn(listed)[0];
    const named =
      file?.start === 0 ? listed.slice(file.end).replace(/^\s*(?:[-–—:]|\()\s*/, '') : listed;
    const names = named
      .split(/\s*(?:,|;|\band\b)\s*/)
      .map((name) => slug(maskNoise(name).replace(/\b(?:tests?|the|an?)\b/gi, ' '), 6))
      .filter((name) => name !== '');
    const list = [...new Set(names)].slice(0, MAX).sort();
    if (file?.start !== 0) return list;
    return list.length === 0 ? [file.name] : [`${file.name}:${list[0]}`, ...list.slice(1)];
  }
  return [];
}
