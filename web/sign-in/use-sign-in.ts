import { useState } from 'preact/hooks'
import { consolePermissions } from '../../lib/kernel/contract/page-data.ts'
import { type ApiFailure, callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { keepValue, readKeptValue } from '../kit/kept-values.ts'
import { leavePage } from '../kit/leave-page.ts'
import { messagesOf } from '../kit/messages.ts'
import { describePasskeyError, supportsPasskeys, upgradeToPasskey } from '../kit/passkeys.ts'
import { pageData } from '../kit/start-path.ts'
import { leaveFor } from './first-step.ts'
import { keepLastWay, type SignInWay } from './last-way.ts'
import {
  type Outcome,
  type SignedIn,
  type SignInResult,
  type Step,
  signInWithPasskey,
} from './sign-in-flow.ts'
import { findPendingLink, returnTo } from './sign-in-options.ts'

const t = messagesOf('signIn')

export interface SignIn {
  readonly step: Step
  readonly show: (step: Step) => void
  /** Shows what follows. Returns the failure if this step goes on. */
  readonly finish: (outcome: Outcome) => Promise<ApiFailure | undefined>
  /**
   * Goes on after the sign-in. Administrators without a confirmed email address are asked for one before. Otherwise a person
   * who used their password is offered a passkey, once in this browser.
   */
  readonly complete: (result: SignInResult, way: SignInWay) => Promise<void>
  /** Goes on without asking. */
  readonly proceed: (result: SignInResult) => Promise<void>
  /** Leads to where the page was asked to lead. */
  readonly leave: (user: SignedIn) => Promise<void>
  /** Signs in with a passkey. Returns what went wrong. */
  readonly usePasskey: (token?: string, isRemembering?: boolean) => Promise<string | undefined>
}

/** The state of the page, and what its steps can do. */
export const useSignIn = (firstStep: Step): SignIn => {
  const [step, show] = useState<Step>(firstStep)
  const leave = async (user: SignedIn): Promise<void> => {
    if (returnTo === undefined) return show({ name: 'signedIn', user })
    show({ name: 'leaving', user })
    const failure = await leaveFor(returnTo)
    if (!failure) return
    // The session ended in the meantime.
    if (failure.status === 401) return show({ name: 'credentials', problem: describeFailure(failure) })
    const problem = failure.status === 400 ? t('refusedReturn') : describeFailure(failure)
    show({ name: failure.status === 400 ? 'signedIn' : 'leaving', user, problem })
  }
  const complete = async (result: SignInResult, way: SignInWay): Promise<void> => {
    stopSuggestingPasskeys()
    keepLastWay(way)
    const upgrade = way === 'password' ? upgradePasskey(result.user.id) : undefined
    if (asksForEmail(result.user)) show({ name: 'emailAddress', result })
    else if (upgrade && !(await upgrade) && (await shouldOfferPasskey(result.user.id)))
      show({ name: 'passkeyOffer', result })
    else await proceed(result)
  }
  const proceed = async ({ user, redirect }: SignInResult): Promise<void> => {
    const pendingLink = findPendingLink()
    if (pendingLink) return leavePage(pendingLink, { replaces: true })
    const signedIn = toSignedIn(user)
    if (returnTo !== undefined) return leave(signedIn)
    if (redirect) return leavePage(redirect)
    show({ name: 'signedIn', user: signedIn })
  }
  const finish = async (outcome: Outcome): Promise<ApiFailure | undefined> => {
    if (outcome.kind === 'failed') return outcome.failure
    if (outcome.kind === 'step') show(outcome.step)
    else await complete(outcome.result, outcome.way)
    return undefined
  }
  const usePasskey = async (token?: string, isRemembering = false): Promise<string | undefined> => {
    stopSuggestingPasskeys()
    try {
      const response = await signInWithPasskey(token, {}, isRemembering)
      if (!response.isOk) {
        const { saml_provider: provider } = response.problem
        if (!provider) return describeSignInFailure(response)
        show({ name: 'provider', provider })
        return undefined
      }
      await complete(response.body, 'passkey')
      return undefined
    } catch (error) {
      return describePasskeyError(error)
    }
  }
  return { step, show, finish, complete, proceed, leave, usePasskey }
}

const emailLaterMs = 30 * 24 * 60 * 60_000
const nameEmailLater = (userId: number): string => `email-later-${userId}`

/** Does not ask the person for an email address again for a month, in this browser. */
export const putOffEmail = (userId: number): void =>
  keepValue('browser', nameEmailLater(userId), 'later', emailLaterMs)

const asksForEmail = ({
  id,
  email,
  email_verified: isVerified = true,
  effective_permissions: permissions = [],
}: SignInResult['user']): boolean =>
  pageData.sendsEmail &&
  permissions.includes('system:admin-access') &&
  (email == null || !isVerified) &&
  readKeptValue('browser', nameEmailLater(id)) === undefined

const upgradePauseMs = 30 * 24 * 60 * 60_000
/** People do not notice this time, and the browser does not need more. */
const upgradeWaitMs = 500

/** Has the browser add a passkey without a question, once a month for a person. */
const upgradePasskey = async (userId: number): Promise<boolean> => {
  const name = `passkey-upgrade-${userId}`
  if (readKeptValue('browser', name) !== undefined) return false
  keepValue('browser', name, 'tried', upgradePauseMs)
  return upgradeToPasskey(t('passkeyName'), upgradeWaitMs)
}

const passkeyOfferedMs = 400 * 24 * 60 * 60_000

/**
 * Whether to offer a passkey on this device, which happens once. Not to someone who has a passkey, cannot add one, or whose
 * device does not recognize people. A browser without storage would offer it each time.
 */
const shouldOfferPasskey = async (userId: number): Promise<boolean> => {
  const name = `passkey-offered-${userId}`
  if (!supportsPasskeys() || readKeptValue('browser', name) !== undefined) return false
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return false
  keepValue('browser', name, 'offered', passkeyOfferedMs)
  if (readKeptValue('browser', name) === undefined) return false
  const passkeys = await callApi<readonly unknown[]>('GET', '/api/2/users/me/passkeys')
  return passkeys.isOk && passkeys.body.length === 0
}

const toSignedIn = ({ display_name: name, effective_permissions = [] }: SignInResult['user']): SignedIn => ({
  name,
  isGuest: false,
  canAdminister: effective_permissions.some((permission) => consolePermissions.includes(permission)),
})

/** Shorter than the lifetime of a challenge. */
const renewalMs = 4 * 60_000

let running: AbortController | undefined

/** Ends the suggestions, because a browser shows one request for a passkey at a time. */
export const stopSuggestingPasskeys = (): void => {
  running?.abort()
  running = undefined
}

/**
 * Has the browser suggest passkeys in the username field (conditional mediation, WebAuthn Level 3, section 5.1.7). Calls
 * `onSignIn` when the person chose one that signed in, and `onFailure` when it did not. Challenges expire, so the request
 * is renewed for as long as the page is open.
 */
export const suggestPasskeys = async (
  onSignIn: (result: SignInResult) => Promise<void>,
  onFailure: () => void,
): Promise<void> => {
  stopSuggestingPasskeys()
  // The preview of the console shows the page without an address.
  if (!supportsPasskeys() || location.protocol === 'about:') return
  const controller = new AbortController()
  running = controller
  // Set before the first wait, so that a later call replaces this one.
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || running !== controller) return
  const renewal = setTimeout(() => {
    if (running === controller) void suggestPasskeys(onSignIn, onFailure)
  }, renewalMs)
  try {
    const response = await signInWithPasskey(undefined, {
      mediation: 'conditional',
      signal: controller.signal,
    })
    // The person started something else after they had chosen the passkey.
    if (running !== controller) return
    if (response.isOk) await onSignIn(response.body)
    else onFailure()
  } catch {
    // The request was ended, or the service cannot be reached. The password still works.
  } finally {
    clearTimeout(renewal)
  }
}

/** Explains why a sign-in failed. */
export const describeSignInFailure = (failure: ApiFailure): string =>
  describeFailure(failure, {
    otp_invalid: t('codeWrong'),
    otp_required: t('enterCode'),
    email_code_invalid: t('emailCodeWrong'),
    passkey_invalid: t('passkeyInvalid'),
    passkey_unknown: t('passkeyUnknown'),
    user_verification_required: t('passkeyUnverified'),
    account_disabled: t('disabled'),
    password_breached: t('breachedEmail'),
  })
