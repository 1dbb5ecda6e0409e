import { type ApiFailure, callApi } from './call-api.ts'
import { forgetValue, keepValue, readKeptValue } from './kept-values.ts'
import { leavePage } from './leave-page.ts'

const name = 'sign-in-query'
/** As long as a reset link works. */
const lifetimeMs = 30 * 60_000

/** What the sign-in page reads from its address. */
const parameters = ['return_to', 'login_hint', 'prompt', 'ui_locales']

/**
 * Keeps where the person wants to go while they reset their password. The browser keeps it, and the email does not
 * contain it: anyone can have a reset link sent to others, and must not decide where it leads.
 */
export const keepSignInQuery = (): void => {
  const query = new URLSearchParams(location.search)
  for (const parameter of [...query.keys()]) if (!parameters.includes(parameter)) query.delete(parameter)
  if (query.has('return_to')) keepValue('browser', name, query.toString(), lifetimeMs)
  else forgetValue('browser', name)
}

/** Returns the address of the sign-in page, with what this browser kept for it. */
export const getSignInAddress = (): string => {
  const query = readKeptValue('browser', name)
  return query === undefined ? '/' : `/?${query}`
}

/**
 * Opens the URL that the service gives for `returnTo`. For a product, it contains a ticket of the session: that of the
 * browser, or `bearer`. Returns the failure if the service gives none.
 */
export const openReturnUrl = async (
  returnTo: string,
  { bearer, onLeave }: { readonly bearer?: string; readonly onLeave?: () => void } = {},
): Promise<ApiFailure | undefined> => {
  const response = await callApi<{ readonly location: string }>('POST', '/api/2/auth/continue', {
    body: { return_to: returnTo },
    ...(bearer === undefined ? {} : { bearer }),
  })
  if (!response.isOk) return response
  onLeave?.()
  await leavePage(withOwnPlace(response.body.location), { replaces: true })
  return undefined
}

/**
 * Keeps the place in a page of the service, such as that of an emailed link to the console. Redirects to the sign-in page leave it in the
 * address, and the service never sees it. No other origin gets it.
 */
const withOwnPlace = (address: string): string => {
  const url = new URL(address, location.origin)
  const isOwn = url.origin === location.origin && url.hash === ''
  return isOwn && location.hash.startsWith('#/') ? address + location.hash : address
}
