import { JUDGED_CALLS, type Machine, MACHINES, REFUSED_CALLS } from './system-calls.js';

/* The filter of system calls, as the program in classic BPF that the kernel runs for each call (`man 2 seccomp`). */

/** One instruction: what to do, how far to jump if so and if not, and a number. */
interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER = 0x25;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
/** Callers of a call that “is not there” fall back to the older one: glibc from `clone3` to `clone`. */
const ENOSYS = 0x00050026;

/** Where the parts of a call are in what the filter is given. */
const NUMBER = 0;
const MACHINE = 4;
const argument = (index: number): { readonly low: number; readonly high: number } => ({
  low: 16 + 8 * index,
  high: 20 + 8 * index,
});

/** The numbers of the x32 calls, another way to the same calls, have this bit. */
const X32 = 0x40000000;
/** New namespaces of users, mounts, processes, networks and the rest. */
const NEW_NAMESPACES = 0x7e020000;
/** For `unshare` alone: in `clone` this bit is part of a signal's number. */
const NEW_TIME = 0x00000080;
/** Shared memory of this kind counts for no process. Databases take a few bytes of it as a lock. */
const MOST_SHARED_BYTES = 64 * 1024;
/** Put words into a terminal's input, as if somebody had typed them. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

const load = (k: number): Instruction => ({ code: LOAD, jt: 0, jf: 0, k });
const answer = (k: number): Instruction => ({ code: RETURN, jt: 0, jf: 0, k });
/** Skips the next `count` instructions unless the comparison holds. */
const unless = (code: number, k: number, count: number): Instruction => ({ code, jt: 0, jf: count, k });

/** What to do with a call of this number; nothing where the machine does not have it. */
function forCall(number: number | null, then: readonly Instruction[]): readonly Instruction[] {
  return number === null ? [] : [unless(JUMP_EQUAL, number, then.length), ...then];
}

function argumentRules(machine: Machine): readonly Instruction[] {
  const flags = argument(0).low;
  const { low: size, high: sizeHigh } = argument(1);
  const request = argument(1).low;
  return [
    ...forCall(JUDGED_CALLS.clone3[machine], [answer(ENOSYS)]),
    ...forCall(JUDGED_CALLS.clone[machine], [
      load(flags),
      unless(JUMP_ANY_BIT, NEW_NAMESPACES, 1),
      answer(EPERM),
      answer(ALLOW),
    ]),
    ...forCall(JUDGED_CALLS.unshare[machine], [
      load(flags),
      unless(JUMP_ANY_BIT, NEW_NAMESPACES + NEW_TIME, 1),
      answer(EPERM),
      answer(ALLOW),
    ]),
    ...forCall(JUDGED_CALLS.shmget[machine], [
      load(sizeHigh),
      unless(JUMP_GREATER, 0, 1),
      answer(EPERM),
      load(size),
      unless(JUMP_GREATER, MOST_SHARED_BYTES, 1),
      answer(EPERM),
      answer(ALLOW),
    ]),
    ...forCall(JUDGED_CALLS.ioctl[machine], [
      load(request),
      unless(JUMP_EQUAL, TIOCSTI, 1),
      answer(EPERM),
      unless(JUMP_EQUAL, TIOCLINUX, 1),
      answer(EPERM),
      answer(ALLOW),
    ]),
  ];
}

/** The filter for this kind of machine as bytes; `null` where there is none. */
export function seccompFilter(architecture: string): Uint8Array | null {
  const machine = architecture === 'x64' || architecture === 'arm64' ? architecture : null;
  if (machine === null) return null;
  const program: readonly Instruction[] = [
    load(MACHINE),
    // Calls made as another machine would (32-bit programs) have other numbers: none of them is let through.
    { code: JUMP_EQUAL, jt: 1, jf: 0, k: MACHINES[machine] },
    answer(EPERM),
    load(NUMBER),
    ...(machine === 'x64' ? [unless(JUMP_AT_LEAST, X32, 1), answer(EPERM)] : []),
    ...Object.values(REFUSED_CALLS).flatMap((numbers) => forCall(numbers[machine], [answer(EPERM)])),
    ...argumentRules(machine),
    answer(ALLOW),
  ];
  const bytes = Buffer.alloc(8 * program.length);
  for (const [index, { code, jt, jf, k }] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * index);
    bytes.writeUInt8(jt, 8 * index + 2);
    bytes.writeUInt8(jf, 8 * index + 3);
    bytes.writeUInt32LE(k, 8 * index + 4);
  }
  return bytes;
}
