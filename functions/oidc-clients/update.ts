import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { diffFields, listFieldNames } from '../../lib/accounts/directory/user-changes.ts'
import type { oidcClients } from '../../lib/contract/operations/oidc-clients.ts'
import { conflict, invalidRequest } from '../../lib/errors/errors.ts'
import { requireFound } from '../../lib/errors/require-found.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import { editUniqueNameRecord } from '../../lib/store/engine/unique-name-records.ts'
import { findOidcClientById, type OidcClient, oidcClientKind } from '../../lib/store/oidc/clients.ts'
import { toClientBody } from './client-body.ts'
import { readClientChanges } from './client-fields.ts'
import { validateClient } from './client-validation.ts'

/** Changes the fields that the body contains. They count from the next request of the client on. */
export const patchOidcClient: UseCase<typeof oidcClients.patchOidcClient> = async (
  { params, body, context },
  { table, config },
) => {
  const client = requireFound(await findOidcClientById(table, params.id))
  const changes = diffFields<OidcClient>(client, readClientChanges(body))
  const errors = [
    // A public client would keep a secret, and a confidential one would have none.
    ...(changes.type === undefined ? [] : [{ field: 'type', message: 'cannot be changed' }]),
    ...validateClient(config, { ...client, ...changes, type: client.type }),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  if (Object.keys(changes).length === 0) return { status: 200, body: toClientBody(client) }
  const target = `${client.id} ${listFieldNames(changes)}`
  const edited = await editUniqueNameRecord(table, oidcClientKind, client, {
    changes,
    extraSteps: [auditStep(context, 'oidc_client.changed', { target })],
  })
  return { status: 200, body: toClientBody(edited) }
}

/** Replaces the secret of a client. The secret before stops working at once. */
export const renewOidcClientSecret: UseCase<typeof oidcClients.renewOidcClientSecret> = async (
  { params, context },
  { table },
) => {
  const client = requireFound(await findOidcClientById(table, params.id))
  if (client.type === 'public') throw conflict('A public client has no secret.')
  const { value, hash } = mintCredential('oidc_client_secret', client.id)
  await editUniqueNameRecord(table, oidcClientKind, client, {
    changes: { secretHash: hash },
    extraSteps: [auditStep(context, 'oidc_client.secret_renewed', { target: String(client.id) })],
  })
  return { status: 200, body: { client_secret: value } }
}
