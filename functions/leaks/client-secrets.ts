import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import type { Credential } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import { findUsers } from '../../lib/store/directory/users.ts'
import { findOidcClientById, removeOidcClientSecret } from '../../lib/store/oidc/clients.ts'
import { buildLeakSteps } from './leak-steps.ts'

/**
 * Removes the secret of an OpenID Connect client. The administrator who registered the client is informed. The client
 * stays, and works again with a new secret.
 */
export const endLeakedClientSecret = async (
  services: Services,
  context: RequestContext,
  { subject, hash }: Credential,
): Promise<void> => {
  const client = await findOidcClientById(services.table, subject)
  if (client?.secretHash !== hash) return
  const [owner] = await findUsers(services.table, [client.createdBy])
  const target = `oidc_client_secret:${client.id}`
  const steps = owner
    ? buildLeakSteps(services, context, owner, target)
    : [auditStep(context, 'credential.leaked', { target })]
  await removeOidcClientSecret(services.table, client, hash, steps)
}
