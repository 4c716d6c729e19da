/** A commit message as its first line and what follows. */
export function splitMessage(message: string): { readonly title: string; readonly body: string } {
  const [title = '', ...rest] = message.trim().split('\n');
  return { title, body: rest.join('\n').trim() };
}
