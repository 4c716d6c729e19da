import { unprocessable } from '../../world/errors.js';

/** Base64 in lines of sixty characters, as GitHub's file APIs write it. */
export function foldedBase64(content: Buffer): string {
  return content.toString('base64').replaceAll(/.{1,60}/g, '$&\n');
}

/** What Base64 stands for, line breaks or not; refuses anything else, which Node would silently skip. */
export function decodeBase64(text: string, refusal = 'content is not valid Base64'): Buffer {
  const packed = text.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(packed) || packed.replaceAll('=', '').length % 4 === 1)
    throw unprocessable(refusal);
  return Buffer.from(packed, 'base64');
}
