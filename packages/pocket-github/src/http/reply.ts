import type { ServerResponse } from 'node:http';

/** An answer as data, so that faults and the journal can see it before it is sent. */
export interface Reply<T = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON value, raw bytes, something that writes the whole response itself (git packs), or nothing. */
  readonly body:
    | { readonly json: T }
    | { readonly bytes: Buffer }
    | { readonly stream: (response: ServerResponse) => Promise<void> }
    | null;
}

export const json = <T>(status: number, value: T, headers: Record<string, string> = {}): Reply<T> => ({
  status,
  headers,
  body: { json: value },
});

export const ok = <T>(value: T): Reply<T> => json(200, value);
export const created = <T>(value: T): Reply<T> => json(201, value);
export const noContent = (): Reply<never> => ({ status: 204, headers: {}, body: null });

export const text = (status: number, value: string, type = 'text/plain; charset=utf-8'): Reply<never> => ({
  status,
  headers: { 'content-type': type },
  body: { bytes: Buffer.from(value) },
});

export const redirect = (status: 301 | 302 | 303 | 307, location: string): Reply<never> => ({
  status,
  headers: { location },
  body: null,
});

export const streamed = (write: (response: ServerResponse) => Promise<void>): Reply<never> => ({
  status: 200,
  headers: {},
  body: { stream: write },
});
