/** What the brain hands on with every result. */
export function handoff(
  progress: string,
  more: { readonly files?: readonly string[]; readonly testStatus?: 'passed' | 'failed' | 'not-run' } = {},
): Record<string, unknown> {
  return {
    progress,
    files: more.files ?? [],
    testStatus: more.testStatus ?? 'not-run',
    decisions: ['Did what the issue says and no more.', 'Kept to the style of the files that are there.'],
    openErrors: [],
  };
}
