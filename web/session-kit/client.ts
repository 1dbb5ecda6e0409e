import { createClient, type LatchkeyClient } from '../../lib/client/create-client.ts'
import { callApi } from '../kit/call-api.ts'
import { pageData } from '../kit/start-path.ts'
import { watchRequest } from '../kit/waiting.ts'

/** The typed client of this service. The browser sends the session cookie, and the page notices when the session has ended. */
export const client: LatchkeyClient = createClient({
  baseUrl: location.origin,
  headers: { 'Accept-Language': pageData.language },
  // Pages are only served where the browser reaches the service.
  allowsHttp: true,
  fetch: async (url, init) => {
    const response = await watchRequest(fetch(url, init))
    if (response.status === 401) reportSignedOut()
    return response
  },
})

/** A question to the person about their session, which `SessionDialogs` shows. */
export type Prompt =
  | { readonly kind: 'identity'; readonly finish: (isConfirmed: boolean) => void }
  | { readonly kind: 'signed_out' }

let show: ((prompt: Prompt | undefined) => void) | undefined

/** Connects the component that shows prompts. Returns the function that disconnects it. */
export const connectPrompts = (component: (prompt: Prompt | undefined) => void): (() => void) => {
  show = component
  return () => {
    show = undefined
  }
}

/** Asks the person to confirm their identity. Returns whether they did. */
export const askForIdentity = (): Promise<boolean> =>
  new Promise((resolve) => {
    if (!show) throw new Error('The page shows no SessionDialogs.')
    show({
      kind: 'identity',
      finish: (isConfirmed) => {
        show?.(undefined)
        resolve(isConfirmed)
      },
    })
  })

/** Leads a person whose session has ended to the sign-in page. */
export const reportSignedOut = (): void => show?.({ kind: 'signed_out' })

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
export const openProvider = (startPath: string): void => {
  const query = new URLSearchParams({ force_authn: 'true', return_to: getReturnTarget() })
  location.assign(`${startPath}?${query}`)
}
