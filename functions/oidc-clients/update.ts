import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { diffFields, listFieldNames } from '../../lib/accounts/directory/user-changes.ts'
import type { oidcClients } from '../../lib/contract/operations/oidc-clients.ts'
import { conflict, invalidRequest } from '../../lib/errors/errors.ts'
import { requireFound } from '../../lib/errors/require-found.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import { editUniqueNameRecord } from '../../lib/store/engine/unique-name-records.ts'
import {
  findOidcClientById,
  listValidSecrets,
  type OidcClient,
  type OidcClientSecret,
  oidcClientKind,
  removeOidcClientSecret,
} from '../../lib/store/oidc/clients.ts'
import { readClientApis } from './client-apis.ts'
import { toClientBody } from './client-body.ts'
import { readClientChanges } from './client-fields.ts'
import { findGroupErrors } from './client-groups.ts'
import { validateClient } from './client-validation.ts'

/** Changes the fields that the body contains. They count from the next request of the client on. */
export const patchOidcClient: UseCase<typeof oidcClients.patchOidcClient> = async (
  { params, body, context },
  { table, config, now },
) => {
  const client = requireFound(await findOidcClientById(table, params.id))
  if (client.document)
    throw conflict('The document of this client describes it. You can only delete the client.')
  const { deviceAuthorization = false, publicKeys = [], machineGroups = [] } = client
  const { apis, errors: apiErrors } = await readClientApis(table, body, client)
  const changes = diffFields<OidcClient>(
    { ...client, deviceAuthorization, publicKeys, machineGroups },
    readClientChanges(body, apis),
  )
  const errors = [
    // A public client would keep a secret, and a confidential one would have none.
    ...(changes.type === undefined ? [] : [{ field: 'type', message: 'cannot be changed' }]),
    ...validateClient(config, { ...client, ...changes, type: client.type }),
    ...apiErrors,
    ...(await findGroupErrors(table, body, client)),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  if (Object.keys(changes).length === 0) return { status: 200, body: toClientBody(client, now()) }
  const target = `${client.id} ${listFieldNames(changes)}`
  const edited = await editUniqueNameRecord(table, oidcClientKind, client, {
    changes,
    extraSteps: [auditStep(context, 'oidc_client.changed', { target })],
  })
  return { status: 200, body: toClientBody(edited, now()) }
}

/** Gives a client a new secret. The one before works for as long as the body says, and any older one ends. */
export const renewOidcClientSecret: UseCase<typeof oidcClients.renewOidcClientSecret> = async (
  { params, body, context },
  { table, now },
) => {
  const client = requireFound(await findOidcClientById(table, params.id))
  if (client.type === 'public') throw conflict('A public client has no secret.')
  const { value, hash } = mintCredential('oidc_client_secret', client.id)
  const nowMs = now()
  const [before] = listValidSecrets(client, nowMs)
  const keptUntil = nowMs + (body.keep_previous_for ?? 0) * 1000
  const kept = before && keptUntil > nowMs ? [{ ...before, expiresAt: endEarlier(before, keptUntil) }] : []
  const secret = {
    // The version after this change, which no other secret of the client has.
    id: client.version + 1,
    hash,
    createdAt: nowMs,
    expiresAt: null,
  }
  await editUniqueNameRecord(table, oidcClientKind, client, {
    changes: { secrets: [secret, ...kept] },
    extraSteps: [auditStep(context, 'oidc_client.secret_renewed', { target: String(client.id) })],
  })
  return { status: 200, body: { client_secret: value } }
}

const endEarlier = ({ expiresAt }: OidcClientSecret, end: number): number => Math.min(expiresAt ?? end, end)

/** Ends one secret of a client. */
export const endOidcClientSecret: UseCase<typeof oidcClients.endOidcClientSecret> = async (
  { params, context },
  { table, now },
) => {
  const client = requireFound(await findOidcClientById(table, params.id))
  const secret = requireFound(listValidSecrets(client, now()).find(({ id }) => id === params.secret_id))
  const target = `${client.id} ${secret.id}`
  await removeOidcClientSecret(table, client, secret.id, [
    auditStep(context, 'oidc_client.secret_ended', { target }),
  ])
  return { status: 204 }
}
