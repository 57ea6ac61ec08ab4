/**
 * One named case of a judgement. Judgements with many cases are ordered lists of such rules: the
 * first one whose `when` holds decides, and its name tells a reader why.
 */
export interface Rule<Question, Given> {
  /** In kebab-case; a heading of the README next to the list, which has cases for it. */
  name: string;
  when(question: Question): boolean;
  gives: Given;
}

/** The first rule that holds; undefined if none does. */
export function firstRule<Question, Given>(
  rules: readonly Rule<Question, Given>[],
  question: Question,
): Rule<Question, Given> | undefined {
  for (const rule of rules) if (rule.when(question)) return rule;
  return undefined;
}
