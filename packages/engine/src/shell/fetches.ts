import type { Verb } from '../prints.ts';
import {
  type Deed,
  deed,
  has,
  hasLetter,
  type Invocation,
  operands,
  options,
  type ProgramRule,
} from './deed.ts';

/** Programs that fetch or send something over HTTP. */

const CURL_OPTIONS = options(
  '-X --request -H --header -d --data --data-raw --data-binary --data-urlencode -F --form -o --output -u --user -A --user-agent -m --max-time --connect-timeout --retry --retry-delay -w --write-out -b --cookie -c --cookie-jar -T --upload-file -e --referer -x --proxy --cacert --cert --key -K --resolve --url',
);
const SENDS = [
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-urlencode',
  '-F',
  '--form',
  '-T',
  '--upload-file',
  '--json',
];
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.|0\.0\.0\.0|\[::1\])/;

export const curl: ProgramRule = (run) => {
  const method = run.words.findIndex((word) => word === '-X' || word === '--request');
  const asked = method > 0 ? (run.words[method + 1] ?? '').toUpperCase() : '';
  const sends =
    (asked !== '' && asked !== 'GET' && asked !== 'HEAD') || (asked === '' && has(run, ...SENDS));
  const output = run.words.findIndex(
    (word) => word === '-o' || word === '--output' || /^-[a-zA-Z]*o$/.test(word),
  );
  const file = output > run.at ? run.words[output + 1] : undefined;
  const saves =
    (file !== undefined && file !== '-' && !file.startsWith('/dev/')) ||
    hasLetter(run, 'O') ||
    has(run, '--remote-name');
  return fetched(run, sends || saves ? 'write' : 'read', operands(run, CURL_OPTIONS));
};

const WGET_OPTIONS = options('-O -o -P -T -t --header --post-data');
export const wget: ProgramRule = (run) => {
  const prints =
    run.words.some(
      (word, i) =>
        /^-[a-zA-Z]*O-$/.test(word) || (/^-[a-zA-Z]*O$/.test(word) && run.words[i + 1] === '-'),
    ) || has(run, '--spider');
  return fetched(run, prints ? 'read' : 'write', operands(run, WGET_OPTIONS));
};

export const httpie: ProgramRule = (run) => {
  const sends = run.words.some(
    (word) => /^(?:POST|PUT|PATCH|DELETE)$/.test(word) || /^\w+:?=/.test(word),
  );
  return fetched(run, sends ? 'write' : 'read', operands(run));
};

function fetched(run: Invocation, verb: Verb, found: readonly number[]): Deed {
  const urls = found
    .map((index) => run.words[index]!)
    .filter((word) => word.includes('.') || word.includes(':') || word.includes('/'));
  const url = urls.at(-1) ?? null;
  // A local server is probably the one being worked on.
  const wide = url === null || LOCAL.test(url);
  return deed(run.name, verb, { url, wide, look: verb === 'read' && url !== null && wide });
}
