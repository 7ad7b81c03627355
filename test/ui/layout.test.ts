import { expect, it } from 'vitest';
import { html } from '../../src/html/markup.js';
import { liveSection, shellOf } from '../../src/ui/layout.js';

const ASSETS = { style: '/assets/d1/style.css', script: '/assets/d1/page.js' };
const LIVE = liveSection('here', html`<h1>Here</h1>`);
const CONTENT = { title: 'Run <7>', body: LIVE.markup, live: [LIVE] };
const shell = (isReadOnly = false) => shellOf({ isReadOnly, state: 'a&b.db' }, ASSETS);

it('frames a page: its title, its place in the navigation, what it loads', () => {
  const text = shell().page('/', CONTENT);
  expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(text).toContain('<title>Run &lt;7&gt; · Sluice</title>');
  expect(text).toContain('<a href="/" aria-current="page">Runs</a>');
  expect(text).toContain('<script type="module" src="/assets/d1/page.js"></script>');
  expect(text).toContain('<footer>These pages show the state file a&amp;b.db. <a href="/forget">');
  expect(text).toContain('<main id="content" data-live>');
  expect(text).not.toContain('Read-only');
});

it.each([
  ['/runs', '/'],
  ['/runs/7', '/'],
  ['/runs/7/leads', '/'],
  ['/runs/7/lines/3', '/'],
  ['/jobs/nightly', '/jobs'],
  ['/jobs/nightly/compare', '/jobs'],
])('marks where %s belongs in the navigation', (path, target) => {
  const text = shell().page(path, CONTENT);
  expect(text.match(/href="[^"]*" aria-current="[^"]*"/g)).toEqual([
    `href="${target}" aria-current="true"`,
  ]);
});

it('says that it is only for reading, and that nothing on it changes by itself', () => {
  const text = shell(true).page('/', { ...CONTENT, isFinal: true });
  expect(text).toContain('Read-only');
  expect(text).toContain('<main id="content">');
  expect(text).toContain('<footer>These pages only show the state file a&amp;b.db. <span');
});

it('names a part that changes by its id', () => {
  const { id, markup } = liveSection('runs', html`<p>1</p>`);
  expect(id).toBe('runs');
  expect(String(markup)).toBe('<section id="runs"><p>1</p></section>');
});

it('has pages for who has no session, without a script', () => {
  const problem = shell().problem({ title: 'Open <it>', message: 'Do "this".' });
  expect(problem).toContain('<p>Do &quot;this&quot;.</p>');
  const signIn = shell().signIn('Wrong <one>.');
  expect(signIn).toContain('<form class="stack" method="post" action="/sign-in">');
  expect(signIn).toContain('Wrong &lt;one&gt;.');
  const opened = shell().opened();
  expect(opened).toContain('<meta http-equiv="refresh" content="0; url=/">');
  for (const text of [problem, signIn, opened]) expect(text).not.toContain('<script');
});
