import { createHash } from 'node:crypto'
import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { DeviceCookie } from '../../accounts/callers/request-context.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { signInRequestMs } from '../../kernel/limits/connection-limits.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { createServiceProofError, isLimitedToOrganizations } from '../sign-in/organization-sessions.ts'
import { requireRecentAuthentication } from '../sign-in/recent-authentication.ts'
import { type SignInFlow, storeFlow } from './flows.records.ts'
import type { Connection } from './records.ts'

/** The browser that started a sign-in keeps a secret. The service stores its hash to recognize the browser. */
export const hashBrowserSecret = (value: string): string =>
  createHash('sha256').update(value).digest('base64url')

export interface SignInOptions {
  /** An allowed URL to return to, or null for the default page. */
  readonly returnTo: string | null
  readonly forceAuthn: boolean
  /** Whether the identity provider is asked for two factors, if the connection knows how. */
  readonly wantsMultiFactor?: boolean
  /** The session whose user the account at the provider will be linked to. */
  readonly linkTo: SessionPrincipal | undefined
  /** The session of the browser, whose proofs a sign-in for an organization keeps. */
  readonly keeps?: SessionPrincipal | undefined
  /** The device cookie of the browser, if it has one. */
  readonly device: Pick<DeviceCookie, 'hash'> | undefined
  /** Whether the response is only checked. */
  readonly isTest?: boolean
  /** Whether a proof of work was given for the sign-in. */
  readonly isPaid?: boolean
  /** Whether the holder of a set-up link started the test. */
  readonly isSetupTest?: boolean
  /** The invitation that the sign-in accepts. */
  readonly invitation?: NonNullable<SignInFlow['invitation']>
}

/** What a protocol decides about a sign-in that it starts. */
interface StartedFlow extends Pick<SignInFlow, 'id' | 'issuer'> {
  /** The value of the cookie by which the browser proves that it started the sign-in. */
  readonly browserSecret: string
}

/** Stores that a sign-in was started. Its answer has to name it. */
export const storeStart = async (
  { table, now }: Services,
  { id: connectionId }: Pick<Connection, 'id'>,
  { browserSecret, ...named }: StartedFlow,
  { returnTo, forceAuthn, linkTo, keeps, device, isTest, isPaid, isSetupTest, invitation }: SignInOptions,
): Promise<SignInFlow> => {
  const startedAt = now()
  const flow: SignInFlow = {
    ...named,
    forceAuthn,
    startedAt,
    returnTo,
    browser: hashBrowserSecret(browserSecret),
    link: linkTo ? nameSession(linkTo) : null,
    ...(keeps && { keeps: nameSession(keeps) }),
    ...omitUndefined({
      invitation,
      isSetupTest,
      device: device?.hash,
      isTest: isTest || undefined,
      isPaid: isPaid || undefined,
    }),
  }
  await storeFlow(table, connectionId, flow, startedAt + signInRequestMs)
  return flow
}

const nameSession = ({ user, hash }: SessionPrincipal) => ({ userId: user.id, session: hash })

/**
 * Returns the caller if they may link an account at a provider to their own. A linked account can sign in as the caller.
 * Therefore this requires the caller's own recent session, and a request from a page of this service. The error page does
 * not offer to try again, because that would turn a request from another site into one from this service.
 *
 * @throws AppError `not_authenticated` or `permission_denied`
 */
export const requireRightToLink = async (
  services: Services,
  principal: SessionPrincipal | undefined,
  { isFromOwnPage }: { readonly isFromOwnPage: boolean },
): Promise<SessionPrincipal> => {
  const createError = (detail: string) => new AppError('permission_denied', { detail, tryAgain: null })
  if (!principal)
    throw new AppError('not_authenticated', {
      detail: 'Sign in here first. Then link your account at the identity provider to your account here.',
      tryAgain: null,
    })
  if (principal.actor || principal.session.accessLink)
    throw createError('You can link only your own account, and you must sign in for that.')
  if (isLimitedToOrganizations(principal)) throw createServiceProofError()
  if (!isFromOwnPage) throw createError('Linking an account must start on a page of this service.')
  await requireRecentAuthentication(services, principal)
  return principal
}
