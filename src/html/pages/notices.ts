// The pages of `sluice ui` for users without a session, and for refused requests.
import { html, type Markup } from '../markup.js';
import { layOutNotice } from './layout.js';

/** The reason why a request was not answered. The page's script reads its first paragraph. */
export function problemPage(style: string, title: string, sentence: string): Markup {
  return layOutNotice(title, style, html`<p>${sentence}</p><p><a href="/">To the runs</a></p>`);
}

/** Asks for the password; `wrong` is the reason why it asks again. */
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

/** The page after the link: a redirect would come without the cookie if the link was followed from another page. */
export function openedPage(style: string): Markup {
  return layOutNotice(
    'Opening',
    style,
    html`<p><a href="/">To the runs</a></p>`,
    html`<meta http-equiv="refresh" content="0; url=/">`,
  );
}

/** A file for a browser: it leads on to the pages, and does not tell them its own address. */
export function leadingPage(link: string): Markup {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sluice</title><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}"></head>
<body><p><a href="${link}">To the runs</a></p></body></html>
`;
}
