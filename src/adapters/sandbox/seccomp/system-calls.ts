/* System calls that nothing which builds, tests or edits code needs, with their numbers on both machines we run on. */

interface Numbers {
  readonly x64: number | null;
  readonly arm64: number | null;
}

const both = (x64: number | null, arm64: number | null): Numbers => ({ x64, arm64 });

/**
 * Refused whatever their arguments. `ptrace` is not among them: leak checkers of C and C++ compilers use it, and within a PID
 * namespace of its own it reaches only what belongs to the run.
 */
export const REFUSED_CALLS = {
  // Mounting, and other roots.
  mount: both(165, 40),
  umount2: both(166, 39),
  pivot_root: both(155, 41),
  chroot: both(161, 51),
  open_tree: both(428, 428),
  move_mount: both(429, 429),
  fsopen: both(430, 430),
  fsconfig: both(431, 431),
  fsmount: both(432, 432),
  fspick: both(433, 433),
  mount_setattr: both(442, 442),
  open_tree_attr: both(467, 467),
  open_by_handle_at: both(304, 265),
  // Other namespaces, and descriptors of other processes.
  setns: both(308, 268),
  pidfd_getfd: both(438, 438),
  kcmp: both(312, 272),
  // The kernel itself.
  kexec_load: both(246, 104),
  kexec_file_load: both(320, 294),
  init_module: both(175, 105),
  finit_module: both(313, 273),
  delete_module: both(176, 106),
  create_module: both(174, null),
  query_module: both(178, null),
  get_kernel_syms: both(177, null),
  reboot: both(169, 142),
  syslog: both(103, 116),
  iopl: both(172, null),
  ioperm: both(173, null),
  modify_ldt: both(154, null),
  uselib: both(134, null),
  _sysctl: both(156, null),
  lookup_dcookie: both(212, 18),
  // Parts of it in which most ways out of sandboxes were found.
  bpf: both(321, 280),
  perf_event_open: both(298, 241),
  userfaultfd: both(323, 282),
  io_uring_setup: both(425, 425),
  io_uring_enter: both(426, 426),
  io_uring_register: both(427, 427),
  // Keys are kept by user, not by namespace.
  add_key: both(248, 217),
  request_key: both(249, 218),
  keyctl: both(250, 219),
  // The machine's time, name, swap, quotas and records.
  settimeofday: both(164, 170),
  clock_settime: both(227, 112),
  clock_adjtime: both(305, 266),
  adjtimex: both(159, 171),
  sethostname: both(170, 161),
  setdomainname: both(171, 162),
  swapon: both(167, 224),
  swapoff: both(168, 225),
  quotactl: both(179, 60),
  quotactl_fd: both(443, 443),
  nfsservctl: both(180, 42),
  acct: both(163, 89),
  vhangup: both(153, 58),
  fanotify_init: both(300, 262),
  // Memory that no process is seen to hold.
  memfd_secret: both(447, 447),
} as const satisfies Record<string, Numbers>;

/** Calls whose arguments decide. */
export const JUDGED_CALLS = {
  clone: both(56, 220),
  clone3: both(435, 435),
  unshare: both(272, 97),
  shmget: both(29, 194),
  ioctl: both(16, 29),
} as const satisfies Record<string, Numbers>;

/** How Linux names a machine to a filter (`AUDIT_ARCH_…`). */
export const MACHINES = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
} as const;
export type Machine = keyof typeof MACHINES;
