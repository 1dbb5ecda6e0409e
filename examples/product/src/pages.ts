import { html } from 'hono/html'
import type { Film } from './films.ts'
import type { Session } from './session-store.ts'

type Html = ReturnType<typeof html>

const page = (title: string, body: Html): Html => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title}</title>
    </head>
    <body>
      <main>
        <h1>${title}</h1>
        ${body}
      </main>
    </body>
  </html>`

const problems: Readonly<Record<string, string>> = {
  expired: 'The link or sign-in has expired. Please start again.',
  refused: 'You were not signed in. Please try again.',
}

/** The page for people who are not signed in, with the reason if a sign-in failed. */
export const showWelcome = (problem: string | undefined): Html =>
  page(
    'Media library',
    html`${problem && Object.hasOwn(problems, problem) ? html`<p role="alert">${problems[problem]}</p>` : ''}
      <p><a href="/login">Sign in</a></p>`,
  )

/** The films that a user or guest may see. Only users can share them. */
export const showFilms = ({ name, accessToken }: Session, films: readonly Film[]): Html =>
  page(
    'Media library',
    html`<p>Hello ${name}</p>
      <ul>
        ${films.map(
          ({ id, title }) =>
            html`<li>
              ${title}
              ${
                accessToken
                  ? html`<form method="post" action="/films/${id}/share">
                      <button aria-label="Share ${title}">Share</button>
                    </form>`
                  : ''
              }
            </li>`,
        )}
      </ul>
      <form method="post" action="/logout"><button>Sign out</button></form>`,
  )

/** The link to send to a guest. */
export const showLink = ({ title }: Film, url: string): Html =>
  page(
    `Share ${title}`,
    html`<p>Anyone with this link can see the film:</p>
      <p><a id="link" href="${url}">${url}</a></p>
      <p><a href="/">Back</a></p>`,
  )
