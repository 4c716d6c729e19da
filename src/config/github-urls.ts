/** The addresses of one GitHub. */
export interface GitHubUrls {
  readonly apiUrl: string;
  /** Where repositories are cloned from. */
  readonly gitUrl: string;
}

/**
 * All addresses from that of the REST API, for the three layouts there are: `https://api.github.com` (and `api.NAME.ghe.com`),
 * and `https://HOST/api/v3`. `null` when it is none of them.
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

/** Whether only this machine can be behind an address. */
export function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}
