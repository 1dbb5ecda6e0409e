import { callApi } from '../kit/call-api.ts'
import { getStartPath, pageData } from '../kit/start-path.ts'

/** The part of the page that is shown now, as an address to return to. */
const getReturnTarget = (): string => location.pathname + location.search + location.hash

/** The sign-in page that leads back to this one. */
export const getSignInAddress = (): string => {
  const address = new URL(pageData.signInUrl)
  address.searchParams.set('return_to', getReturnTarget())
  return address.href
}

/** Leads to the sign-in page, and back from there. */
export const openSignIn = (): void => location.assign(getSignInAddress())

/** The sign-in page leads people who are signed in back at once. */
export const endSession = async (): Promise<void> => {
  await callApi('POST', '/api/2/auth/logout')
}

/** Ends the session, and leads to the sign-in page and back from there. */
export const signInAgain = async (): Promise<void> => {
  await endSession()
  openSignIn()
}

/** Leads to the identity provider, which asks the person for their password again, and back from there. */
export const openProvider = (id: number, kind?: 'oidc'): void => {
  const query = new URLSearchParams({ force_authn: 'true', return_to: getReturnTarget() })
  location.assign(`${getStartPath({ id, kind })}?${query}`)
}
