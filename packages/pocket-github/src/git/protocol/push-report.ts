import { FLUSH, formatPacket, formatSideBand, parsePackets } from './pkt-line.js';

/** Why refs were refused, for the client's eyes. */
export interface RefusalTexts {
  /** Per ref, what `git push` shows in brackets. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Lines it shows after `remote:`. */
  readonly lines: readonly string[];
}

/**
 * receive-pack's answer with our own reasons. git reports a refusing hook only as "hook declined"; GitHub says why.
 */
export function explainRefusals(output: Buffer, sideBand: boolean, { reasons, lines }: RefusalTexts): Buffer {
  if (!sideBand) return rewriteReport(output, reasons);
  const packets = parsePackets(output).filter((packet) => packet !== null);
  const report = Buffer.concat(packets.filter((packet) => packet[0] === 1).map((packet) => packet.subarray(1)));
  return Buffer.concat([
    ...packets.filter((packet) => packet[0] !== 1).map((packet) => formatPacket(packet)),
    ...lines.map((line) => formatSideBand(2, Buffer.from(`${line}\n`))),
    formatSideBand(1, rewriteReport(report, reasons)),
    FLUSH,
  ]);
}

function rewriteReport(report: Buffer, reasons: ReadonlyMap<string, string>): Buffer {
  return Buffer.concat(
    parsePackets(report).map((packet) => {
      if (packet === null) return FLUSH;
      const [, ref] = /^ng (\S+) /.exec(packet.toString()) ?? [];
      const reason = ref === undefined ? undefined : reasons.get(ref);
      return formatPacket(reason === undefined ? packet : `ng ${ref} ${reason.replaceAll('\n', ' ')}\n`);
    }),
  );
}
