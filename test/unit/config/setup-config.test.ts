import { describe, expect, test } from '@jest/globals';
import { isUnconfigured, readSetupSettings } from '../../../src/config/setup-config.js';

describe('setting up', () => {
  test('is for when no part of an App is configured', () => {
    expect(isUnconfigured({ HOME: '/home/ada', APP_ID: ' ' })).toBe(true);
    for (const name of ['APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH', 'WEBHOOK_SECRET'])
      expect(isUnconfigured({ [name]: 'x' })).toBe(false);
  });

  test('needs nothing, and stays on this machine', () => {
    expect(readSetupSettings({})).toEqual({
      kind: 'valid',
      settings: { host: '127.0.0.1', port: 3000, github: null, publicUrl: null },
    });
  });

  test('takes another loopback address, an enterprise server, and where GitHub reaches us', () => {
    const env = {
      HOST: '::1',
      PORT: '8080',
      GITHUB_API_URL: 'https://github.example:8443/api/v3',
      SLUICE_PUBLIC_URL: 'https://example.org/sluice/',
    };
    expect(readSetupSettings(env)).toEqual({
      kind: 'valid',
      settings: {
        host: '::1',
        port: 8080,
        github: { protocol: 'https', host: 'github.example:8443' },
        publicUrl: 'https://example.org/sluice',
      },
    });
  });

  test.each([
    ['HOST', '0.0.0.0', 'whoever reaches the setup pages'],
    ['HOST', '::', 'whoever reaches the setup pages'],
    ['PORT', '0', 'from 1 to 65535'],
    ['GITHUB_API_URL', 'https://api.octo.ghe.com', 'by hand'],
    ['SLUICE_PUBLIC_URL', 'sluice.example.org', 'https://'],
    ['SLUICE_PUBLIC_URL', 'https://example.org/?x', 'https://'],
  ])('says what is wrong with %s=%s', (name, value, words) => {
    const reading = readSetupSettings({ [name]: value });
    expect(reading).toEqual({ kind: 'invalid', problems: [expect.stringContaining(words)] });
    expect(JSON.stringify(reading)).toContain(name);
  });
});
