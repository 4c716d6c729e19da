/** How much output of a passed command is kept. Nobody reads more of it. */
const PASSED_CHARACTERS = 600;
/** How much of a failed command is kept: the beginning often names the cause, the end the failure. */
const FAILED_CHARACTERS = 4_000;
const FAILED_HEAD_CHARACTERS = 1_000;

/** Shortens a command's output for prompts and the state. Line breaks stay. */
export function trimOutput(passed: boolean, output: string): string {
  const text = output.trimEnd();
  if (passed)
    return text.length <= PASSED_CHARACTERS
      ? text
      : `${leftOut(text.length - PASSED_CHARACTERS)}\n${endOf(text, PASSED_CHARACTERS)}`;
  if (text.length <= FAILED_CHARACTERS) return text;
  const head = text.slice(0, FAILED_HEAD_CHARACTERS);
  const tail = endOf(text, FAILED_CHARACTERS - FAILED_HEAD_CHARACTERS);
  return `${head}\n${leftOut(text.length - FAILED_CHARACTERS)}\n${tail}`;
}

/** The last characters of a text. If they begin inside an HTML comment, it is opened again, so that hidden text stays hidden. */
function endOf(text: string, characters: number): string {
  const [before, end] = [text.slice(0, -characters), text.slice(-characters)];
  return before.lastIndexOf('<!--') > before.lastIndexOf('-->') ? `<!-- ${end}` : end;
}

const leftOut = (characters: number): string => `[… ${characters} characters left out …]`;
