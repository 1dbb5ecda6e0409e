import { forgetValue, keepValue, readKeptValue } from '../kit/kept-values.ts'

/*
 * The token of the invitation arrives in the fragment of the address, which no server gets. The address bar is visible to
 * others, so the token moves to the history entry, where a reload finds it. A sign-in with a company account leaves the
 * page, so the tab keeps the token until the person returns.
 */

const name = 'invitation'
/** As long as a sign-in at an identity provider may take. */
const lifetimeMs = 10 * 60_000

/** Moves a token from the address to the history entry. Pasting another link into the tab starts the page again. */
export const watchToken = (): void => {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given !== null) history.replaceState({ token: given }, '', location.pathname + location.search)
  addEventListener('hashchange', () => location.reload())
}

/** The token of this page. Undefined if the page was opened without one. */
export const readToken = (): string | undefined => {
  const state: { readonly token?: unknown } = history.state ?? {}
  return typeof state.token === 'string' ? state.token : readKeptValue('tab', name)
}

/** Keeps the token while the tab shows another site. */
export const keepToken = (token: string): void => keepValue('tab', name, token, lifetimeMs)

/** Forgets a token that does not work any more. */
export const forgetToken = (): void => {
  history.replaceState(null, '', location.pathname + location.search)
  forgetValue('tab', name)
}
