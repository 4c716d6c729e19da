import { createHmac, timingSafeEqual } from 'node:crypto';

const FORM = /^sha256=([0-9a-f]{64})$/;

/** Whether one of the secrets signed exactly these bytes. Takes the same time wherever a wrong signature differs. */
export function isSigned(body: Buffer, signature: string | undefined, secrets: readonly string[]): boolean {
  const [, hex] = FORM.exec(signature ?? '') ?? [];
  if (hex === undefined) return false;
  const given = Buffer.from(hex, 'hex');
  return secrets.some((secret) => timingSafeEqual(createHmac('sha256', secret).update(body).digest(), given));
}
