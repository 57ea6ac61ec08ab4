/** Words that name sending something off, in what an agent says or in the name of a button. */
const SUBMIT =
  /\b(?:submit|sign[ -]?(?:in|up)|log[ -]?(?:in|on)|register|save|confirm|continue|next|proceed|apply|send|search|go|ok|finish|create account|check ?out|buy|order|pay|book|subscribe|join|update|publish|post)\b/i;

/** As a button's name, and nothing weaker: `next to` and `go to` in a sentence are no aim. */
const SUBMIT_IN_PROSE =
  /\b(?:submit(?:s|ted|ting)?|sign(?:ing)?[ -]?(?:in|up)|log(?:ging)?[ -]?(?:in|on)|register(?:ing)?|sav(?:e|ing)|confirm(?:ing)?|continue|proceed|send(?:ing)?|check ?out)\b/i;

/** What an action should visibly change something: the names that are worth checking. */
const HIGH_RISK =
  /\b(?:submit|confirm|buy|pay|send|delete|remove|save|order|check ?out|transfer|publish|sign[ -]?(?:in|up)|log[ -]?in|register|continue)\b/i;

export const isSubmitName = (name: string): boolean => SUBMIT.test(name);
export const isSubmitReasoning = (reasoning: string): boolean => SUBMIT_IN_PROSE.test(reasoning);
export const isHighRisk = (name: string): boolean => HIGH_RISK.test(name);
