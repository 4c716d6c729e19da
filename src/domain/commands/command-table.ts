import type { CommandKind } from './command.js';

/** Who may use a command. */
export type CommandPermission =
  /** Write permission or more: it changes something. */
  | 'write'
  /** Triage permission or more: it only shows something. */
  | 'triage';

/** One command, for the parser, the help, the documentation and the permission check. */
export interface CommandSpec {
  readonly usage: string;
  readonly summary: string;
  readonly permission: CommandPermission;
  /** Takes the options of a run. */
  readonly takesOptions: boolean;
  /** Other words people may use for it. Only for “Did you mean”. */
  readonly aliases: readonly string[];
  /** Each with what it means. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
}

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<CommandKind, CommandSpec>> = {
  auto: {
    usage: '/auto [N…] [OPTIONS]',
    summary: 'Drive this issue, or the issues N…, to a verified merge.',
    permission: 'write',
    takesOptions: true,
    aliases: ['start', 'run', 'go'],
    examples: [
      ['/auto', 'Drive this issue.'],
      ['/auto 12 13', 'Drive issues 12 and 13.'],
      ['/auto --pr --review=full', 'Drive this issue through a thoroughly reviewed pull request.'],
      ['/auto --stop-at spec', 'Triage it and write the spec, then stop.'],
      ['/auto 12 --base release/2 --budget 5 --timeout 90', 'Drive issue 12 on another branch, within limits.'],
      ['/auto --dry-run', 'Say what would be done, and do nothing.'],
    ],
  },
  resume: {
    usage: '/auto --resume [N] [OPTIONS]',
    summary: 'Resume a stopped run with its previous options; options given now override them.',
    permission: 'write',
    takesOptions: true,
    aliases: ['resume'],
    examples: [
      ['/auto --resume 12', 'Resume issue 12.'],
      ['/auto --resume --budget 20', 'Resume this issue with a larger budget.'],
    ],
  },
  batch: {
    usage: '/auto --batch N1 N2 … [OPTIONS]',
    summary:
      'Drive the listed issues one after the other, in this order: the next one begins when the one before it is done or has stopped. More than 20 need --yes.',
    permission: 'write',
    takesOptions: true,
    aliases: ['batch'],
    examples: [['/auto --batch 12 13 14', 'Drive issues 12, 13 and 14, one after the other.']],
  },
  stop: {
    usage: '/auto stop [N]',
    summary: 'Stop at once. What has been done is kept.',
    permission: 'write',
    takesOptions: false,
    aliases: ['cancel', 'abort', 'halt', 'kill'],
    examples: [
      ['/auto stop', 'Stop the work on this issue.'],
      ['/auto stop 12', 'Stop the work on issue 12.'],
    ],
  },
  pause: {
    usage: '/auto pause [N]',
    summary: 'Pause after the current phase.',
    permission: 'write',
    takesOptions: false,
    aliases: ['wait', 'hold', 'suspend'],
    examples: [['/auto pause', 'Let the running phase finish, then pause.']],
  },
  continue: {
    usage: '/auto continue [N] [TEXT]',
    summary:
      'Continue after a pause, a stop or a question. Everything after the command, up to the first quoted line, is passed to the model.',
    permission: 'write',
    takesOptions: false,
    aliases: ['unpause', 'proceed'],
    examples: [
      ['/auto continue', 'Continue this issue.'],
      ['/auto continue Use the second approach, and keep the old endpoint.', 'Continue with this answer.'],
      ['/auto continue 12', 'Continue issue 12. A number followed by text is read as text, not as an issue.'],
    ],
  },
  retry: {
    usage: '/auto retry [PHASE] [N]',
    summary: 'Repeat the current phase, or the named one (issue, spec, code, review, merge, verify).',
    permission: 'write',
    takesOptions: false,
    aliases: ['rerun', 'restart', 'redo', 'again'],
    examples: [
      ['/auto retry', 'Repeat the phase that failed.'],
      ['/auto retry review', 'Review the pull request again.'],
    ],
  },
  approve: {
    usage: '/auto approve [HASH] [N]',
    summary: 'Approve what waits for a person. With the hash that was shown, exactly that version and no later one.',
    permission: 'write',
    takesOptions: false,
    aliases: ['accept', 'allow', 'lgtm', 'ok'],
    examples: [
      ['/auto approve', 'Approve what waits on this issue.'],
      ['/auto approve 4f1c9e2', 'Approve it only if it is still the version with this hash.'],
    ],
  },
  status: {
    usage: '/auto status [N]',
    summary: 'Show the progress of an issue.',
    permission: 'triage',
    takesOptions: false,
    aliases: ['progress', 'state', 'ping'],
    examples: [['/auto status', 'Show the progress of this issue.']],
  },
  explain: {
    usage: '/auto explain [N]',
    summary: 'Say what Sluice would do next, and why.',
    permission: 'triage',
    takesOptions: false,
    aliases: ['why', 'plan'],
    examples: [['/auto explain 12', 'Show the next step for issue 12 and the reason.']],
  },
  help: {
    usage: '/auto help',
    summary: 'List the commands.',
    permission: 'triage',
    takesOptions: false,
    aliases: ['usage', 'commands', 'man'],
    examples: [['/auto help', 'List the commands.']],
  },
};

export const COMMAND_KINDS = Object.keys(COMMANDS) as readonly CommandKind[];

/** The first words of commands. Starting, resuming and batches have no word of their own; their options identify them. */
export const COMMAND_WORDS = [
  'stop',
  'pause',
  'continue',
  'retry',
  'approve',
  'status',
  'explain',
  'help',
] as const satisfies readonly CommandKind[];
export type CommandWord = (typeof COMMAND_WORDS)[number];

/** Switches that choose a command or confirm it. Everything else with two dashes is an option of the run. */
export const SWITCHES = {
  '--resume': 'Resume a stopped run.',
  '--batch': 'Drive several issues, one after the other.',
  '--yes': 'Confirm more than 20 issues.',
} as const;
export type Switch = keyof typeof SWITCHES;
