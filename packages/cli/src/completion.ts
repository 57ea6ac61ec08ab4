import { quoted } from '@unrut/engine/text/shell-word';
import { defineCommand } from './command.ts';
import { EXIT, usageError } from './exit.ts';

const HELP = `unrut completion bash|zsh|fish

Print a script that completes commands and options in your shell:

  source <(unrut completion bash)                                    # in ~/.bashrc
  source <(unrut completion zsh)                                     # in ~/.zshrc, after compinit
  unrut completion fish > ~/.config/fish/completions/unrut.fish`;

/** Words after `unrut`, and after a command. */
export interface Completions {
  commands: Readonly<Record<string, string>>;
  /** Options of a command, as it declares them. */
  options(command: string): Promise<readonly string[]>;
}

/** `unrut completion`. The scripts contain all words and run no commands. */
export const completion = defineCommand(
  { name: 'completion', help: HELP },
  async ({ operands }, { commands, options }: Completions) => {
    const [shell = '', ...more] = operands;
    const write = SHELLS[shell];
    if (!write || more.length > 0)
      throw usageError(
        `completion takes ${Object.keys(SHELLS).join(', ')}; got ${operands.join(' ') || 'nothing'}.`,
      );
    const words: Word[] = [];
    for (const [name, summary] of Object.entries(commands))
      words.push({ name, summary, options: await options(name) });
    console.log(write(words));
    return EXIT.ok;
  },
);

interface Word {
  name: string;
  summary: string;
  options: readonly string[];
}

/** Whether words without dashes follow. */
const hasCommands = (options: readonly string[]): boolean =>
  options.some((option) => !option.startsWith('-'));

const SHELLS: Readonly<Record<string, (words: readonly Word[]) => string>> = {
  bash: (words) => `_unrut() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W ${quoted([...words.map(({ name }) => name), '--help', '--version'].join(' '))} -- "$word")); return; fi
  case "$command" in
${words.map(({ name, options }) => `    ${name}) ${hasCommands(options) ? '' : `[ "\${word#-}" != "$word" ] && `}COMPREPLY=($(compgen -W ${quoted(options.join(' '))} -- "$word")) ;;`).join('\n')}
  esac
}
complete -o default -F _unrut unrut`,
  zsh: (words) => `#compdef unrut
_unrut() {
  if (( CURRENT == 2 )); then
    local -a commands=(${words.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ')})
    _describe command commands
    return
  fi
  case "$words[2]" in
${words.map(({ name, options }) => `    ${name}) ${hasCommands(options) ? '' : '[[ $PREFIX == -* ]] && '}compadd -- ${options.join(' ')} || _files ;;`).join('\n')}
  esac
}
compdef _unrut unrut`,
  fish: (words) =>
    [
      'complete -c unrut -f -n __fish_use_subcommand',
      ...words.map(
        ({ name, summary }) =>
          `complete -c unrut -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ),
      ...words.flatMap(({ name, options }) =>
        options.map(
          (option) =>
            `complete -c unrut -n ${quoted(`__fish_seen_subcommand_from ${name}`)} ${option.startsWith('--') ? `-l ${option.slice(2)}` : `-a ${option}`}`,
        ),
      ),
    ].join('\n'),
};
