import { findAuthenticatorName } from './authenticator-name.ts'
import { type ApiFailure, callApi } from './call-api.ts'
import { t } from './messages.ts'

/** Whether the browser has passkeys and converts their options from JSON. No passkey belongs to an IP address. */
export const supportsPasskeys = (): boolean =>
  !/^[\d.]+$|^\[/.test(location.hostname) &&
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential

/** The messages by the name of the error of the browser (WebAuthn Level 3, section 5.1). */
const messages = {
  InvalidStateError: 'passkeyExists',
  SecurityError: 'passkeyWrongAddress',
} as const

const isKnown = (name: string): name is keyof typeof messages => Object.hasOwn(messages, name)

/** Explains why the browser returned no passkey. Most often the person closed its dialog. Throws any other error again. */
export const describePasskeyError = (error: unknown): string => {
  if (!(error instanceof DOMException)) throw error
  return t(isKnown(error.name) ? messages[error.name] : 'passkeyNotUsed')
}

/** The part of a new passkey that pages read. */
export interface NewPasskey {
  readonly id: string
  readonly response: { readonly authenticatorData?: string }
}

/** Has the browser create a passkey. Rejects with a `DOMException` if it does not. */
export const createPasskey = async (
  options: PublicKeyCredentialCreationOptionsJSON,
  given: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<NewPasskey> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const request: CredentialCreationOptions = { publicKey, ...given }
  return requireCredential(await navigator.credentials.create(request)).toJSON()
}

/** The part of a used passkey that pages read. The service gets all of it. */
export interface UsedPasskey {
  readonly id: string
}

/** Has the browser use a passkey. Rejects with a `DOMException` if it does not. */
export const requestPasskey = async (
  options: PublicKeyCredentialRequestOptionsJSON,
  given: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<UsedPasskey> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return requireCredential(await navigator.credentials.get({ publicKey, ...given })).toJSON()
}

const requireCredential = (credential: Credential | null): PublicKeyCredential => {
  if (credential instanceof PublicKeyCredential) return credential
  throw new TypeError('The browser returned no passkey.')
}

/** Tells password managers that the service does not know a passkey, so that they stop offering it. */
export const signalUnknownPasskey = async (rpId: string | undefined, credentialId: string): Promise<void> => {
  if (rpId !== undefined)
    await PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined)
}

/** What the service knows of the passkeys of a user. */
export interface AcceptedPasskeys {
  readonly rp_id: string
  readonly user_handle: string | null
  readonly credential_ids: readonly string[]
}

/**
 * Tells password managers which passkeys the user has, and by which name, so that they offer no removed one and no former name
 * (WebAuthn Level 3, section 5.1.10). Does nothing in browsers without it.
 */
export const signalPasskeys = async (
  { rp_id: rpId, user_handle: userId, credential_ids: ids }: AcceptedPasskeys,
  { username, display_name: displayName }: { readonly username: string; readonly display_name: string },
): Promise<void> => {
  if (userId === null || !supportsPasskeys()) return
  const signals = PublicKeyCredential
  await Promise.allSettled([
    signals.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: [...ids] }),
    signals.signalCurrentUserDetails?.({ rpId, userId, name: username, displayName }),
  ])
}

const path = '/api/2/users/me/passkeys'

/**
 * Has the browser add a passkey without a question, if its password manager has just filled in the password (conditional create, WebAuthn
 * Level 3, section 5.1.3). It never fails, and ends after `waitMs` in any case. Returns whether there is a passkey now.
 */
export const upgradeToPasskey = async (unknownName: string, waitMs: number): Promise<boolean> => {
  if (!supportsPasskeys() || !('getClientCapabilities' in PublicKeyCredential)) return false
  const { signal, end } = endAfter(waitMs)
  const upgrade = async (): Promise<boolean> => {
    const capabilities: Readonly<Record<string, boolean | undefined>> =
      await PublicKeyCredential.getClientCapabilities()
    if (capabilities['conditionalCreate'] !== true || signal.aborted) return false
    const start = await callApi<PublicKeyCredentialCreationOptionsJSON>('POST', `${path}/options`, {
      body: { is_conditional: true },
    })
    if (!start.isOk || signal.aborted) return false
    const credential = await createPasskey(start.body, { mediation: 'conditional', signal })
    const name = findAuthenticatorName(credential.response.authenticatorData) || unknownName
    const response = await callApi('POST', path, { body: { name, credential }, keepalive: true })
    if (!response.isOk) await signalUnknownPasskey(start.body.rp.id, credential.id)
    return response.isOk
  }
  return Promise.race([upgrade().catch(() => false), end])
}

/** A signal that ends what runs, and a promise that resolves at that moment. */
const endAfter = (waitMs: number): { readonly signal: AbortSignal; readonly end: Promise<false> } => {
  const signal = AbortSignal.timeout(waitMs)
  const end = new Promise<false>((resolve) => signal.addEventListener('abort', () => resolve(false)))
  return { signal, end }
}

/** What stopped a new passkey: the service, or the browser and the person in front of it. */
type PasskeyProblem = ApiFailure | string | undefined

/** Has the browser create a passkey, and stores it under the name, or under that of its authenticator. */
export const addPasskey = async (name: string, unknownName: string): Promise<PasskeyProblem> => {
  const start = await callApi<PublicKeyCredentialCreationOptionsJSON>('POST', `${path}/options`)
  if (!start.isOk) return start
  const credential = await createPasskey(start.body).catch(describePasskeyError)
  if (typeof credential === 'string') return credential
  const chosen = name.trim() || findAuthenticatorName(credential.response.authenticatorData) || unknownName
  const response = await callApi('POST', path, { body: { name: chosen, credential } })
  return response.isOk ? undefined : response
}
