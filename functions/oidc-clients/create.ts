import { auditStep } from '../../lib/accounts/common/request-context.ts'
import type { oidcClients } from '../../lib/contract/operations/oidc-clients.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { oidcClientsMax } from '../../lib/limits/limits.ts'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import {
  allocateOidcClientId,
  createClientId,
  createOidcClient as createStored,
} from '../../lib/store/oidc/clients.ts'
import { readClientApis } from './client-apis.ts'
import { toClientBody } from './client-body.ts'
import { readClientFields } from './client-fields.ts'
import { findGroupErrors } from './client-groups.ts'
import { validateClient } from './client-validation.ts'

/** Registers a client. Only this response contains the secret. */
export const createOidcClient: UseCase<typeof oidcClients.createOidcClient> = async (
  { body, principal, context },
  { table, config, now },
) => {
  const { apis, errors: apiErrors } = await readClientApis(table, body)
  const fields = readClientFields(body, apis)
  const errors = [...validateClient(config, fields), ...apiErrors, ...(await findGroupErrors(table, body))]
  if (errors.length > 0) throw invalidRequest(errors)
  const id = await allocateOidcClientId(table)
  const needsSecret = fields.type === 'confidential' && !fields.publicKeys?.length
  const secret = needsSecret ? mintCredential('oidc_client_secret', id) : undefined
  const client = await createStored(
    table,
    id,
    {
      ...fields,
      clientId: createClientId(id),
      secrets: secret ? [{ id: 1, hash: secret.hash, createdAt: now(), expiresAt: null }] : [],
      createdBy: principal.user.id,
      createdAt: now(),
    },
    {
      limit: oidcClientsMax,
      extraSteps: [auditStep(context, 'oidc_client.created', { target: String(id) })],
    },
  )
  return {
    status: 201,
    headers: { location: `/api/2/oidc-clients/${id}` },
    body: { ...toClientBody(client, now()), client_secret: secret?.value ?? null },
  }
}
