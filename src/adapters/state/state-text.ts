import { z } from 'zod';
import type { Oid } from '../../domain/issue/ids.js';
import type { IssueState } from '../../domain/state/state.js';
import type { StateSubject } from '../../ports/state-store.js';
import { isSignedBy, sign, type SigningKey, type SigningKeys } from './signature.js';
import { MAX_STATE_BYTES } from '../../domain/state/bounded-state.js';
import { readableJson } from './readable-json.js';
import { issueStateSchema } from './state-schema.js';

/** Which states are trusted. */
export type Signing =
  | {
      readonly keys: SigningKeys;
      /** Whether unsigned states are trusted, too: only with a person's own token. */
      readonly acceptUnsigned: boolean;
    }
  /** A person's own token without a key: states are written unsigned. */
  | { readonly keys: null; readonly acceptUnsigned: true };

/** The position of a state. It is signed, so that a state cannot be moved. */
export interface StatePosition {
  readonly subject: StateSubject;
  readonly parent: Oid | null;
}

/** Who wrote a state. The nonce makes every commit unique, even for equal states. */
export interface Author {
  readonly owner: string;
  readonly nonce: string;
}

const UNSIGNED = 'none';

const envelopeSchema = z.strictObject({
  // Shown to people when the key is not ours.
  key: z.string().regex(/^[\w.-]{1,64}$/),
  signature: z.string().max(128),
  content: z.unknown(),
});

/** As much of the content as every version has. */
const contentSchema = z.looseObject({ state: z.looseObject({ schema: z.number(), epoch: z.number() }) });

type Reading =
  | { readonly kind: 'valid'; readonly state: IssueState }
  | { readonly kind: 'unverifiable'; readonly why: string };

/** A reason is for people to read. */
const MAX_WHY = 500;

const unverifiable = (why: string): Reading => ({ kind: 'unverifiable', why: why.slice(0, MAX_WHY) });

/** The content of `state.json`. */
export function formatState(
  state: IssueState,
  author: Author,
  { subject, parent }: StatePosition,
  { keys }: Signing,
): string {
  // Refuses to write what could not be read again.
  const content = { ...author, state: issueStateSchema.parse(state) };
  const signed = { subject, parent, epoch: state.epoch, content: JSON.stringify(content) };
  const [key, signature] = keys === null ? [UNSIGNED, ''] : [keys.current.id, sign(keys.current, signed)];
  const text = `${JSON.stringify({ key, signature, content }, null, 1)}\n`;
  if (Buffer.byteLength(text) > MAX_STATE_BYTES)
    throw new Error(`a state of ${Buffer.byteLength(text)} bytes is more than could be read again`);
  return text;
}

/** Parses a state, or says why it is not trusted. Never throws. */
export function parseState(text: string, position: StatePosition, signing: Signing): Reading {
  try {
    return parseEnvelope(text, position, signing);
  } catch {
    return unverifiable('it cannot be read');
  }
}

function parseEnvelope(text: string, { subject, parent }: StatePosition, signing: Signing): Reading {
  const envelope = envelopeSchema.safeParse(readableJson(text));
  const content = contentSchema.safeParse(envelope.data?.content);
  if (!envelope.success || !content.success) return unverifiable('it is not a state written by Sluice');
  const { key, signature } = envelope.data;
  const { state } = content.data;
  const signed = { subject, parent, epoch: state.epoch, content: JSON.stringify(envelope.data.content) };
  const problem = signatureProblem(key, signing, (candidate) => isSignedBy(candidate, signature, signed));
  if (problem !== null) return unverifiable(problem);
  if (state.schema !== 1) return unverifiable(`it was written by another version of Sluice (schema ${state.schema})`);
  const checked = issueStateSchema.safeParse(state);
  return checked.success
    ? { kind: 'valid', state: checked.data }
    : unverifiable(`its content is not a state: ${z.prettifyError(checked.error)}`);
}

function signatureProblem(
  id: string,
  { keys, acceptUnsigned }: Signing,
  fits: (key: SigningKey) => boolean,
): string | null {
  if (id === UNSIGNED) return acceptUnsigned ? null : 'nobody signed it';
  const key = [keys?.current, keys?.previous].find((candidate) => candidate?.id === id);
  if (key === undefined) return `it is signed with the key ${id}, which this Sluice does not have`;
  return fits(key) ? null : 'its signature does not fit: it was changed, or belongs to another issue or another moment';
}
