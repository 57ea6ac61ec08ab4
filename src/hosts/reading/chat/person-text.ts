/** How texts begin that a harness puts under a user's name: reminders, surroundings, urgings to go on. */
const HARNESS = [
  '<system-reminder>',
  '<environment_details>',
  '<environment_context>',
  '[ERROR] You did not use a tool in your previous response',
  'Please continue working on the task on whatever approach you think is suitable.',
];
/** Cline and its kin write `[read_file for 'a.ts'] Result:` before the result of a call that was made in text. */
const RESULT = /^\s*\[\w+(?: for .{0,300})?\] Result:/;
/** Among results, the words of a person are marked. */
const MARKED = /^\s*(?:The user .{0,200}\n)?<(feedback|answer|user_message)>([\s\S]*?)<\/\1>/;

/**
 * What a person said in the texts of one message by a user; nothing when only the harness spoke.
 * `isResult`: the message brings results of tools, so that other texts in it are not a person's unless they are marked.
 */
export function personText(texts: readonly string[], isResult = false): string | undefined {
  const spoken = texts.filter((text) => !HARNESS.some((beginning) => text.trimStart().startsWith(beginning)));
  if (isResult || spoken.some((text) => RESULT.test(text))) {
    const marked = spoken.map((text) => MARKED.exec(text.replace(RESULT, ''))?.[2]?.trim() ?? '').filter((text) => text !== '');
    return marked.length > 0 ? marked.join('\n') : undefined;
  }
  return spoken.length > 0 || texts.length === 0 ? spoken.join('\n') : undefined;
}
