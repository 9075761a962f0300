/** The completion script for zsh: to be sourced, or put into a folder of $fpath as _memory. */

import type { CommandSpec, Offer, OptionSpec } from './commands.js';

export function zshScript(commands: readonly CommandSpec[], globals: readonly OptionSpec[]): string {
  const described = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, options, positional }) => {
    const specs = [...options, ...globals].map(optionSpec);
    const places = positional.map((value, at) => quote(`${at + 1}:${label(value)}:${offer(value)}`));
    return `        ${name}) _arguments ${[...specs, ...places].join(' ')} ;;`;
  });
  return `#compdef memory
# Completion of memory for zsh. To load it: source <(memory completion zsh)

_memory_ask() {
  local -a found
  local named=\${(Q)\${opt_args[--vault]:-$vault}}
  found=("\${(@f)$(memory __complete $1 "\${(Q)PREFIX}" \${named:+--vault} $named 2>/dev/null)}")
  compadd -f -S '' -a found
}

_memory() {
  local curcontext="$curcontext" state line vault
  local -a commands
  local -A opt_args
  commands=(
${described.join('\n')}
  )
  _arguments -C -A '-*' ${globals.map(optionSpec).join(' ')} '1:command:->command' '*::argument:->argument'
  vault=\${opt_args[--vault]}
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
${cases.join('\n')}
      esac
      ;;
  esac
}

if [[ "$funcstack[1]" == _memory ]]; then
  _memory "$@"
else
  compdef _memory memory
fi
`;
}

function optionSpec({ flag, description, value }: OptionSpec): string {
  const text = description.replace(/[[\]:\\]/g, '\\$&');
  return quote(`${flag}[${text}]${value === undefined ? '' : `:${label(value)}:${offer(value)}`}`);
}

function label(value: Offer): string {
  return value.kind === 'nothing' || value.kind === 'words' ? 'value' : value.kind;
}

function offer(value: Offer): string {
  if (value.kind === 'words') return `(${value.words.join(' ')})`;
  if (value.kind === 'folder') return '_files -/';
  if (value.kind === 'file') return '_files';
  return value.kind === 'nothing' ? ' ' : `_memory_ask ${value.kind}`;
}

function quote(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}
