/** The framing of git's protocol: four hex digits of length (themselves included) and a payload. */
export const FLUSH = Buffer.from('0000');

/** The most a side-band packet carries: git's limit of 65520 without the length and the band number. */
const SIDE_BAND_LIMIT = 65_515;

export interface Packet {
  /** `null` is a flush. */
  readonly payload: Buffer | null;
  /** Where the next packet starts. */
  readonly end: number;
}

/** The packet at `start`, or `null` when it is not complete yet. */
export function packetAt(bytes: Buffer, start: number): Packet | null {
  if (bytes.length < start + 4) return null;
  const digits = bytes.toString('latin1', start, start + 4);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new Error(`"${digits}" is not the length of a packet`);
  const length = Number.parseInt(digits, 16);
  if (length < 4) return { payload: null, end: start + 4 };
  const end = start + length;
  return end > bytes.length ? null : { payload: bytes.subarray(start + 4, end), end };
}

/** All complete packets; `null` is a flush. */
export function parsePackets(bytes: Buffer): readonly (Buffer | null)[] {
  const packets: (Buffer | null)[] = [];
  for (let packet = packetAt(bytes, 0); packet !== null; packet = packetAt(bytes, packet.end))
    packets.push(packet.payload);
  return packets;
}

export function formatPacket(payload: Buffer | string): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

/** `data` on a side band: 1 carries the answer, 2 what the client prints after `remote:`. */
export function formatSideBand(band: 1 | 2, data: Buffer): Buffer {
  const packets: Buffer[] = [];
  for (let at = 0; at < data.length; at += SIDE_BAND_LIMIT) {
    packets.push(formatPacket(Buffer.concat([Buffer.of(band), data.subarray(at, at + SIDE_BAND_LIMIT)])));
  }
  return Buffer.concat(packets);
}
