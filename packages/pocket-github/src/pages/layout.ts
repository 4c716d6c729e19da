import { type Html, html, trusted } from './html.js';

const STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --page: #ffffff; --box: #f6f8fa; --link: #0969da; --green: #1a7f37; --red: #d1242f; --amber: #9a6700; --purple: #8250df; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --page: #0d1117; --box: #151b23; --link: #4493f8; --green: #3fb950; --red: #f85149; --amber: #d29922; --purple: #ab7df8; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
header, main, footer { max-width: 960px; margin: 0 auto; padding: 12px 20px; }
header { display: flex; gap: 12px; align-items: baseline; border-bottom: 1px solid var(--line); }
header b { font-size: 16px; }
h1 { font-size: 24px; margin: 16px 0 4px; } h2 { font-size: 17px; margin: 28px 0 8px; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
.soft { color: var(--soft); } .mono, pre, code { font-family: ui-monospace, monospace; font-size: 13px; }
.badge { display: inline-block; padding: 1px 10px; border-radius: 12px; color: #fff; font-size: 13px; font-weight: 600; }
.open { background: var(--green); } .closed { background: var(--purple); } .unmerged { background: var(--red); } .draft { background: var(--soft); }
.label { display: inline-block; padding: 0 8px; margin-right: 4px; border-radius: 10px; font-size: 12px; border: 1px solid var(--line); }
.rows { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; } .rows > * { padding: 8px 14px; border-top: 1px solid var(--line); } .rows > :first-child { border-top: 0; }
.comment { border: 1px solid var(--line); border-radius: 6px; margin: 14px 0; overflow: hidden; } .comment > .who { background: var(--box); padding: 6px 14px; border-bottom: 1px solid var(--line); } .comment > .body { padding: 4px 14px; overflow-wrap: anywhere; }
.event { margin: 8px 14px; color: var(--soft); font-size: 14px; }
pre { background: var(--box); padding: 10px; border-radius: 6px; overflow-x: auto; } code { background: var(--box); padding: 1px 4px; border-radius: 4px; } pre code { padding: 0; }
table { border-collapse: collapse; display: block; width: max-content; max-width: 100%; overflow: auto; overflow-wrap: normal; } th, td { border: 1px solid var(--line); padding: 4px 10px; text-align: left; }
blockquote { margin: 0; padding-left: 12px; border-left: 3px solid var(--line); color: var(--soft); }
.diff span { display: block; white-space: pre; } .diff .add { color: var(--green); } .diff .del { color: var(--red); } .diff .hunk { color: var(--soft); }
.success { color: var(--green); } .failure { color: var(--red); } .pending { color: var(--amber); }
textarea { width: 100%; min-height: 110px; font: inherit; padding: 8px; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 6px; }
select, button { font: inherit; padding: 5px 12px; border: 1px solid var(--line); border-radius: 6px; color: inherit; background: var(--box); } button { background: var(--green); color: #fff; border: 0; font-weight: 600; cursor: pointer; }
form .controls { display: flex; gap: 8px; justify-content: flex-end; align-items: center; margin-top: 8px; }
li:has(> input[type=checkbox]) { list-style: none; } li > input[type=checkbox] { margin-left: -20px; }
`;

/** The frame around every page. */
export function layout(
  title: string,
  crumbs: readonly { readonly text: string; readonly href: string }[],
  content: Html,
): string {
  const trail = crumbs.map(({ text, href }) => html`<span class="soft">/</span> <a href="${href}">${text}</a> `);
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${trusted(STYLE)}</style></head>
<body>
<header><a href="/"><b>Pocket GitHub</b></a> ${trail}</header>
<main>${content}</main>
</body>
</html>
`.markup;
}
