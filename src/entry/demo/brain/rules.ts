/**
 * Sentences of the skills that the brain follows, word for word. It does not follow a rule that is missing from its prompt, so a dropped or
 * changed rule shows in the result.
 */
export const RULES = {
  issue: {
    countAllFiles: 'Count the files that will have to change, tests and documentation too.',
    takeTheLarger: 'The size decides how much checking the work gets: when two fit, take the larger.',
    knowBugs: '`bug`: it does not do what it says.',
    testsPass: 'If the repository has tests, one criterion is that they all pass.',
    checkBeforeMerge:
      '`stage` is `pre-merge` for everything that can be checked on the proposed commit, which is nearly always.',
    decideSmallThings: 'Decide small things yourself and record them under `handoff.decisions`.',
  },
  spec: {
    nameAllFiles:
      '**Files**: every path that will be created or changed, tests and documentation too, from the root of the repository.',
    nameCriteria: 'With each step, the ids of the criteria it brings about.',
    serveAll: 'Every `pre-merge` criterion must be served by a step.',
    correctSize: '**Size**: if your list of files shows that triage was wrong, return the right one, else `null`',
    goOn: '`blocked` is `null`.',
    neverWorkflows:
      'Plan changes to `.github/workflows`, to secrets, credentials or git hooks, or to anything the issue does not need.',
  },
  code: {
    testFirst:
      'In small steps: a test that fails for the right reason, the change that makes it pass, the whole suite, a commit.',
    coverEdges:
      'Cover the edge cases the criteria and the spec name, also those of `judged` criteria: no command will remind you of them.',
    document: 'Public behaviour that changes is documented where the repository documents it.',
    commit: 'Commit with `git add` and `git commit` as you go',
    onlyWhatBelongs:
      'Everything must be committed at the end, and nothing that does not belong: no build output, no scratch files, no stray debugging.',
    fixEverything: 'deal with every item in `fix`, one by one, from the cause, with a test that would have caught it.',
    goOn: 'Hard is not blocked.',
  },
  merge: {
    mergeCommit: '`git merge --no-ff --no-commit BASE`.',
    keepBoth:
      'Keep the intent of both: code the base moved or renamed is followed there; behaviour the base changed on purpose stays changed; the work is adapted to it, not the other way round.',
    noMarkers: 'No conflict marker is left (`git diff --check`).',
    commit: 'Commit with `git commit`, with a message that says which conflicts there were and how they were resolved.',
    goOn: 'Only when the two sides contradict each other and a person has to choose: between what.',
    nothingElse: 'Add features, refactor, or touch files that neither the merge nor its consequences need.',
  },
  review: {
    checkRequirements:
      'Take the criteria one by one, the `judged` ones above all, and the requirements in the issue that no criterion mentions.',
    must: '`MUST`: it is wrong, unsafe, breaks something, misses a requirement or a criterion, or has a test that proves nothing.',
    oneAtItsLine: 'One finding per cause, at the line where it is to be fixed.',
    evidence:
      'All six scores need `evidence` somebody can look up: a file and line (`src/tide.js:12`), or a command in backticks with its exit code (`npm test` exit code 0).',
    lowScore: 'A `MUST` finding and a high score for what it is about contradict each other.',
    inventNothing: 'Invent a finding to have one, or keep one back because there are many.',
  },
  verify: {
    passEvidence: 'The evidence is `path:line`, or a command in backticks with its exit code and what it printed.',
    fail: '`FAIL`: you saw it not hold.',
    failEvidence: 'The evidence says how it shows and where, so that somebody can fix it without asking.',
    doubt: 'Between `PASS` and anything else, doubt decides against `PASS`.',
    believeNobody:
      'Pass a criterion because a test with a fitting name exists, because the author says so, or because a similar one passed.',
    judgeAll: '`results`: `{ id, verdict, evidence }` for every criterion to judge, and no other.',
  },
} as const;
