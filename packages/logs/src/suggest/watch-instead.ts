/** Commands that show a state, and commands that wait for it to change. */
const WATCHES: readonly [shows: RegExp, waits: string][] = [
  [/^gh run (?:list|view)\b(?!.*--log)/, 'gh run watch ID --exit-status'],
  [/^gh pr checks\b(?!.*--watch)/, 'gh pr checks --watch'],
  [/^kubectl get pods?\b(?!.*(?: -w| --watch))/, 'kubectl wait --for=condition=Ready pod/NAME'],
  [/^aws cloudformation describe-stacks\b/, 'aws cloudformation wait stack-create-complete'],
];

/** The command that waits for the state that this one shows; undefined if unknown. */
export const watchInstead = (command: string): string | undefined =>
  WATCHES.find(([shows]) => shows.test(command))?.[1];
