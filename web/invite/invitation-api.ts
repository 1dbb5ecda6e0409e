import { useEffect, useState } from 'preact/hooks'
import { type ApiFailure, type ApiResponse, callApi } from '../kit/call-api.ts'
import { forgetValue, keepValue, readKeptValue } from '../kit/kept-values.ts'
import type { PasswordPolicy } from '../new-password/password-policy.ts'

/** What the page shows of an invitation: `Invitation` of the API. */
interface Invitation {
  readonly username: string
  readonly full_name: string | null
  readonly email: string
  /** Whether the person signed up, so that no one invited them. */
  readonly is_sign_up: boolean
  readonly invited_by: string | null
  readonly allows_password: boolean
  readonly password_policy: PasswordPolicy | null
  readonly allows_passkey: boolean
  readonly providers: readonly InvitationProvider[]
}

/** A company account that the person can accept with. */
export interface InvitationProvider {
  readonly id: number
  readonly name: string
  readonly accept_url: string
}

/** The result of an accepted invitation, after which the browser has a session. */
export interface Accepted {
  readonly redirect?: string
}

const path = '/api/2/auth/invitation'

const findInvitation = (token: string): Promise<ApiResponse<Invitation>> =>
  callApi('POST', path, { body: { token } })

export const acceptWithPassword = (
  token: string,
  password: string,
  isForSetup: boolean,
): Promise<ApiResponse<Accepted>> =>
  callApi('POST', `${path}/accept`, {
    body: { token, password, ...(isForSetup ? { second_factor_setup: true } : {}) },
  })

export const startPasskey = (token: string): Promise<ApiResponse<PublicKeyCredentialCreationOptionsJSON>> =>
  callApi('POST', `${path}/passkey/options`, { body: { token } })

export const acceptWithPasskey = (token: string, credential: unknown): Promise<ApiResponse<Accepted>> =>
  callApi('POST', `${path}/passkey`, { body: { token, credential } })

export const startProvider = (
  token: string,
  { accept_url: url }: InvitationProvider,
): Promise<ApiResponse<{ readonly url: string }>> => callApi('POST', url, { body: { token } })

/** What each way to accept the invitation gets. */
export interface AcceptProps {
  readonly token: string
  readonly invitation: Invitation
  /** The session is only for the setup of a second factor if `isForSetup`. */
  readonly onAccepted: (accepted: Accepted, isForSetup?: boolean) => void
  readonly onEnded: () => void
}

/** Continues after an answer of the service. Returns the failure that the person has to see, if there is one. */
export const settle = async <Body>(
  response: ApiResponse<Body>,
  onSuccess: (body: Body) => void | Promise<void>,
  onEnded: () => void,
): Promise<ApiFailure | undefined> => {
  if (!response.isOk && !isEnded(response)) return response
  if (response.isOk) await onSuccess(response.body)
  else onEnded()
  return undefined
}

/** Whether a request failed because the invitation was used, revoked or replaced, or has expired. */
export const isEnded = ({ problem }: ApiFailure): boolean => problem.code === 'invalid_token'

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
const readToken = (): string | undefined => {
  const state: { readonly token?: unknown } = history.state ?? {}
  return typeof state.token === 'string'
    ? state.token
    : (readKeptValue('tab', name) ?? readKeptValue('tab', joinName))
}

/** Whether a token is that of an invitation to an organization. */
const isJoinToken = (token: string): boolean => token.startsWith('lkj_')

const joinName = 'organization-invitation'
/** As long as a person may take to sign in, or to create an account. */
const joinLifetimeMs = 30 * 60_000

/** Keeps the token of an invitation to an organization while the person signs in, or chooses how. */
export const keepJoinToken = (token: string): void => keepValue('tab', joinName, token, joinLifetimeMs)

/** Whether the person goes on to join an organization. */
export const isJoining = (): boolean => readKeptValue('tab', joinName) !== undefined

export const forgetJoinToken = (): void => {
  forgetToken()
  forgetValue('tab', joinName)
}

/** Keeps the token while the tab shows another site. */
export const keepToken = (token: string): void => keepValue('tab', name, token, lifetimeMs)

/** Forgets a token that does not work any more. */
export const forgetToken = (): void => {
  history.replaceState(null, '', location.pathname + location.search)
  forgetValue('tab', name)
}

/** Where the page is. */
type InvitationState =
  | { readonly step: 'checking' }
  | { readonly step: 'failed'; readonly failure: ApiFailure }
  | { readonly step: 'ended' }
  | { readonly step: 'open'; readonly token: string; readonly invitation: Invitation }
  /** The token is that of an invitation to an organization. */
  | { readonly step: 'joining'; readonly token: string }

interface UsedInvitation {
  readonly state: InvitationState
  /** Asks the service again. */
  readonly retry: () => void
  /** Shows that the invitation does not work any more. */
  readonly end: () => void
}

/** Looks the invitation of the page up, without using it. */
export const useInvitation = (): UsedInvitation => {
  const [state, setState] = useState<InvitationState>({ step: 'checking' })
  const [attempt, setAttempt] = useState(0)
  const end = () => {
    forgetJoinToken()
    setState({ step: 'ended' })
  }
  const look = async (): Promise<void> => {
    const token = readToken()
    if (token === undefined) return setState({ step: 'ended' })
    if (isJoinToken(token)) return setState({ step: 'joining', token })
    setState({ step: 'checking' })
    const response = await findInvitation(token)
    const failure = await settle(response, (invitation) => setState({ step: 'open', token, invitation }), end)
    if (failure) setState({ step: 'failed', failure })
  }
  // Looks once, and again when the person asks for it.
  useEffect(() => void look(), [attempt])
  return { state, retry: () => setAttempt(attempt + 1), end }
}
