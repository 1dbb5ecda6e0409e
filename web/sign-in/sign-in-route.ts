import { type ApiResponse, callApi } from '../kit/call-api.ts'
import { keepValue, readKeptValue } from '../kit/kept-values.ts'
import { pageData } from '../kit/start-path.ts'
import { buildProviderUrl, keepLinkForProvider, request } from './sign-in-options.ts'

interface Route {
  readonly login_url: string | null
}

/** Opens the identity provider that a route leads to. Returns whether there is one. */
const openRoute = ({ login_url: url }: Route, open: (url: string) => void): boolean => {
  if (url === null) return false
  keepLinkForProvider()
  open(buildProviderUrl(url))
  return true
}

/** Leads to the identity provider of an address. The body says whether the page leaves. */
export const followAddress = async (username: string): Promise<ApiResponse<boolean>> => {
  const response = await callApi<Route>('POST', '/api/2/auth/sign-in-route', { body: { username } })
  return response.isOk
    ? { ...response, body: openRoute(response.body, (url) => location.assign(url)) }
    : response
}

const name = 'followed-hints'
/** As long as a sign-in at an identity provider may take. */
const lifetimeMs = 10 * 60_000

/** What the address of the page says about the identity provider. Undefined if it says nothing that can lead to one. */
const readHints = (): Readonly<Record<string, string>> | undefined => {
  const { loginHint, domainHint, connection } = request
  const byDomain = pageData.hasDomains ? { username: loginHint, domain: domainHint } : {}
  const given = Object.entries({ ...byDomain, connection }).filter(([, value]) => value !== '')
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** Whether the page leads to an identity provider without a question. It does so once for an address of the page. */
export const hasHints = (): boolean =>
  readHints() !== undefined && readKeptValue('tab', name) !== location.search

/**
 * Leads to the identity provider that the address of the page names. Returns whether it leaves. The tab keeps that it did:
 * someone who comes back, or whom the provider refuses, then sees the form.
 */
export const followHints = async (): Promise<boolean> => {
  const response = await callApi<Route>('POST', '/api/2/auth/sign-in-route', { body: readHints() ?? {} })
  return (
    response.isOk &&
    openRoute(response.body, (url) => {
      keepValue('tab', name, location.search, lifetimeMs)
      location.replace(url)
    })
  )
}
