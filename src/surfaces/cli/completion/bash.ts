/** The completion script for bash; it also runs on the bash 3.2 of macOS. */

import type { CommandSpec, Offer, OptionSpec } from './commands.js';

export function bashScript(commands: readonly CommandSpec[], globals: readonly OptionSpec[]): string {
  const valued = commands.flatMap(({ name, options }) =>
    options.flatMap(({ flag, value }) =>
      value === undefined ? [] : [`    ${name}:${flag}) ${offer(value)}; return ;;`],
    ),
  );
  const flags = commands.map(({ name, options }) => {
    const words = [...options, ...globals].map(({ flag }) => flag).join(' ');
    return `      ${name}) _memory_words "${words}" ;;`;
  });
  const places = commands.flatMap(({ name, positional }) =>
    positional.map((value, at) => `    ${name}:${at}) ${offer(value)} ;;`),
  );
  const takesValue = new Set(
    commands.flatMap(({ options }) =>
      options.flatMap(({ flag, value }) => (value === undefined ? [] : [flag])),
    ),
  );
  const names = commands.map(({ name }) => name).join(' ');
  const globalFlags = globals.map(({ flag }) => flag).join(' ');
  return `# Completion of memory for bash. To load it: source <(memory completion bash)

_memory_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

_memory_files() {
  local line
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$1" -- "$cur")
}

_memory_ask() {
  local line
  compopt -o filenames -o nospace 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    "$program" __complete "$1" "\${cur//\\\\/}" \${vault:+--vault "$vault"} 2>/dev/null
  )
}

_memory() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  local program="$1" command="" vault="" place=0 i word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      --vault) vault="\${COMP_WORDS[++i]}" ;;
      ${[...takesValue].join(' | ')}) ((i++)) ;;
      -*) ;;
      *) if [[ -z "$command" ]]; then command="$word"; else ((place++)); fi ;;
    esac
  done
  if [[ "$prev" == --vault ]]; then
    _memory_files -d
    return
  fi
  if [[ -z "$command" ]]; then
    if [[ "$cur" == -* ]]; then _memory_words "${globalFlags}"; else _memory_words "${names}"; fi
    return
  fi
  case "$command:$prev" in
${valued.join('\n')}
  esac
  if [[ "$cur" == -* ]]; then
    case "$command" in
${flags.join('\n')}
    esac
    return
  fi
  case "$command:$place" in
${places.join('\n')}
  esac
}

complete -F _memory memory
`;
}

function offer(value: Offer): string {
  if (value.kind === 'words') return `_memory_words "${value.words.join(' ')}"`;
  if (value.kind === 'folder') return '_memory_files -d';
  if (value.kind === 'file') return '_memory_files -f';
  return value.kind === 'nothing' ? ':' : `_memory_ask ${value.kind}`;
}
