// The frame of every page of `sluice ui`: the parts around its content, and the parts of it that stay up to date. The
// pages without a session, and for refused requests, are complete here.
import { html, type Markup } from '../html/markup.js';
import { nameState } from '../store/open-store.js';
import type { Live, PageContent, UiContext } from './page.js';
import { PATHS } from './paths.js';

/** A gate between two posts, and the water under it. */
const MARK = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0a58b5"/><path d="M8 6v20M24 6v20M8 7h16" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><path d="M11 10h10v7H11z" fill="#fff"/><path d="M11 24q1.7-3.4 3.4 0t3.3 0 3.3 0" fill="none" stroke="#9cc8ff" stroke-width="2.4" stroke-linecap="round"/></svg>`;
const ICON = `data:image/svg+xml,${encodeURIComponent(String(MARK))}`;

const NAVIGATION = [
  [PATHS.runs, 'Runs'],
  [PATHS.jobs, 'Jobs'],
  [PATHS.drop, 'Try a file'],
] as const;

/** A part of a page that stays up to date; the rows of its lists have an id each. */
export function liveSection(id: string, content: Markup): Live {
  return { id, markup: html`<section id="${id}">${content}</section>` };
}

/** Whether the page at `path` belongs to that entry: a run, its leads and their lines belong to the runs. */
function isWithin(target: string, path: string): boolean {
  const folder = target === PATHS.runs ? PATHS.allRuns : `${target}/`;
  return target === path || path.startsWith(folder);
}

export type Shell = ReturnType<typeof shellOf>;

/** The whole documents that browsers get: what is around the contents of pages, and pages without a session. */
export function shellOf(
  { isReadOnly, state }: Pick<UiContext, 'isReadOnly' | 'state'>,
  { script, style }: { readonly script: string; readonly style: string },
) {
  const document = (title: string, head: Markup, body: Markup): string =>
    String(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · Sluice</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${style}">${head}</head>
<body>${body}</body></html>
`);
  const notice = (title: string, content: Markup, head = html``): string =>
    document(
      title,
      head,
      html`<header class="top"><span class="brand">${MARK}Sluice</span></header>
<main><h1>${title}</h1>
${content}</main>`,
    );
  return {
    /** The entry of the navigation to which `path` belongs is marked. */
    page: (path: string, { body, isFinal = false, live = [], title }: PageContent): string => {
      const entries = NAVIGATION.map(([target, name]) => {
        const current =
          isWithin(target, path) && html` aria-current="${target === path ? 'page' : 'true'}"`;
        return html`<a href="${target}"${current}>${name}</a>`;
      });
      return document(
        title,
        html`<script type="module" src="${script}"></script>`,
        html`<a class="skip" href="#content">To the content</a>
<header class="top"><a class="brand" href="${PATHS.runs}">${MARK}Sluice</a><nav aria-label="Pages">${entries}</nav>
<span class="grow"></span>${isReadOnly && html`<span class="badge idle">Read-only</span>`}
<span class="quiet" id="live-state" role="status"></span>
<button class="plain" type="button" id="pause-live" aria-pressed="false" hidden>Pause<span> updates</span></button></header>
<main id="content"${live.length > 0 && !isFinal && html` data-live`}><p class="notice warn" id="live-trouble" role="alert" hidden></p>
${body}</main>
<footer>These pages ${isReadOnly && 'only '}show ${nameState(state)}. ${!isReadOnly && html`<a href="${PATHS.forget}">Forget people</a>. `}<span id="zone">Times are in UTC.</span></footer>`,
      );
    },
    /** The reason why a request was not answered. The page's script reads its first paragraph. */
    problem: ({ message, title }: { title: string; message: string }): string =>
      notice(title, html`<p>${message}</p><p><a href="${PATHS.runs}">To the runs</a></p>`),
    /** Asks for the password; `wrong` is the reason why it asks again. */
    signIn: (wrong?: string): string => {
      const trouble = wrong !== undefined && html`<p class="notice bad" role="alert">${wrong}</p>`;
      return notice(
        'Sign in',
        html`<p>Sign in to go on.</p>${trouble}<form class="stack" method="post" action="${PATHS.signIn}">
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus></div>
<button class="main">Sign in</button></form>`,
      );
    },
    /** The page after the link: a redirect would come without the cookie if the link was followed from another page. */
    opened: (): string =>
      notice(
        'Opening',
        html`<p><a href="${PATHS.runs}">To the runs</a></p>`,
        html`<meta http-equiv="refresh" content="0; url=${PATHS.runs}">`,
      ),
  };
}

/** A file for a browser: it leads on to the pages, and does not tell them its own address. */
export function leadingPage(link: string): Markup {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sluice</title><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}"></head>
<body><p><a href="${link}">To the runs</a></p></body></html>
`;
}
