/**
 * A transcript is prose with commands in it. A line indented by two spaces that starts with `$ ` is a command, the
 * indented lines under it are what it says, and all else is prose. A blank line between indented ones belongs to
 * what is said.
 */

export type Step = {
  /** Lines before the command, as they are. */
  readonly prose: readonly string[];
  readonly command: string;
  readonly said: readonly string[];
};

export type Transcript = { readonly steps: readonly Step[]; readonly after: readonly string[] };

const INDENT = '  ';
const COMMAND = `${INDENT}$ `;

export function readTranscript(text: string): Transcript {
  const steps: Step[] = [];
  let prose: string[] = [];
  let said: string[] | undefined;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    if (line.startsWith(COMMAND)) {
      said = [];
      steps.push({ prose, command: line.slice(COMMAND.length), said });
      prose = [];
    } else if (line.startsWith(INDENT) && said !== undefined && prose.every((one) => one === '')) {
      said.push(...prose, line.slice(INDENT.length));
      prose = [];
    } else {
      prose.push(line);
    }
  }
  return { steps, after: prose };
}

export function writeTranscript({ steps, after }: Transcript): string {
  const indented = (line: string): string => (line === '' ? '' : `${INDENT}${line}`);
  const lines = steps.flatMap(({ prose, command, said }) => [
    ...prose,
    `${COMMAND}${command}`,
    ...said.map(indented),
  ]);
  return `${[...lines, ...after].join('\n')}\n`;
}
