/** Whether an address is on this machine: Pocket GitHub sends nothing anywhere else. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}
