/**
 * The demo's repository: a small library with real tests, and an issue of every size in words the brain understands. A seed for Pocket
 * GitHub.
 */
export const DEMO_SEED = `users:
  - { login: ada, name: Ada Marsh }
  - { login: wren, name: Wren Okafor }
  - { login: mallory }
apps:
  - slug: sluice-dev
    owner: ada
    permissions:
      { checks: write, contents: write, issues: write, metadata: read, pull_requests: write, statuses: read }
    events:
      [check_run, check_suite, issue_comment, issue_dependencies, issues, pull_request, pull_request_review, status, sub_issues]
    installed: [{ account: ada }]
repositories:
  - name: ada/tideline
    description: Times of high water, for people who forget
    collaborators: { wren: write }
    ci:
      - { name: test, run: node --test }
    files:
      .github/sluice.yml: |
        test: node --test
        checks: [test]
      README.md: |
        # tideline

        \`highWater(moonAge)\` says how many hours after noon the tide is high. For people who forgett.
      package.json: |
        { "name": "tideline", "version": "1.0.0", "type": "module", "scripts": { "test": "node --test" } }
      src/tide.js: |
        /** Hours after noon at which the tide is high, for a moon this many days old. */
        export function highWater(moonAge) {
          return (moonAge * 0.8) % 12;
        }
      test/tide.test.js: |
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import { highWater } from '../src/tide.js';

        test('a new moon brings high water at noon', () => assert.equal(highWater(0), 0));
    issues:
      - title: A negative moon age gives a negative hour
        author: wren
        body: |
          \`highWater(-1)\` comes out as -0.8, and no clock shows that.

          Wanted: \`highWater\` in \`src/tide.js\` throws a \`RangeError\` when \`moonAge < 0\`, as in \`highWater(-1)\`. That is
          one file and a test.

          - [ ] A new moon still brings high water at noon <!-- verify: command "node --test test/tide.test.js" -->
      - title: Say how long until the next low water
        author: ada
        body: |
          People ask when they can walk to the island.

          Wanted: \`untilLowWater(moonAge, hour)\` in \`src/tide.js\` returns \`(highWater(moonAge) + 30 - hour) % 12\`, so
          \`untilLowWater(0, 0)\` is \`6\` and \`untilLowWater(0, 8)\` is \`10\`. There are 24 hours in a day:
          \`untilLowWater\` throws a \`RangeError\` when \`hour < 0 || hour >= 24\`, as in \`untilLowWater(0, 24)\`.

          About three files: code, test, README.
      - title: A typo in the README
        author: wren
        body: |
          Replace \`forgett\` with \`forget\` in \`README.md\`. One line.
      - title: Spring tides and neap tides
        author: ada
        body: |
          The height matters as much as the hour, for boats.

          - \`moonPhase(moonAge)\` in \`src/moon.js\` returns \`(moonAge % 29.5) / 29.5\`; \`moonPhase(0)\` is \`0\`.
          - \`isSpringTide(moonAge)\` in \`src/spring.js\` returns \`moonPhase(moonAge) % 0.5 < 0.1\`; \`isSpringTide(0)\` is \`true\`.
          - \`isNeapTide(moonAge)\` in \`src/neap.js\` returns \`!isSpringTide(moonAge) && moonPhase(moonAge) % 0.5 > 0.2\`;
            \`isNeapTide(7)\` is \`true\`.
          - \`moonPhase\` throws a \`RangeError\` when \`moonAge < 0\`, as in \`moonPhase(-1)\`.

          About seven files.
      - title: Tides for the whole world
        author: ada
        body: |
          Several independent parts: harbours, time zones, a web page. \`harbour(name)\` in \`src/harbour.js\` returns \`name\`.
`;
