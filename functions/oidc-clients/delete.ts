import { auditStep } from '../../lib/accounts/common/request-context.ts'
import type { oidcClients } from '../../lib/contract/operations/oidc-clients.ts'
import { requireFound } from '../../lib/errors/require-found.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { deleteOidcClient as deleteStored, findOidcClientById } from '../../lib/store/oidc/clients.ts'

/** Deletes a client. Its grants and tokens name it, so they end at the same moment. */
export const deleteOidcClient: UseCase<typeof oidcClients.deleteOidcClient> = async (
  { params, context },
  { table },
) => {
  const client = requireFound(await findOidcClientById(table, params.id))
  await deleteStored(table, client, [
    auditStep(context, 'oidc_client.deleted', { target: String(client.id) }),
  ])
  return { status: 204 }
}
