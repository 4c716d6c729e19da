import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { renderHelp } from '../../../src/domain/commands/command-help.js';
import { refusalText } from '../../../src/domain/render/replies/refusals.js';
import { openPocket, type TestPocket } from '#pocket-github/test/test-pocket';
import { type StatusExampleName, STATUS_EXAMPLES } from '../../support/domain/status-examples.js';
import { launchBrowser } from '#pocket-github/test/browser';
import { commentsOf } from '../../support/domain/rendered.js';

/* Our comments as people see them. SLUICE_SCREENSHOTS names a folder to leave pictures in. */

const PICTURES = process.env['SLUICE_SCREENSHOTS'];
const EXAMPLE_NAMES = Object.keys(STATUS_EXAMPLES) as StatusExampleName[];

describe('our comments on a page', () => {
  let p: TestPocket;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    p = await openPocket();
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  });

  afterAll(async () => {
    await browser.close();
    await p.close();
  });

  /** An issue with these comments by the App, opened. */
  async function show(title: string, bodies: readonly string[]): Promise<void> {
    const { data } = await p.rest('wren').rest.issues.create({ ...p.at, title, body: 'Uploads break.' });
    for (const body of bodies)
      await p.rest('app').rest.issues.createComment({ ...p.at, issue_number: data.number, body });
    await page.goto(`${p.pocket.urls.html}/ada/sandbox/issues/${data.number}`);
    if (PICTURES === undefined) return;
    await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
    await page.screenshot({ path: `${PICTURES}/${title}.png`, fullPage: true });
  }

  /** What a person reads in a comment, without code, where anything may stand. */
  async function readText(comment: number): Promise<string> {
    const box = page.locator('.comment').nth(comment);
    return box.evaluate((element) => {
      const copy = element.cloneNode(true) as {
        querySelectorAll(css: string): Iterable<{ remove(): void }>;
        textContent: string;
      };
      for (const code of copy.querySelectorAll('code, pre')) code.remove();
      return copy.textContent;
    });
  }

  test.each(EXAMPLE_NAMES)('%s: one table, nothing raw, nobody called, nothing loaded', async (name) => {
    const { snapshot, policy } = STATUS_EXAMPLES[name];
    const comments = commentsOf(snapshot, policy);
    await show(
      name,
      comments.map(({ body }) => body),
    );
    const status = 1 + comments.findIndex(({ slot }) => slot === 'status');
    const box = page.locator('.comment').nth(status);
    expect(await box.locator('table').count()).toBe(1);
    expect(await box.locator('h3').count()).toBe(1);
    expect(await box.locator('details').count()).toBe(2);
    expect(await box.locator('thead th').allInnerTexts()).toEqual(['', 'phase', 'runs', 'time', 'cost', 'notes']);
    for (const [index] of comments.entries()) {
      const text = await readText(1 + index);
      expect({ name, raw: /\*\*|\|---|<\/?\w+>|&\w+;|sluice:|```|\\[/|[]/.exec(text)?.[0] }).toEqual({
        name,
        raw: undefined,
      });
      expect(text).not.toMatch(/(^|\W)@\w/);
    }
    expect(await page.locator('.comment img').count()).toBe(0);
  });

  test('help: a table of commands, options and examples folded away', async () => {
    await show('help', [renderHelp()]);
    const box = page.locator('.comment').nth(1);
    expect(await box.locator('table').count()).toBe(3);
    expect(await box.locator('details').count()).toBe(2);
    expect(await readText(1)).not.toMatch(/\*\*|\|---|<\/?\w+>/);
  });

  test('refusals are one paragraph with a command to copy', async () => {
    const refusals = [
      refusalText({ kind: 'no-permission', login: 'mallory', needs: 'write' }),
      refusalText({ kind: 'label', login: 'tess', label: 'phase/ready' }),
      refusalText({ kind: 'already-running', number: 7 }),
    ];
    await show('refusals', refusals);
    for (const [index] of refusals.entries()) {
      const box = page.locator('.comment').nth(1 + index);
      expect(await box.locator('p').count()).toBe(1);
      expect(await box.locator('code').count()).toBeGreaterThan(0);
    }
  });
});
