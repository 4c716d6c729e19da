import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { launchBrowser } from '../support/browser.js';

describe('the pages', () => {
  let p: TestPocket;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    p = await openPocket();
    browser = await launchBrowser();
    page = await browser.newPage();
  });

  afterAll(async () => {
    await browser.close();
    await p.close();
  });

  const path = (rest: string): string => `${p.pocket.urls.html}/ada/sandbox${rest}`;

  test('a person comments as a chosen user, and the App hears of it', async () => {
    await p.rest('wren').rest.issues.create({ ...p.at, title: 'The tap drips', body: 'All *night*.' });
    await page.goto(path('/issues/1'));
    expect(await page.locator('h1').innerText()).toBe('The tap drips #1');
    expect(await page.locator('.comment em').innerText()).toBe('night');
    await page.fill('textarea', '/auto\n\n- [x] heard');
    await page.selectOption('select', 'tess');
    await page.click('button');
    await page.waitForURL(/#latest$/);
    const last = page.locator('.comment').last();
    expect(await last.innerText()).toContain('tess');
    expect(await last.locator('input[type=checkbox]').isChecked()).toBe(true);
    const delivered = (await p.deliveries()).find((delivery) => delivery.event === 'issue_comment');
    expect(delivered?.payload).toMatchObject({
      action: 'created',
      comment: { body: '/auto\n\n- [x] heard', user: { login: 'tess' } },
    });
  });

  test('markup in a comment neither runs nor loads anything', async () => {
    const body =
      '<script>document.title = "owned"</script><img src="http://127.0.0.1:1/x" onerror="document.title=1"><a href="javascript:document.title=2">x</a><form action="/x"><input name="y"></form>';
    await p.rest('mallory').rest.issues.create({ ...p.at, title: '<b>Bold</b>', body });
    await page.goto(path('/issues/2'));
    expect(await page.title()).toBe('<b>Bold</b> · #2');
    expect(await page.locator('.comment script, .comment img, .comment form, .comment input').count()).toBe(0);
    expect(await page.locator('.comment a').getAttribute('href')).toBeNull();
  });

  test('a pull request shows its commits, its diff and its checks', async () => {
    const octokit = p.rest('wren');
    const { data: main } = await octokit.rest.git.getRef({ ...p.at, ref: 'heads/main' });
    await octokit.rest.git.createRef({ ...p.at, ref: 'refs/heads/topic', sha: main.object.sha });
    const content = Buffer.from('mind the tide\n').toString('base64');
    await octokit.rest.repos.createOrUpdateFileContents({
      ...p.at,
      path: 'NOTES.md',
      message: 'Note the tide',
      content,
      branch: 'topic',
    });
    const { data: pull } = await octokit.rest.pulls.create({ ...p.at, title: 'Notes', head: 'topic', base: 'main' });
    await p.rest('app').rest.checks.create({
      ...p.at,
      name: 'lint',
      head_sha: pull.head.sha,
      status: 'completed',
      conclusion: 'failure',
    });
    await page.goto(path(`/pull/${pull.number}`));
    expect(await page.locator('.diff .add').allInnerTexts()).toContain('+mind the tide');
    expect(await page.locator('.rows').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('Note the tide'), expect.stringContaining('failure')]),
    );
  });

  test('an address where nothing is says so', async () => {
    const response = await page.goto(path('/issues/999'));
    expect(response?.status()).toBe(404);
    expect(await page.locator('h1').innerText()).toBe('There is nothing at /ada/sandbox/issues/999');
  });
});

test('a form of another site cannot comment', async () => {
  const p = await openPocket();
  await p.rest('wren').rest.issues.create({ ...p.at, title: 'Quiet' });
  const response = await fetch(`${p.pocket.urls.html}/ada/sandbox/issues/1/comments`, {
    method: 'POST',
    headers: { origin: 'http://elsewhere.example' },
    body: new URLSearchParams({ as: 'ada', body: '/auto' }),
  });
  expect(response.status).toBe(403);
  expect((await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: 1 })).data).toEqual([]);
  await p.close();
});
