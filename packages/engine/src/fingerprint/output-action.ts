import { filesIn } from './file-names.ts';
import { listed, maskNoise, slug } from './gist.ts';

const STEMS =
  'modif|chang|updat|fix|edit|add|remov|delet|creat|refactor|renam|replac|mov|extract|implement|introduc|improv|patch|adjust|simplif|clean|rework|correct|convert|migrat|revert|appl|extend|restructur|optimi[sz]|document|handl|wrapp|inlin|split|merg';
/** Past tense; other forms only after `by` (`by adding …`). */
const VERB = new RegExp(
  `\\b(?:(?:${STEMS})(?:ed|d|ied)|wrote|rewrote|rewritten|split|(?<=\\bby )(?:${STEMS})(?:y?ing))\\b`,
  'gi',
);
/** These words before a verb mean that it did not happen. */
const NOT_DONE =
  /\b(?:not|never|without|would|should|could|will|must|need|needs|todo|to be|no)\b[^,;:]{0,20}$|n't\b[^,;:]{0,20}$/i;
const STOP =
  /^(?:for|in|to|at|of|on|from|with|by|line|lines|so|that|when|which|because|and|into|using|via|as|before|after|where|if|while|is|was|has|have|been|but|now)$/;
const ARTICLE = /^(?:the|a|an|this|these|those|some|its|their|my|our|file|files|new)$/;
const PRONOUN = /^(?:I|i|we|you|it|they|he|she|I've|we've|also|then|successfully|just|-|–|—)$/i;
const PURPOSE = /^\W*(?:file\W+)?(?:to|so that|by)\s+(\w[^,.;:()]{2,80})/i;
const MAX_OBJECT = 4;

/**
 * What an output says was done to which files: `auth.ts:null-check:added`; null if it names no
 * changed file.
 */
export function changeIn(text: string): string | null {
  const files = new Set<string>();
  const done: string[] = [];
  const only: string[] = [];
  for (const sentence of text.split(/\n+|(?<=[.!?;])\s+/)) {
    const verbs = [...sentence.matchAll(VERB)].filter(
      ({ index }) => !NOT_DONE.test(sentence.slice(Math.max(0, index - 40), index)),
    );
    if (verbs.length === 0) continue;
    for (const { name } of filesIn(sentence)) if (files.size < 20) files.add(name);
    for (const verb of verbs.slice(0, 8)) {
      const past = verb[0].toLowerCase().replace(/ying$/, 'ied').replace(/ing$/, 'ed');
      const object =
        objectOf(sentence.slice(verb.index + verb[0].length)) ||
        subjectOf(sentence.slice(0, verb.index));
      if (object === '') only.push(past);
      else if (done.length < 20) done.push(`${object}:${past}`);
    }
  }
  if (files.size === 0) return null;
  return `${listed([...files], 3)}:${listed(done.length > 0 ? [...new Set(done)] : [only[0]!], 3)}`;
}

/**
 * The words that a verb refers to, without articles and files. If it refers to a file, the purpose
 * of the change.
 */
function objectOf(after: string): string {
  const words: string[] = [];
  let rest = after;
  while (words.length < MAX_OBJECT) {
    const next = /^[\s`"'*_]*([\p{L}\p{N}_$@./\\-]+)/u.exec(rest);
    if (next === null) break;
    const word = next[1]!;
    if (filesIn(word).length > 0) {
      const purpose = words.length === 0 ? PURPOSE.exec(rest.slice(next[0].length)) : null;
      return purpose ? slug(maskNoise(purpose[1]!), MAX_OBJECT) : words.join('-');
    }
    rest = rest.slice(next[0].length);
    if (STOP.test(word.toLowerCase()) || !/[\p{L}]/u.test(word)) break;
    if (!ARTICLE.test(word.toLowerCase())) words.push(slug(word, 2));
  }
  return words.join('-');
}

/** `Null check added`: the words before the verb, used if none follow it. */
function subjectOf(before: string): string {
  const words: string[] = [];
  for (const word of (/[^,;:.!?()]*$/.exec(before)![0].match(/\S+/g) ?? []).slice(-3)) {
    if (STOP.test(word.toLowerCase()) || PRONOUN.test(word) || filesIn(word).length > 0)
      words.length = 0;
    else if (!ARTICLE.test(word.toLowerCase()) && /^[\p{L}\p{N}_'-]+$/u.test(word))
      words.push(slug(word, 2));
  }
  return words.join('-');
}

const SEARCH =
  /\b(?:search(?:ed|ing)?|googled|looked up|looking up|quer(?:ied|ying)|grepp?(?:ed|ing)?)\b([^\n]{0,240})/i;

/** What an output says was searched for: `oauth2-refresh-token`; null if nothing was. */
export function searchIn(text: string): string | null {
  const match = SEARCH.exec(text);
  if (match === null) return null;
  const quoted = /["'`“‘]([^"'`”’]{2,120})["'`”’]/.exec(match[1]!);
  const plain =
    quoted ??
    /\bfor\s+([^,.;:()]{2,120}?)(?=\s+(?:in|on|and|but|with|using|across)\b|[,.;:()]|$)/.exec(
      match[1]!,
    );
  const query = plain ? slug(plain[1]!, 10) : '';
  return query === '' ? null : query;
}
