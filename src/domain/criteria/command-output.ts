/** Of what a command that passed has printed, this much is kept: nobody reads more of it. */
const PASSED_CHARACTERS = 600;
/** Of one that did not: its beginning often names the cause, its end the failure. */
const FAILED_CHARACTERS = 4_000;
const FAILED_HEAD_CHARACTERS = 1_000;

/** What is kept of a command's output, in prompts and in the state. Line breaks stay. */
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

/** So many characters from the end. A comment that begins before them stays one: what is in it must not turn up as text. */
function endOf(text: string, characters: number): string {
  const [before, end] = [text.slice(0, -characters), text.slice(-characters)];
  return before.lastIndexOf('<!--') > before.lastIndexOf('-->') ? `<!-- ${end}` : end;
}

const leftOut = (characters: number): string => `[… ${characters} characters left out …]`;
