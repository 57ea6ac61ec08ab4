import { lazily } from '../lazily.ts';

/** Whether a run of characters looks like a secret: a known token, or too random to be a name. */

const COMMON_PAIRS =
  'abacadagaialamanaparasatbabeblbucacechcickclcocrctcudadedidodseaecedeeefelemeneperesetevexfafefffifofrgegihahehihoiaicidieifigilim' +
  'inioipirisitivizkelaldlelilllolsltlymamemimompnancndnenfngninonsntobocodolomonoooporosotouovowpapepiplpoppprptqurarcrdrerirmrnrorr' +
  'rsrtsascseshsisospssstsutatctethtitltotrtstttutyubueulumunupurusutvaveviwawixtze';

/**
 * The 170 letter pairs that make up 85 % of the words in source code and prose, counted over this
 * project and the libraries of Python and Go.
 */
const isCommonPair = lazily(() => {
  const common = new Uint8Array(26 * 26);
  for (let i = 0; i < COMMON_PAIRS.length; i += 2) {
    common[(COMMON_PAIRS.charCodeAt(i) - 97) * 26 + COMMON_PAIRS.charCodeAt(i + 1) - 97] = 1;
  }
  return common;
});

/** Prefixes that services give their tokens, each with the minimum that must follow. */
const KNOWN =
  /(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12}|gh[pousr]_\w{16}|github_pat_\w{16}|gl(?:pat|dt|rt|ptt)-[\w-]{12}|xox[a-z]-[\w-]{8}|xapp-[\w-]{8}|(?<![A-Za-z0-9])sk-(?=[\w-]{0,40}[A-Z0-9])[\w-]{16}|(?:sk|rk|pk)_(?:live|test)_\w{8}|whsec_\w{8}|AIza[\w-]{30}|npm_[A-Za-z0-9]{30}|pypi-[\w-]{30}|hf_[A-Za-z0-9]{30}|dop_v1_[a-f0-9]{30}|shp(?:at|ca|pa|ss)_[a-f0-9]{24}|unrut_[0-9a-f]{12}_[\w-]{12}/;

/** Where a known token begins in a run of token characters, or -1. */
export const knownTokenAt = (run: string): number => run.search(KNOWN);

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const ROOT =
  /^\/(?:home|users|tmp|var|usr|opt|etc|root|private|workspaces?|work|app|mnt|nix|library|src|data|srv|lib|bin|build|repo|proc|sys|dev)\//i;
/** From this length on, a string is too long to be typed by hand. */
const LONG = 24;
/**
 * Measured: of 54,000 long names and paths in real trees, 30 score lower; of random strings of 24
 * characters, 0.4 % score higher.
 */
const WORDLIKE = 0.5;

/**
 * Whether a run of letters, digits and `_ - + /` is long and random: not a path, a UUID, a git hash
 * or a name made of words.
 */
export function isRandom(run: string): boolean {
  if (run.length < LONG) return false;
  if (ROOT.test(run)) return run.split('/').some((part) => isRandom(part));
  const rest = run.includes('-') ? run.replace(UUID, '-') : run;
  if (rest.length < LONG) return false;
  const kinds = kindsOf(rest);
  if (kinds === MIXED) return wordlike(rest) < WORDLIKE;
  if (kinds === (LOWER | UPPER)) return humps(rest) >= 2 && wordlike(rest) < WORDLIKE;
  return kinds > DIGIT && rest.split(/[-_+/]/).some(isRandomPart);
}

/**
 * With one case and digits, only parts without separators count, because names with numbers are
 * common.
 */
function isRandomPart(part: string): boolean {
  if (part.length < LONG || kindsOf(part) <= DIGIT) return false;
  if (/^[0-9a-f]+$/i.test(part)) return part.length !== 40 && digitsIn(part) >= 4;
  return wordlike(part) < WORDLIKE;
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
const MIXED = LOWER | UPPER | DIGIT;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : 0;
}

function kindsOf(text: string): number {
  let kinds = 0;
  for (let i = 0; i < text.length; i++) kinds |= kindOf(text.charCodeAt(i));
  return kinds;
}

function digitsIn(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (kindOf(text.charCodeAt(i)) === DIGIT) count++;
  return count;
}

/** How many times a capital follows a capital. In names, that happens only in abbreviations. */
function humps(text: string): number {
  let count = 0;
  for (let i = 1; i < text.length; i++) {
    if (kindOf(text.charCodeAt(i)) === UPPER && kindOf(text.charCodeAt(i - 1)) === UPPER) count++;
  }
  return count;
}

/**
 * The share of neighbouring letter pairs that are common in words. Each group of digits counts
 * against it.
 */
function wordlike(text: string): number {
  let pairs = 0;
  let good = 0;
  let kind = 0;
  let code = 0;
  let capitals = false;
  const common = isCommonPair();
  for (let i = 0; i < text.length; i++) {
    const nextCode = text.charCodeAt(i);
    const next = kindOf(nextCode);
    if (kind === 0) capitals = isConstant(text, i);
    if (next === DIGIT && kind !== DIGIT) pairs++;
    // A capital after a lower-case letter begins a new word, so the pair does not count.
    if (
      kind !== 0 &&
      kind !== DIGIT &&
      (next === UPPER || next === LOWER) &&
      !(kind === LOWER && next === UPPER)
    ) {
      pairs++;
      if ((next === LOWER || capitals) && common[((code | 32) - 97) * 26 + (nextCode | 32) - 97])
        good++;
    }
    kind = next;
    code = nextCode;
  }
  return pairs === 0 ? 0 : good / pairs;
}

/**
 * Whether the part that begins here, up to the next separator, has no lower-case letter, as in
 * MAX_RETRIES.
 */
function isConstant(text: string, start: number): boolean {
  for (let i = start; i < text.length; i++) {
    const kind = kindOf(text.charCodeAt(i));
    if (kind === LOWER) return false;
    if (kind === 0) break;
  }
  return true;
}
