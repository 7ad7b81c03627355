// The pages of `sluice ui` for who has no session yet, and for what is refused.
import { html, type Markup } from '../markup.js';
import { layOutNotice } from './layout.js';

/** Why a request was not answered. The page's script reads its first paragraph. */
export function problemPage(style: string, title: string, sentence: string): Markup {
  return layOutNotice(title, style, html`<p>${sentence}</p><p><a href="/">To the runs</a></p>`);
}

/** Asks for the password; `wrong` says why once more. */
export function signInPage(style: string, wrong?: string): Markup {
  const trouble = wrong !== undefined && html`<p class="notice bad" role="alert">${wrong}</p>`;
  return layOutNotice(
    'Sign in',
    style,
    html`<p>Sign in to go on.</p>${trouble}<form class="stack" method="post" action="/sign-in">
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus></div>
<button class="main">Sign in</button></form>`,
  );
}

/** After the link: a redirect would come without the cookie where the link was followed from another page. */
export function openedPage(style: string): Markup {
  return layOutNotice(
    'Opening',
    style,
    html`<p><a href="/">To the runs</a></p>`,
    html`<meta http-equiv="refresh" content="0; url=/">`,
  );
}

/** A file for a browser: leads on to the pages, and says nothing of where it was. */
export function leadingPage(link: string): Markup {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sluice</title><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}"></head>
<body><p><a href="${link}">To the runs</a></p></body></html>
`;
}
