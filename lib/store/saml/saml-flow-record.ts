import { createCodec } from '../engine/codec.ts'

/*
 * What a sign-in through an identity provider stores: that it was started, and where the browser goes in the end. Each
 * record is used once. They are in the partition of the provider and are deleted with it.
 */

/** A sign-in that was started and waits for the response of the provider. */
export interface SamlFlow {
  /** The ID of the request, which is also the key of the record. */
  readonly requestId: string
  readonly forceAuthn: boolean
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Where the browser goes in the end. Null for the default page. */
  readonly returnTo: string | null
  /** The hash of the cookie by which the browser proves that it started the flow. */
  readonly browser: string
  /** The hash of the device cookie of that browser. The provider sends the browser back without this cookie. */
  readonly device?: string
  /** The user to link the provider's account to, and the hash of the session that requested it. */
  readonly link: { readonly userId: number; readonly session: string } | null
  /** Whether an administrator only tests the provider, so that the response is checked and no one is signed in. */
  readonly isTest?: boolean
  /** The user whose invitation the sign-in accepts, and the hash of the invitation's credential. */
  readonly invitation?: { readonly userId: number; readonly hash: string }
}

export const samlFlowCodec = createCodec<SamlFlow>('SAML flow', {
  requestId: 'string',
  forceAuthn: 'boolean',
  startedAt: 'number',
  browser: 'string',
})

/** A sign-in whose browser has not returned yet. */
export interface SamlReturn {
  readonly returnTo: string | null
  /** The hash of the session that was created, or that requested the link. */
  readonly session: string
}

export const samlReturnCodec = createCodec<SamlReturn>('SAML return', { session: 'string' })

/** What a test sign-in found. Administrators read it as often as they want until it expires. */
export interface SamlTestResult {
  /** Epoch milliseconds. */
  readonly receivedAt: number
  /** The diagnosis as JSON, because no one searches it. */
  readonly diagnosis: string
}

export const samlTestResultCodec = createCodec<SamlTestResult>('SAML test result', {
  receivedAt: 'number',
  diagnosis: 'string',
})
