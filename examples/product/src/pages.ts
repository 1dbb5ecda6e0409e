import type { UserOrganization } from '@latchkey/middleware'
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
      ${accessToken ? html`<p><a href="/company">Your company</a></p>` : ''}
      <form method="post" action="/logout"><button>Sign out</button></form>`,
  )

/** The films of a company. Latchkey's own pages invite colleagues and manage the rest. */
export const showCompany = (
  { id, name, roles }: UserOrganization,
  films: readonly string[],
  latchkeyUrl: string,
): Html => {
  const manage = `${latchkeyUrl}/organization#/${id}`
  return page(
    name,
    html`<ul>
        ${films.map((title) => html`<li>${title}</li>`)}
      </ul>
      ${
        roles.includes('owner')
          ? html`<form method="post" action="/company/films">
                <label>Title <input name="title" required /></label>
                <button>Add</button>
              </form>
              <ul>
                <li><a href="${manage}/invitations">Invite a colleague</a></li>
                <li><a href="${manage}/api-tokens">API tokens</a></li>
                <li><a href="${manage}">Members, company sign-in and settings</a></li>
              </ul>`
          : ''
      }
      <p><a href="/login">Switch to another company</a></p>
      <p><a href="/">Back</a></p>`,
  )
}

export const showNoCompany = (latchkeyUrl: string): Html =>
  page(
    'No company',
    html`<p>You are in no company. Open your invitation, or see <a href="${latchkeyUrl}/account">your account</a>.</p>
      <p><a href="/">Back</a></p>`,
  )

/** The link to send to a guest. */
export const showLink = ({ title }: Film, url: string): Html =>
  page(
    `Share ${title}`,
    html`<p>Anyone with this link can see the film:</p>
      <p><a id="link" href="${url}">${url}</a></p>
      <p><a href="/">Back</a></p>`,
  )
