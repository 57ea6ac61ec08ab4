import { type Invocation, options } from './deed.ts';

const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash']);
const POWERSHELLS: ReadonlySet<string> = new Set(['powershell', 'pwsh']);
/** Options of PowerShell that have a value, in lower case. */
const VALUED = options(
  '-executionpolicy -ep -version -outputformat -windowstyle -workingdirectory',
);

/** The line that a shell is given to run: `bash -lc '…'`, `powershell -Command …`. Null if none. */
export function innerLine({ words, at, name }: Invocation): string | null {
  const isPowerShell = POWERSHELLS.has(name);
  if (!isPowerShell && !SHELLS.has(name)) return null;
  for (let i = at + 1; i < words.length; i++) {
    const word = words[i]!;
    if (!word.startsWith('-')) return null;
    if (isPowerShell && /^-c(?:ommand)?$/i.test(word)) return words.slice(i + 1).join(' ') || null;
    if (isPowerShell && VALUED.has(word.toLowerCase())) i++;
    else if (!isPowerShell && /^-[a-z]*c$/.test(word)) return words[i + 1] ?? null;
  }
  return null;
}
