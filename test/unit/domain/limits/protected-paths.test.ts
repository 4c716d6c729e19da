import { describe, expect, test } from '@jest/globals';
import { protectedPaths } from '../../../../src/domain/limits/protected-paths.js';

describe('protected by default', () => {
  const isProtected = protectedPaths([]);

  test.each([
    '.github/workflows/ci.yml',
    '.github/actions/setup/action.yml',
    '.github/sluice.yml',
    '.github/CODEOWNERS',
    '.github/dependabot.yml',
    '.github',
    'CODEOWNERS',
    'docs/CODEOWNERS',
    '.circleci/config.yml',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    'azure-pipelines.yml',
    'azure-pipelines-nightly.yml',
    '.travis.yml',
    '.buildkite/pipeline.yml',
    'bitbucket-pipelines.yml',
    '.drone.yml',
    'appveyor.yml',
    '.woodpecker.yml',
    '.woodpecker/test.yml',
    '.teamcity/settings.kts',
    '.claude/settings.json',
    '.mcp.json',
  ])('%s', (path) => {
    expect(isProtected(path)).toBe(true);
  });

  test.each([
    'README.md',
    'CLAUDE.md',
    'src/.github.ts',
    'src/github/workflows/ci.yml',
    'examples/.github/workflows/ci.yml',
    'docs/CODEOWNERS.md',
    'lib/Jenkinsfile.js',
    '.githooks/pre-commit',
    'github~tilde',
    '.githubx/a',
  ])('but not %s', (path) => {
    expect(isProtected(path)).toBe(false);
  });

  test.each([
    ['letter case', '.GitHub/Workflows/X.yml'],
    ['a dot at the end', '.github./workflows/x.yml'],
    ['a blank at the end', '.github /workflows/x.yml'],
    ['a zero-width letter', '.git\u200chub/workflows/x.yml'],
    ['a soft hyphen', '.git\u00adhub/sluice.yml'],
    ['a byte order mark', '\ufeff.github/sluice.yml'],
    ['the short name of Windows', 'GITHUB~1/workflows/x.yml'],
    ['the other short name of Windows', 'gi1a2b~2/workflows/x.yml'],
    ['a stream of NTFS', '.github::$INDEX_ALLOCATION/workflows/x.yml'],
    ['wide letters', '.ｇｉｔｈｕｂ/sluice.yml'],
    ['the Kelvin sign', '.build\u212aite/pipeline.yml'],
    ['a long s', 'CODEOWNER\u017f'],
    ['backslashes', '.github\\workflows\\x.yml'],
    ['an empty step', '.github/.\u200b/workflows/x.yml'],
  ])('whatever some system takes for the same name: %s', (_, path) => {
    expect(isProtected(path)).toBe(true);
  });
});

describe('what a repository says', () => {
  test('adds to it, and names folders as well as files', () => {
    const isProtected = protectedPaths(['deploy', 'infra/**/*.tf', '**/AGENTS.md']);
    for (const path of [
      'deploy',
      'deploy/a/b.sh',
      'Deploy/x',
      'infra/a.tf',
      'infra/b/c/d.tf',
      'AGENTS.md',
      'x/AGENTS.md',
    ])
      expect([path, isProtected(path)]).toEqual([path, true]);
    for (const path of ['deployment.md', 'infra/a.md', 'src/deploy/a.ts'])
      expect([path, isProtected(path)]).toEqual([path, false]);
  });

  test('takes defaults away, for the very spelling only', () => {
    const isProtected = protectedPaths(['!.claude/**', '!.github/ISSUE_TEMPLATE/**']);
    expect(isProtected('.claude/settings.json')).toBe(false);
    expect(isProtected('.github/ISSUE_TEMPLATE/bug.yml')).toBe(false);
    expect(isProtected('.github/dependabot.yml')).toBe(true);
    expect(isProtected('.Claude/settings.json')).toBe(true);
  });

  test('never takes away what would switch the rest off', () => {
    const isProtected = protectedPaths(['!.github/**', '!**']);
    for (const path of ['.github/workflows/ci.yml', '.github/actions/a/action.yml', '.github/sluice.yml', '.github'])
      expect([path, isProtected(path)]).toEqual([path, true]);
    expect(isProtected('.github/CODEOWNERS')).toBe(false);
  });

  test('has the last word where it says two things', () => {
    expect(protectedPaths(['!.claude/**', '.claude/hooks/**'])('.claude/hooks/a.sh')).toBe(true);
  });
});
