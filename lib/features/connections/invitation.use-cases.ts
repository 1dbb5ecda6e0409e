import { canChoosePassword } from '../../accounts/users/invitation-state.ts'
import { readKnownDevice } from '../../http/device-cookie.ts'
import { createFlowCookie } from '../../http/flow-cookie.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { requireInvitation } from '../invitations/find-invitation.ts'
import { consumeForNetwork } from '../network-limits/rules.ts'
import { buildRedirect } from '../sign-in/complete-sign-in.ts'
import { requireConnection } from './connection-context.ts'
import type { connectionFlow } from './flow.operations.ts'
import { isPublic } from './public-connections.ts'
import { getSignInProtocol } from './sign-in-protocols.part.ts'
import type { SignInOptions } from './start-sign-in.ts'
import { isUsableAddress } from './usable-domains.ts'

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
    consumeForNetwork(services, 'samlStarts', {
      ...{ context, device: context.device, userId: user.id, canProve: false },
    }),
  ])
  // The link proves the address. A public provider adds a way to sign in, as a first password would.
  const isAllowed = isPublic(connection)
    ? canChoosePassword(user)
    : user.email !== null && isUsableAddress(connection, user.email)
  if (!isAllowed)
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
  const url = await getSignInProtocol(connection).start(services, connection, value, options)
  return { status: 200, body: { url }, cookies: [cookie] }
}
