export interface HaltEntry {
  readonly message: string;
  /** What a person can do. */
  readonly remedy: string;
}

/** Everything that can stop a run, and how to continue. Programs use the codes; the texts are for people. */
export const HALT_CODES = {
  'xl-unsupported': {
    message: 'This issue is size XL, and Sluice does not split issues yet.',
    remedy:
      'Split it into smaller issues and run `/auto` on those, or set a smaller `size/*` label and run `/auto` again.',
  },
  stopped: {
    message: 'A person stopped this run.',
    remedy: 'Everything done so far is kept. `/auto continue` goes on from here.',
  },
  paused: {
    message: 'A person paused this run.',
    remedy: '`/auto continue` goes on from here.',
  },
  reopened: {
    message: 'The issue was reopened after its work had landed. That alone starts nothing.',
    remedy:
      'Say in the text of the issue what is missing and run `/auto`, or say it with `/auto continue TEXT`: then it is triaged and worked on again. Close the issue if nothing is.',
  },
  'no-progress': {
    message: 'Several runs in a row changed nothing.',
    remedy: 'Say more about what is wanted in the issue text or with `/auto continue TEXT`.',
  },
  'service-crashes': {
    message: 'Sluice itself was cut off several times in the same phase. That says nothing about the issue.',
    remedy:
      'The operator finds the cause in its log and on its machine (memory, disk, restarts). `/auto continue` goes on from here.',
  },
  'provider-unavailable': {
    message: 'The model could not be reached for a long time.',
    remedy: 'See `sluice account` for what the provider says; run `/auto continue` once it is back.',
  },
  'over-budget': {
    message: 'The run has used its budget.',
    remedy: 'Everything done so far is kept. `/auto --resume --budget USD` goes on with a larger one.',
  },
  'out-of-time': {
    message: 'The agents of this run have used the time they may work.',
    remedy: 'Everything done so far is kept. `/auto --resume --timeout MIN` goes on with more.',
  },
  'too-big': {
    message: 'The work does not fit into what the model can keep in mind, not even in pieces.',
    remedy: 'Split this issue into smaller ones and run `/auto` on those.',
  },
  'commands-unapproved': {
    message: 'Acceptance criteria come with commands or checks that were written by somebody without write permission.',
    remedy:
      'Read them in the triage comment. `/auto approve` allows them; with the hash given there, `/auto approve HASH` allows exactly these and no later ones.',
  },
  'nothing-to-do': {
    message: 'There is nothing to do: what the issue asks for is there already.',
    remedy: 'Close the issue, or say in its text what is still missing and run `/auto` again.',
  },
  blocked: {
    message: 'The work cannot be done as asked.',
    remedy: 'Decide what the reason above asks for, then `/auto continue TEXT` with your answer.',
  },
  'repository-unusable': {
    message: 'Sluice cannot work with this repository as it is.',
    remedy: 'Do what the reason above says, then run `/auto` again.',
  },
  'off-limits': {
    message: 'The work changes files that only people change: what CI runs, who reviews, Sluice’s own rules.',
    remedy:
      'Look at the commit that is named above; `/auto approve HASH` with its hash lets exactly that commit go on. Or say with `/auto continue TEXT` how to do without that change, or make it by hand.',
  },
  'result-refused': {
    message: 'What the agent left could not be taken over from its sandbox, so nothing of it is kept.',
    remedy:
      'Say with `/auto continue TEXT` how to do it without what the reason above names: the work is then written again from the last pushed commit.',
  },
  limits: {
    message: 'What ran for this issue took more of the machine than Sluice allows.',
    remedy:
      'Everything done so far is kept. `/auto continue TEXT` goes on from there and says how to do with less. If the work needs more, the operator raises the variable named above and restarts it; then `/auto continue` goes on.',
  },
  'questions-open': {
    message: 'Triage found questions only a person can answer.',
    remedy:
      'Answer with `/auto continue ANSWER`, which goes into the next triage; or answer them in the text of the issue and run `/auto` again.',
  },
  'verify-malformed': {
    message: 'A verify command in the text of the issue cannot be read, so nobody can tell how to check that box.',
    remedy:
      'Correct the `<!-- verify: … -->` in the text of the issue and run `/auto` again. Without one, a model judges the box.',
  },
  'base-missing': {
    message: 'The base branch this run was asked to work on does not exist.',
    remedy: 'Push the branch and run `/auto` again with the same `--base`, or run `/auto` without `--base`.',
  },
  'workflows-differ': {
    message:
      'GitHub takes no new branch from an App whose workflow files differ from those on the default branch, so the work could not be pushed.',
    remedy:
      'Bring `.github/workflows` on this base branch in line with the default branch and run `/auto` again, or run `/auto` without `--base`.',
  },
  'push-refused': {
    message: 'GitHub refuses to take the work.',
    remedy:
      'See to what GitHub says above (a rule, a hook, push protection), then run `/auto continue`: the work is kept and needs no new agent run.',
  },
  'pull-refused': {
    message: 'GitHub refuses to open the pull request for the work.',
    remedy:
      'See to what GitHub says above, then run `/auto continue`: the work is kept on its branch and needs no new agent run.',
  },
  retargeted: {
    message: 'Somebody pointed the pull request at another base branch.',
    remedy:
      'Point it back and run `/auto continue`, or run `/auto --base BRANCH` with the branch it goes to now: then the work goes on there.',
  },
  'conflict-unresolved': {
    message: 'The work still conflicts with its base branch after the last allowed round.',
    remedy: 'Resolve the conflict on the work branch and run `/auto continue`.',
  },
  'work-unrelated': {
    message:
      'The work branch has no commit in common with the base branch: somebody replaced what was on it. No agent can merge that, so none was started.',
    remedy:
      'Nothing is lost: what is on the branch stays there, and our work is kept on the ref named above. Put the branch on a commit that goes on from the base branch, then run `/auto continue`. Or run `/auto retry code`: the work is then written anew from the base branch, and what is on the work branch now is kept on a ref beside it.',
  },
  'stopped-at': {
    message: 'The run has come as far as it was asked to.',
    remedy: 'Look at the work so far. `/auto` goes on to the end; `/auto --stop-at PHASE` goes on to another phase.',
  },
  'phase-failed': {
    message: 'The phase failed as often as it may.',
    remedy: 'Read the last failure, fix its cause, and run `/auto` again.',
  },
  'too-many-runs': {
    message: 'The run used all its agent runs.',
    remedy:
      'Look at what keeps coming back, then run `/auto` again; `/auto --resume --max-iterations N` allows N runs.',
  },
  'review-unresolved': {
    message: 'The review still finds things that must be fixed after the last allowed round.',
    remedy:
      '`/auto` has the findings worked on for some more rounds, and `/auto continue TEXT` says how; so does pushing a fix to the work branch and running `/auto`. To merge it as it is, run `/auto continue` or approve this head on the pull request: the findings are then overruled in your name.',
  },
  'checks-red': {
    message: 'Checks stay red after the last allowed fix.',
    remedy: 'Fix the checks on the work branch and run `/auto` again.',
  },
  'checks-missing': {
    message: 'Checks did not finish in time.',
    remedy: 'See why they hang; run `/auto` again once they can finish.',
  },
  'merge-refused': {
    message: 'GitHub refuses the merge.',
    remedy: 'Do what its words above ask for, or merge the pull request yourself; `/auto continue` tries again.',
  },
  'objections-unresolved': {
    message: 'People still ask for changes after the last allowed round.',
    remedy: 'Settle on the pull request what is wanted; `/auto continue TEXT` goes on with your answer.',
  },
  'authoriser-gone': {
    message: 'Whoever asked for this run may no longer push to this repository, so nothing is landed in their name.',
    remedy: 'Somebody with write permission can look at the work and go on in their own name with `/auto continue`.',
  },
  'mergeability-unknown': {
    message: 'GitHub does not say whether the pull request can be merged.',
    remedy: 'See whether the pull request shows it; `/auto continue` goes on from here.',
  },
  'head-not-shown': {
    message: 'GitHub does not show the pushed commit on the pull request.',
    remedy: 'See whether the pull request shows it by now; `/auto continue` goes on from here.',
  },
  'pull-unreadable': {
    message:
      'GitHub does not show the pull request of the pushed work, so nobody can tell whether it has been merged. Nothing is written anew before that is known.',
    remedy:
      'See whether the pull request is there: `/auto continue` looks again. If it is gone for good, `/auto retry code` writes the work anew and opens another one.',
  },
  'pull-foreign': {
    message: 'Somebody else opened a pull request from the work branch, and GitHub allows no second one.',
    remedy: 'Close that pull request and run `/auto continue`: Sluice then opens its own with the same work.',
  },
  'verify-failed': {
    message: 'Acceptance criteria still fail on the merged commit after the last allowed iteration.',
    remedy:
      '`/auto` works on them for some more iterations. Or make them hold by hand and run `/auto retry verify`, which judges them again.',
  },
  'criteria-manual': {
    message: 'Some criteria could not be judged automatically.',
    remedy:
      'Look at them. If they hold, run `/auto continue`, or tick their boxes in the text of the issue: that finishes it, in your name. If they do not, `/auto continue TEXT` says what is wrong and has it worked on again. `/auto` has them judged once more.',
  },
  'pr-closed': {
    message: 'The pull request was closed without being merged.',
    remedy:
      '`/auto` opens a new pull request with the same work, and `/auto retry code` writes it anew from the base branch. Reopening the pull request goes on with that one.',
  },
} as const satisfies Record<string, HaltEntry>;

export type HaltCode = keyof typeof HALT_CODES;
