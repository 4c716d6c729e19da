/** What a client can ask for instead of plain JSON. */
export type MediaType = 'raw' | 'html' | 'object' | 'diff' | 'patch' | 'sha';

/** GitHub's custom media type in an `Accept` header, with or without the old `v3.`; `null` for JSON. */
export function mediaTypeIn(headers: Readonly<Record<string, string | undefined>>): MediaType | null {
  const pattern = /application\/vnd\.github\.(?:v3\.)?(raw|html|object|diff|patch|sha)\b/;
  const [, form] = pattern.exec(headers['accept'] ?? '') ?? [];
  return (form as MediaType | undefined) ?? null;
}
