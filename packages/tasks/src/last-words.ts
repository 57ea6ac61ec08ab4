import { plainOutput } from '@unrut/engine/fingerprint';

/** A longer output is more than an error message. */
const MAX_ERROR_LENGTH = 600;
const ERROR =
  /^\W*(?:(?:(?:api|fatal|internal|unhandled|uncaught|server|network|request|connection|authentication|execution|unexpected) ){0,2}(?:error|exception)\b\s*[:(\d]|fatal:|panic:|credit balance is too low|invalid api key|(?!(?:I |we )?(?:have |also |now ){0,2}(?:[a-z]+ed|wrote)\b).{0,40}\b(?:rate limit|quota|usage limit)\b.{0,40}\b(?:exceeded|reached)\b)/i;

const ASKS =
  /(?:[[(]\s*y(?:es)?\s*[/|]\s*no?\b.{0,12}[\])]|\bpress (?:enter|return|any key)\b|\b(?:password|passphrase|enter your [\w ]{1,30}|username)\s*:|\bcontinue\?)\s*:?\s*>?$/i;

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)?.trim() ?? '';

/** The error message, if the output contains nothing else. */
export function errorTextIn(output: string): string | undefined {
  const text = plainOutput(output).trim();
  return text.length <= MAX_ERROR_LENGTH && ERROR.test(text) ? text.split('\n', 1)[0]! : undefined;
}

/** The question at the end of an output that waits for input. */
export function questionIn(output: string): string | undefined {
  const line = lastLine(plainOutput(output));
  return ASKS.test(line) ? line : undefined;
}

/** Markup around the promise, including tags, that is ignored. */
const AROUND = String.raw`(?:[\s*_\`"'#>.!-]|</?[\w-]+>)*`;
const bare = (line: string): string => line.replace(new RegExp(`${AROUND}$`), '');

/**
 * Whether the output ends with the promise: at the end of its last non-empty line, which must not
 * be a copy of a line of the prompt.
 */
export function isPromised(output: string, promise: string, prompt: string): boolean {
  return endsWithPromise(lastLine(plainOutput(output)), promise, prompt);
}

/** Whether the promise ends a line that is not the last. */
export const isPromisedTooEarly = (output: string, promise: string, prompt: string): boolean =>
  plainOutput(output)
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .some((line) => endsWithPromise(line, promise, prompt));

function endsWithPromise(given: string, promise: string, prompt: string): boolean {
  const line = bare(given.trim());
  const wanted = bare(promise);
  if (wanted === '' || !line.endsWith(wanted) || /\w/.test(line.at(-wanted.length - 1) ?? ''))
    return false;
  const isAlone =
    line.replace(new RegExp(`^${AROUND}`), '') === wanted.replace(new RegExp(`^${AROUND}`), '');
  return isAlone || !prompt.split('\n').some((each) => bare(each.trim()) === line);
}

const CLAIM =
  /\b(?:(?:task|work|everything|all|it|this|that|implementation|fix) (?:is |are |has been |have been )?(?:now )?(?:done|complete[d]?|finished|fixed|working|green)|all (?:the )?(?:tests|checks) (?:now )?(?:pass|are passing|are green)|I(?:'m| am|'ve| have) (?:now )?(?:done|finished|completed)|^done)\b/i;
const NO_CLAIM = /\b(?:not|n't|isn't|almost|nearly|once|when|until|if|before|after)\b/i;

/** Whether the last line of the output claims that everything is done. */
export function claimsDone(output: string): boolean {
  const line = lastLine(plainOutput(output));
  return CLAIM.test(line) && !NO_CLAIM.test(line);
}
