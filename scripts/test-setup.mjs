// Runs once before all tests. Creating an App's key takes longer than most tests, so they share this one.
import { generateKeyPairSync } from 'node:crypto';

export default function setUp() {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  process.env.SLUICE_TEST_APP_KEYS = JSON.stringify(keys);
}
