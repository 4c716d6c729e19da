/* Git scripts for a clone. They run in the sandbox, because the clone is the agent's and git trusts its settings. */

/** Exit codes of the scripts below. */
export const FOUND = {
  submodule: 71,
  lfs: 72,
  nothing: 80,
  'moved-back': 81,
  'too-large': 82,
} as const;

/** Refuses content that would be incomplete: submodules, nested repositories and LFS files. */
const refuseUnsupported = (commit: string): string => `
if git ls-tree -r "${commit}" | grep -q '^160000 '; then exit ${FOUND.submodule}; fi
if git grep -q -E '(^|[[:space:]])filter=lfs([[:space:]]|$)' "${commit}" -- ':(glob)**/.gitattributes'; then exit ${FOUND.lfs}; fi
`;

/** Needs OBJECTS, AT, BASE, NAME, EMAIL. The branch `base` is there to compare with. */
export const OPEN = `
set -eu
git init --quiet --template= --initial-branch=work .
mkdir -p .git/info .git/objects/info
printf '%s\\n' "$OBJECTS" > .git/objects/info/alternates
git config user.name "$NAME"
git config user.email "$EMAIL"
git config gc.auto 0
git rev-parse --quiet --verify "$AT^{commit}" > /dev/null
${refuseUnsupported('$AT')}
git update-ref refs/heads/base "$BASE"
git reset --quiet --hard "$AT"
`;

/** Changes by setup are not the agent's work: tracked files are restored, new ones ignored. */
export const AFTER_SETUP = `
set -eu
git reset --quiet --hard
git -c core.quotePath=false ls-files --others --exclude-standard --directory |
  sed 's/[][*?\\\\!#]/\\\\&/g; s|^|/|' >> .git/info/exclude
`;

/** Limits for a clone that was filled up: more new files than this, or files above 1 MB, are not part of the work. */
const MOST_NEW = 2_000;
const LARGEST_BLOCKS = 2_049;

/** Needs GIT_DIR, GIT_WORK_TREE, START, MESSAGE, BUNDLE, MAX_BYTES. Leaves everything since START in BUNDLE. */
export const COLLECT = `
set -eu
git() { command git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c commit.gpgSign=false "$@"; }
# Whoever was killed in the middle of something leaves its locks, and a rebase leaves a part of the work: the branch has all of it.
find "$GIT_DIR" -name '*.lock' -not -path "$GIT_DIR/objects/*" -delete
if [ -d "$GIT_DIR/rebase-merge" ] || [ -d "$GIT_DIR/rebase-apply" ]; then git rebase --abort > /dev/null 2>&1 || true; fi
if [ -n "\${ESSENTIALS:-}" ]; then
  # A flood of new files is no work; neither are large ones. What git knows already, and what is small, is kept.
  NEW=--others
  if [ "$(git ls-files --others --exclude-standard | head -n ${MOST_NEW + 1} | wc -l)" -gt ${MOST_NEW} ]; then NEW=; fi
  git ls-files -z --deleted | git update-index -z --remove --stdin
  git ls-files -z --modified $NEW --exclude-standard | sed -z 's|^|./|' |
    xargs -0 -r sh -c 'find "$@" -prune "(" -type f -size -${LARGEST_BLOCKS} -o -type l ")" -print0 2>/dev/null || true' sh |
    GIT_LITERAL_PATHSPECS=1 git add --pathspec-from-file=- --pathspec-file-nul
else
  git add --all
fi
git diff --cached --quiet || git commit --quiet --no-verify --message "$MESSAGE"
if [ "$(git rev-parse --verify 'HEAD^{commit}')" = "$START" ]; then exit ${FOUND.nothing}; fi
${refuseUnsupported('HEAD')}
if [ -z "$(git rev-list --max-count=1 HEAD "^$START")" ]; then exit ${FOUND['moved-back']}; fi
# Cut off, so that it cannot fill the disk: a pipe that ends early makes git end, too.
git bundle create --quiet --version=2 - HEAD "^$START" | head -c "$((MAX_BYTES + 1))" > "$BUNDLE"
[ -s "$BUNDLE" ] || exit 1
if [ "$(wc -c < "$BUNDLE")" -gt "$MAX_BYTES" ]; then exit ${FOUND['too-large']}; fi
`;
