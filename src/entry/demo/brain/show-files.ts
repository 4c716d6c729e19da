import { bash, type MessageTurn, type ModelRequest } from '#scripted-claude';
import type { Exports, Files } from './source.js';

const FILE_MARK = '=====';

/** Shows these files, and which file exports what. */
export function look(paths: readonly string[]): MessageTurn {
  const shown = paths.map((path) => `if [ -f '${path}' ]; then echo '${FILE_MARK} ${path}'; cat '${path}'; fi`);
  return bash([...shown, `echo '${FILE_MARK}'`, "git grep -n '^export function' -- '*.js' || true"].join('\n'));
}

/** What `look` has shown. */
export function looked(output: string): { readonly files: Files; readonly exports: Exports } {
  const [, ...parts] = `\n${output}\n`.split(`\n${FILE_MARK}`);
  const files = new Map(
    parts.slice(0, -1).map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end).trim(), `${part.slice(end + 1)}\n`];
    }),
  );
  const found = (parts.at(-1) ?? '').matchAll(/^([\w./-]+):\d+:export function (\w+)/gm);
  return { files, exports: new Map([...found].map(([, path = '', name = '']) => [name, path])) };
}

/** What Bash has answered so far, oldest first. */
export function bashResults(request: ModelRequest): readonly { readonly text: string; readonly isError: boolean }[] {
  return request.toolResults.filter(({ tool }) => tool === 'Bash');
}

/** Number of the line that holds this text, counted from 1. */
export function lineOf(source: string, text: string): number | null {
  const index = source.split('\n').findIndex((line) => line.includes(text));
  return index < 0 ? null : index + 1;
}
