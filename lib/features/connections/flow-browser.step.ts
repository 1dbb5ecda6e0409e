import { timingSafeEqual } from 'node:crypto'
import { readKnownDevice } from '../../http/device-cookie.ts'
import { createFlowCookie, readFlowCookies } from '../../http/flow-cookie.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, notFound } from '../../kernel/errors/errors.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import type { Services } from '../../services.ts'
import { consume } from '../access/throttle.ts'
import { requireInvitation } from '../invitations/find-invitation.ts'
import { buildRedirect } from '../sign-in/complete-sign-in.ts'
import { requireConnection } from './connection-context.ts'
import { createConnectionError } from './errors.ts'
import type { connectionFlow } from './flow.operations.ts'
import { oidcKind } from './oidc/records.ts'
import { type Connection, isOf } from './records.ts'
import { samlKind } from './saml/records.ts'
import { hashBrowserSecret, type SignInOptions, startSignIn } from './saml/start-sign-in.ts'
import { isUsableAddress } from './usable-domains.ts'

/**
 * Returns the cookie value by which the browser proves that it started a sign-in (SAML Profiles 4.1.5). Otherwise an attacker
 * could sign a user in to another account.
 *
 * @throws AppError `login_failed` with the reason
 */
export const requireSameBrowser = (
  { config }: Services,
  connection: Connection,
  cookies: readonly string[],
  flow: { readonly browser: string },
): string => {
  const refuse = (reason: string, sentence: string) =>
    createConnectionError('login_failed', connection, reason, sentence)
  const values = readFlowCookies(config, cookies)
  if (values.length === 0)
    throw refuse(
      'no_cookie',
      `Your browser did not send the cookie of this sign-in. Allow cookies for ${config.publicUrl} and sign in again.`,
    )
  const expected = Buffer.from(flow.browser)
  const browser = values.find((value) => timingSafeEqual(Buffer.from(hashBrowserSecret(value)), expected))
  if (browser === undefined) throw refuse('other_browser', 'The sign-in was started in another browser.')
  return browser
}

/**
 * Starts a sign-in at an identity provider that accepts an invitation. The token is in the body of a request, so the page
 * of the invitation sends the browser to the URL of the answer. The sign-in belongs to the browser that asked for it.
 */
export const startInvitationSaml: UseCase<typeof connectionFlow.startInvitationSaml> = async (
  { params, body, cookies, context, isFromOwnOrigin },
  services,
) => {
  const { table, config } = services
  // Another site must not make a browser sign in to an account that its owner did not choose.
  if (!isFromOwnOrigin)
    throw new AppError('permission_denied', {
      detail: 'A sign-in for an invitation must start on a page of this service.',
    })
  const { user, hash } = await requireInvitation(services, context, body.token)
  const [connection] = await Promise.all([
    requireConnection(table, params.id),
    consume(services, 'samlStarts', getNetwork(context.address)),
  ])
  if (user.email === null || !isUsableAddress(connection, user.email))
    throw new AppError('permission_denied', {
      detail: 'The provider is not trusted to confirm the address that was invited.',
    })
  const { value, cookie } = createFlowCookie(config, cookies)
  const options: SignInOptions = {
    // Without a start page elsewhere, an accepted invitation leads to the account, as it does with a password.
    returnTo: buildRedirect(services, user).redirect === undefined ? '/account' : null,
    forceAuthn: false,
    linkTo: undefined,
    device: readKnownDevice(config, cookies),
    invitation: { userId: user.id, hash },
  }
  const url = await startAt(services, connection, value, options)
  return { status: 200, body: { url }, cookies: [cookie] }
}

/** Starts a sign-in at a connection of any kind. Returns the URL for the browser. */
const startAt = async (
  services: Services,
  connection: Connection,
  browserSecret: string,
  options: SignInOptions,
): Promise<string> => {
  if (isOf(samlKind, connection)) return startSignIn(services, connection, browserSecret, options)
  if (!isOf(oidcKind, connection)) throw notFound('connection')
  // Loaded on demand, because a sign-in with SAML needs none of it.
  const { startOidcSignIn } = await import('./oidc/start-sign-in.ts')
  return startOidcSignIn(services, connection, browserSecret, options)
}
