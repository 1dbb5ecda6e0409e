import type { ApiFailure } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import type { LinkState } from '../kit/link-state.ts'
import { messagesOf } from '../kit/messages.ts'
import { fetchLink, fetchOpenedLink, fetchUser, isGuest, type Link, type User } from './link-api.ts'

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
