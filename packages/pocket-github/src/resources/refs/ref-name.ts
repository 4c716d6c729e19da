/** What `git check-ref-format` forbids anywhere in a name. */
const FORBIDDEN = /[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{|\.$/u;
/** GitHub's limit (GH005); git's own is that of the file system. */
const MAX_BYTES = 255;

/** Whether git takes this as the full name of a ref, e.g. `refs/heads/main`. */
export function isRefName(name: string): boolean {
  const parts = name.split('/');
  return (
    parts[0] === 'refs' &&
    parts.length >= 3 &&
    !FORBIDDEN.test(name) &&
    Buffer.byteLength(name) <= MAX_BYTES &&
    parts.every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
  );
}

/** `refs/heads/` and `feature/x` of `refs/heads/feature/x`; custom refs are split the same way. */
export function splitRefName(name: string): { readonly prefix: string; readonly short: string } {
  const end = name.indexOf('/', 'refs/'.length) + 1;
  return { prefix: name.slice(0, end), short: name.slice(end) };
}
