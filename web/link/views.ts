import { type ApiFailure, type ApiResponse, callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import type { LinkState } from '../kit/link-state.ts'
import { messagesOf } from '../kit/messages.ts'

const t = messagesOf('link')

/** What the page shows of a link. */
export type View =
  | { readonly name: 'checking' }
  | { readonly name: 'unusable'; readonly problem: string }
  | { readonly name: 'closed'; readonly link: Link; readonly user: User | undefined }
  | { readonly name: 'open'; readonly user: User; readonly items: readonly string[]; readonly isOwn: boolean }
  | { readonly name: 'ready'; readonly redirect: string; readonly product: string | null }
  | { readonly name: 'signedOut' }

/** The name to greet a user by. The generated names of guests mean nothing to people. */
export const describeUser = (user: User): string => (isGuest(user) ? t('aGuest') : user.display_name)

/** The person who is signed in, and stays so when they open a link for someone else. */
export const findPerson = (link: Link, user: User | undefined): User | undefined =>
  user && !isGuest(user) && user.id !== link.user.id ? user : undefined

const unusable = (problem: string): View => ({ name: 'unusable', problem })

/** Finds what to show for what the tab kept. */
export const loadView = (state: LinkState): Promise<View> | View => {
  if (state.isSignedOut) return { name: 'signedOut' }
  if (state.openedLinkId !== undefined) return loadOpenedLink(state.openedLinkId, state)
  return state.token ? loadClosedLink(state.token) : unusable(t('incomplete'))
}

const loadClosedLink = async (token: string): Promise<View> => {
  const [response, user] = await Promise.all([fetchLink(token), fetchUser()])
  if (response.isOk) return { name: 'closed', link: response.body, user }
  return unusable(response.status === 404 ? t('invalid') : describeFailure(response))
}

/** Shows a link that this browser has open. */
export const loadOpenedLink = async (
  id: number,
  { sessionKey, redirect, product = null }: Pick<LinkState, 'sessionKey' | 'redirect' | 'product'>,
): Promise<View> => {
  const [found, me] = await Promise.all([fetchOpenedLink(id, sessionKey), fetchUser()])
  if (!found) return unusable(t('closed'))
  if (redirect !== undefined) return { name: 'ready', redirect, product }
  const items = [...found.shared_bundles, ...found.shared_directories].map(({ name }) => name)
  // Someone who stays signed in as themselves signs out on the sign-in page.
  const person = sessionKey === undefined ? undefined : me
  return { name: 'open', user: person ?? found.user, items, isOwn: person === undefined }
}

/** Why a link did not open, and whether signing in can help. */
export interface Refusal {
  readonly problem: string
  readonly signInLabel?: string
}

/** Whether another password can open the link. */
export const isAboutPassword = ({ problem: { reason } }: ApiFailure): boolean =>
  reason === 'invalid_credentials' || reason === 'password_required'

export const describeRefusal = async (failure: ApiFailure): Promise<Refusal> => {
  const { code } = failure.problem
  if (code === 'not_authenticated') return { problem: t('forOnePerson'), signInLabel: t('signIn') }
  if (code === 'permission_denied') {
    const user = await fetchUser()
    const problem = user ? t('forSomeoneElseThan', { name: describeUser(user) }) : t('forSomeoneElse')
    return { problem, signInLabel: t('goToSignIn') }
  }
  const own = { invalid_credentials: t('wrongPassword'), password_required: t('enterPassword') }
  return { problem: describeFailure(failure, own) }
}

/** A user as the API shows them. */
export interface User {
  readonly id: number
  readonly username: string
  readonly display_name: string
}

const path = '/api/2/auth/access-tokens'

/** What everyone who has an access link may know before they open it. */
export interface Link {
  readonly id: number
  readonly has_password: boolean
  /** The recipient. */
  readonly user: User
  /** The name of the user who created the link. */
  readonly shared_by: string
  /** The name of the organization in whose name they did. */
  readonly organization_name?: string
  /** The name of the product that the link leads to. */
  readonly product: string | null
  /** Empty if only the recipient may see the names. */
  readonly shared_items: readonly string[]
}

/** A session of the link. */
interface LinkSession {
  readonly user: User
  readonly session_key: string
  readonly redirect?: string
}

interface SharedObject {
  readonly name: string
}

interface OpenedLink {
  readonly user: User
  readonly shared_bundles: readonly SharedObject[]
  readonly shared_directories: readonly SharedObject[]
}

const notFound: ApiFailure = { isOk: false, status: 404, retryAfterSeconds: 0, problem: {} }

/** Looks an access link up without opening it. */
const fetchLink = async (token: string): Promise<ApiResponse<Link>> => {
  // Anything else would be a different path of the API.
  if (!/^lka_\w+$/.test(token)) return notFound
  return callApi<Link>('GET', `${path}/get/${token}`)
}

/** Opens an access link. A person who is signed in keeps their session. */
export const redeemLink = (token: string, password: string): Promise<ApiResponse<LinkSession>> =>
  callApi('POST', `${path}/redeem`, {
    body: { token, keep_own_session: true, ...(password ? { password } : {}) },
  })

/** Returns the access link that this browser has open; undefined if it is not open, or the service does not answer. */
const fetchOpenedLink = async (id: number, bearer?: string): Promise<OpenedLink | undefined> => {
  const options = bearer === undefined ? {} : { bearer }
  const response = await callApi<OpenedLink>('GET', `${path}/${id}`, options)
  return response?.isOk ? response.body : undefined
}

/** Returns the user of the browser's session. Undefined if no one is signed in, or the service does not answer. */
const fetchUser = async (): Promise<User | undefined> => {
  const response = await callApi<User>('GET', '/api/2/users/me')
  return response.isOk ? response.body : undefined
}

/** Whether the user is a guest whom an access link created. Their names are generated. */
const isGuest = ({ username, display_name: name }: User): boolean =>
  name === username && /^guest-[0-9a-f]+$/.test(name)
