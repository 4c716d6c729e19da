/** The world `sluice pocket` starts with when it is not given one: a small library with real tests and two open issues. */
export const SAMPLE_SEED = `users:
  - { login: ada, name: Ada Marsh }
  - { login: wren, name: Wren Okafor }
  - { login: mallory }
apps:
  - slug: sluice-dev
    owner: ada
    permissions:
      { checks: write, contents: write, issues: write, merge_queues: write, metadata: read, pull_requests: write, statuses: write }
    events:
      [check_run, check_suite, issue_comment, issue_dependencies, issues, pull_request, pull_request_review, push, status, sub_issues]
    installed: [{ account: ada }]
repositories:
  - name: ada/tideline
    description: Times of high water, for people who forget
    collaborators: { wren: write }
    labels:
      - { name: bug, color: d73a4a, description: Something is not right }
      - { name: phase/ready, color: 0e8a16, description: Ready to be worked on }
    ci:
      - { name: test, run: node --test }
    files:
      README.md: |
        # tideline

        \`highWater(moonAge)\` says how many hours after noon the tide is high.
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
        labels: [bug]
        body: |
          \`highWater(-1)\` is -0.8. It should be refused with a RangeError.
      - title: Say how long until the next low water
        author: ada
        body: |
          A function \`untilLowWater(moonAge, hour)\` beside \`highWater\`, with tests.
        comments:
          - { author: wren, body: Six hours after high water is close enough. }
`;
