/** The addresses of one GitHub. */
export interface GitHubUrls {
  readonly apiUrl: string;
  /** Where repositories are cloned from. */
  readonly gitUrl: string;
}

/**
 * Derives all addresses from that of the REST API. Known layouts: `https://api.github.com`, `https://api.NAME.ghe.com`
 * and `https://HOST/api/v3`. `null` for any other address.
 */
export function gitHubUrls(text: string): GitHubUrls | null {
  if (!URL.canParse(text)) return null;
  const { origin, protocol, pathname, hostname, host, search, hash } = new URL(text);
  if (search !== '' || hash !== '') return null;
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(text))) return null;
  const path = pathname.replace(/\/+$/, '');
  if (path === '/api/v3') return { apiUrl: `${origin}/api/v3`, gitUrl: origin };
  if (path !== '' || !/^api\.(github\.com|[a-z0-9-]+\.ghe\.com)$/.test(hostname)) return null;
  return { apiUrl: origin, gitUrl: `https://${host.replace(/^api\./, '')}` };
}

/** Whether an address can only be on this machine. */
export function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}
