import { signInQuestionPath } from '../../lib/kernel/contract/page-data.ts'
import type { ApiResponse } from '../kit/call-api.ts'
import { callWithProof } from '../kit/call-with-proof.ts'
import { forgetValue, keepValue, readKeptValue } from '../kit/kept-values.ts'
import { leavePage } from '../kit/leave-page.ts'
import { pageData } from '../kit/start-path.ts'

/** What the address asks of the page. `login_hint` and `prompt` are those of OpenID Connect Core 1.0, section 3.1.2.1. */
interface SignInRequest {
  /** Where the person wants to go. The service decides whether it is allowed. */
  readonly returnTo: string | undefined
  /** The username or email address that the person probably uses. */
  readonly loginHint: string
  /** The email domain and the ID of the identity provider that the sign-in is meant for. Empty if it is not known. */
  readonly domainHint: string
  readonly connection: string
  /** Whether the person has to sign in even if they are signed in. */
  readonly requiresSignIn: boolean
  /** Whether the person chooses between the account that is signed in and another one. */
  readonly offersAccounts: boolean
  /** Whether the sign-in has to be one with a second factor. */
  readonly needsSecondFactor: boolean
  /** Whether that is all that a sign-in lacks which is there already. */
  readonly lacksFactor: boolean
  /** Whether a provider for everybody signed the person in, which cannot prove that they are there now. */
  readonly lacksProof: boolean
}

const readSignInRequest = (): SignInRequest => {
  const query = new URLSearchParams(location.search)
  const prompts = (query.get('prompt') ?? '').split(' ')
  return {
    returnTo: query.get('return_to') ?? undefined,
    loginHint: (query.get('login_hint') ?? '').slice(0, 255),
    domainHint: (query.get('domain_hint') ?? '').slice(0, 255),
    connection: (query.get('connection') ?? '').slice(0, 255),
    requiresSignIn: prompts.includes('login'),
    offersAccounts: prompts.includes('select_account'),
    needsSecondFactor: query.get('factors') === '2',
    lacksFactor: query.get('lacks') === 'factor',
    lacksProof: query.get('lacks') === 'proof',
  }
}

export const request = readSignInRequest()

/** Where the page leads to. Undefined if its address does not say, or the service refuses it. */
export const returnTo = pageData.returnTarget === 'refused' ? undefined : request.returnTo

/**
 * Whether the person proves who they are here to connect their account at an identity provider. Their address would lead
 * there again.
 */
export const connectsAccount = (): boolean => returnTo?.startsWith(`${signInQuestionPath}/`) === true

/** The product that the person signs in to. */
export const targetName =
  pageData.returnTarget !== null && pageData.returnTarget !== 'refused' && pageData.returnTarget.isExternal
    ? pageData.returnTarget.name
    : pageData.brand.product_name

/** The address where the sign-in with an identity provider starts. It never contains the token of an access link. */
export const buildProviderUrl = (loginUrl: string): string => {
  const target = findPendingLink() ? '/' : returnTo
  const query = new URLSearchParams({
    ...(target === undefined ? {} : { return_to: target }),
    ...(request.requiresSignIn ? { force_authn: 'true' } : {}),
    ...(request.needsSecondFactor ? { multi_factor: 'true' } : {}),
  })
  return query.size > 0 ? `${loginUrl}?${query}` : loginUrl
}

const name = 'pending-link'
/** As long as a sign-in at an identity provider may take. */
const lifetimeMs = 10 * 60_000

/** Moves the token of an access link from the fragment to the tab history, because the address bar is visible to others. */
export const keepPendingLink = (): void => {
  const link = new URLSearchParams(location.hash.slice(1)).get('link')
  if (link !== null) history.replaceState({ link }, '', location.pathname + location.search)
}

/** Returns the address of the access link that the user wants to open after the sign-in, if there is one. */
export const findPendingLink = (): string | undefined => {
  const link: string = history.state?.link ?? ''
  return /^lka_\w+$/.test(link) ? `/link#token=${link}` : undefined
}

/** Keeps the access link in the tab while it shows an identity provider, whose address must not contain the token. */
export const keepLinkForProvider = (): void => {
  const link = findPendingLink()
  if (link) keepValue('tab', name, link, lifetimeMs)
  else forgetValue('tab', name)
}

/** Returns the address of the access link that the tab kept, once. */
export const takeLinkOfProvider = (): string | undefined => {
  const link = readKeptValue('tab', name)
  forgetValue('tab', name)
  return link
}

interface Route {
  readonly login_url: string | null
  readonly offers_other_ways: boolean
}

/** What a person typed, or the address of the page says, about the identity provider. */
type Hints = Readonly<Record<string, string>>

/** Finds the identity provider that hints lead to. */
export const findRoute = (hints: Hints): Promise<ApiResponse<Route>> =>
  callWithProof('/api/2/auth/sign-in-route', hints)

const hintsName = 'followed-hints'

/** The address of an identity provider that a person can choose instead of another way. Undefined if a route leads to none. */
export const findChoice = ({ login_url: url, offers_other_ways: isChoice }: Route): string | undefined =>
  isChoice && url !== null ? buildProviderUrl(url) : undefined

/**
 * Opens the identity provider of a route, and returns false if it has none, or the person chooses. The tab keeps that it followed the hints of its address:
 * someone who comes back, or whom the provider refuses, then sees the form.
 */
export const openRoute = async (
  { login_url: url, offers_other_ways: isChoice }: Route,
  { isByAddress = false } = {},
): Promise<boolean> => {
  if (url === null || isChoice) return false
  keepLinkForProvider()
  if (isByAddress) keepValue('tab', hintsName, location.search, lifetimeMs)
  await leavePage(buildProviderUrl(url), { replaces: isByAddress })
  return true
}

/** What the address of the page says about the identity provider. Undefined if it says nothing that can lead to one. */
const readHints = (): Hints | undefined => {
  const { loginHint, domainHint, connection } = request
  const byDomain = pageData.hasDomains ? { username: loginHint, domain: domainHint } : {}
  const given = Object.entries({ ...byDomain, connection }).filter(([, value]) => value !== '')
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/**
 * The hints with which the page leads to an identity provider without a question. It does so once for an address of the page, and never
 * if the client asks for a choice (OpenID Connect Core 3.1.2.1).
 */
export const findHints = (): Hints | undefined => {
  const isFollowed = readKeptValue('tab', hintsName) === location.search
  return request.offersAccounts || isFollowed ? undefined : readHints()
}

/** Finds the address of the identity provider that a person can choose, because the hints name it. */
export const findHintedProvider = async (): Promise<string | undefined> => {
  const hints = request.offersAccounts ? readHints() : undefined
  const response = hints && (await findRoute(hints))
  return response?.isOk && response.body.login_url !== null
    ? buildProviderUrl(response.body.login_url)
    : undefined
}
