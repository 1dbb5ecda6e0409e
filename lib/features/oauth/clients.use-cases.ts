import { listUsedNetworks } from '../../accounts/callers/credential-use.records.ts'
import { changeSteps, describeNew } from '../../accounts/events/change-event.ts'
import { auditStep, thingSteps } from '../../accounts/events/write-event.ts'
import { buildNameMatcher } from '../../accounts/users/search-users.records.ts'
import { diffFields } from '../../accounts/users/user-changes.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import { toBody } from '../../kernel/contract/projection.ts'
import { conflict, invalidRequest, requireFound } from '../../kernel/errors/errors.ts'
import { clientsMax, secretsPerHolder } from '../../kernel/limits/limits.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import { mapRows } from '../../kernel/table/listing.ts'
import { readNamePage } from '../../kernel/table/search-names.ts'
import type { Table } from '../../kernel/table/table.ts'
import { editUniqueNameRecord } from '../../kernel/table/unique-name-records.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { formatTime } from '../../kernel/util/time.ts'
import {
  findGroupErrors,
  readClientApis,
  readClientChanges,
  readClientFields,
  validateClient,
} from './client-fields.ts'
import {
  chosenIdRule,
  clientFields,
  isChosenId,
  newClient,
  type OIDCClient,
  OIDCClientPartialUpdate,
  openidScopes,
} from './clients.models.ts'
import type { oidcClients } from './clients.operations.ts'
import {
  allocateClientId,
  buildNextSecrets,
  type ClientRecord,
  clientKind,
  createClientId,
  createClientRecord,
  deleteClientRecord,
  findClientById,
  listValidSecrets,
  removeClientSecret,
} from './clients.records.ts'

const chosenIdError = { field: 'client_id', message: chosenIdRule }

/** Registers a client. Only this response contains the secret. */
export const createOidcClient: UseCase<typeof oidcClients.createOidcClient> = async (
  { body, context },
  { table, config, now },
) => {
  const { apis, errors: apiErrors } = await readClientApis(table, body)
  const fields = readClientFields(body, apis)
  const { client_id: chosen } = body
  const errors = [
    ...(chosen === undefined || isChosenId(chosen) ? [] : [chosenIdError]),
    ...validateClient(config, fields),
    ...apiErrors,
    ...(await findGroupErrors(table, body)),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  const id = await allocateClientId(table)
  const needsSecret =
    fields.type === 'confidential' && fields.public_keys.length === 0 && !context.keepsSecretElsewhere
  const secret = needsSecret ? mintCredential('oidc_client_secret', id, context.presetRandom) : undefined
  const facts = describeNew({ fields: clientFields, before: newClient, after: fields })
  const clientId = chosen ?? createClientId(id)
  const { restores } = context
  const { addedClaims, steps } = restores === undefined ? noClaims : await findClaims(table, clientId, id)
  const client = await createClientRecord(
    table,
    id,
    {
      ...fields,
      ...omitUndefined({ addedClaims }),
      clientId,
      secrets: secret ? [{ id: 1, hash: secret.hash, createdAt: now(), expiresAt: null }] : [],
      createdBy: context.actor,
      createdAt: now(),
    },
    {
      limit: clientsMax,
      restores,
      extraSteps: [...thingSteps(context, 'oidc_client.created', id, facts), ...steps],
    },
  )
  return {
    status: 201,
    headers: { location: `/api/2/oidc-clients/${id}` },
    body: { ...toClientBody(client, now()), client_secret: secret?.value ?? null },
  }
}

const noClaims: Awaited<ReturnType<typeof findClaims>> = { steps: [] }

/** Only a client that a document creates again can be named by claims already. */
const findClaims = async (table: Table, clientId: string, id: number) => {
  const { restoreClaims } = await import('./plan-added-claims.ts')
  return restoreClaims(table, clientId, id)
}

export const getAllOidcClients: UseCase<typeof oidcClients.getAllOidcClients> = async (
  request,
  { table, config, now },
) => {
  const found = await readNamePage(table, clientKind, buildNameMatcher(request.query), {
    order: request.query.ordering.field,
    page: readPageRequest(request),
  })
  const page = await mapRows(found, async (clients) => clients.map((client) => toClientBody(client, now())))
  return { status: 200, ...toListReply(request, config, page) }
}

export const getOidcClient: UseCase<typeof oidcClients.getOidcClient> = async (
  { params },
  { table, now },
) => ({
  status: 200,
  body: toClientBody(requireFound(await findClientById(table, params.id), 'client'), now()),
})

/** Changes the fields that the body contains. They count from the next request of the client on. */
export const patchOidcClient: UseCase<typeof oidcClients.patchOidcClient> = async (
  { params, body, context, principal },
  { table, config, now },
) => {
  const client = requireFound(await findClientById(table, params.id), 'client')
  if (client.document)
    throw conflict('The document of this client describes it. You can only delete the client.')
  // A configuration document must be right also for an empty service. People can send back what they read.
  const before = principal.kind === 'configuration' ? undefined : client
  const { apis, errors: apiErrors } = await readClientApis(table, body, before)
  const changes = diffFields<ClientRecord>(client, readClientChanges(body, apis))
  const errors = [
    // A public client would keep a secret, and a confidential one would have none.
    ...(changes.type === undefined ? [] : [{ field: 'type', message: 'cannot be changed' }]),
    ...(body.client_id === undefined || body.client_id === client.clientId
      ? []
      : [{ field: 'client_id', message: 'cannot be changed' }]),
    ...validateClient(config, { ...client, ...changes, type: client.type }),
    ...apiErrors,
    ...(await findGroupErrors(table, body, before)),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  if (Object.keys(changes).length === 0) return { status: 200, body: toClientBody(client, now()) }
  const change = { fields: clientFields, before: client, after: changes }
  const edited = await editUniqueNameRecord(table, clientKind, client, {
    changes,
    extraSteps: changeSteps(context, 'oidc_client.changed', { of: client.id, change }),
  })
  return { status: 200, body: toClientBody(edited, now()) }
}

/**
 * Gives a client a new secret. The one before works for as long as the body says, and older ones until the time that they were given. None
 * of them ends early unless all do: the product may run with the oldest one, because answers with the others got lost.
 */
export const renewOidcClientSecret: UseCase<typeof oidcClients.renewOidcClientSecret> = async (
  { params, body, context },
  { table, now },
) => {
  const client = requireFound(await findClientById(table, params.id), 'client')
  if (client.type === 'public') throw conflict('A public client has no secret.')
  const { value, hash } = mintCredential('oidc_client_secret', client.id, context.presetRandom)
  const keepMs = (body.keep_previous_for ?? 0) * 1000
  const { secrets, dropped } = buildNextSecrets(client, hash, { nowMs: now(), keepMs })
  if (dropped.length > 0)
    throw conflict(
      `The client has ${secretsPerHolder} secrets. End one that no server uses, or send \`keep_previous_for\` as 0 to end all of them.`,
    )
  await editUniqueNameRecord(table, clientKind, client, {
    changes: { secrets },
    extraSteps: [auditStep(context, 'oidc_client.secret_renewed', { target: String(client.id) })],
  })
  return { status: 200, body: { client_secret: value } }
}

/** Ends one secret of a client. */
export const endOidcClientSecret: UseCase<typeof oidcClients.endOidcClientSecret> = async (
  { params, context },
  { table, now },
) => {
  const client = requireFound(await findClientById(table, params.id), 'client')
  const secret = requireFound(
    listValidSecrets(client, now()).find(({ id }) => id === params.secret_id),
    'client secret',
  )
  const target = `${client.id} ${secret.id}`
  await removeClientSecret(table, client, secret.id, [
    auditStep(context, 'oidc_client.secret_ended', { target }),
  ])
  return { status: 204 }
}

/** Deletes a client. Its grants and tokens name it, so they end at the same moment. */
export const deleteOidcClient: UseCase<typeof oidcClients.deleteOidcClient> = async (
  { params, context },
  { table },
) => {
  const client = requireFound(await findClientById(table, params.id), 'client')
  await deleteClientRecord(table, client, thingSteps(context, 'oidc_client.deleted', client.id))
  return { status: 204 }
}

/** A client as administrators see it. Its secrets are never shown. */
const toClientBody = (client: ClientRecord, nowMs: number): OIDCClient => ({
  ...toBody<Pick<OIDCClient, keyof OIDCClientPartialUpdate>>(OIDCClientPartialUpdate.def.shape, {
    ...newClient,
    ...client,
    client_id: client.clientId,
    scopes: openidScopes.filter((scope) => client.scopes.includes(scope)),
  }),
  id: client.id,
  has_client_secret: listValidSecrets(client, nowMs).length > 0,
  client_secrets: listValidSecrets(client, nowMs).map(({ id, createdAt, expiresAt, usedAt }) => ({
    id,
    created_at: formatTime(createdAt),
    expires: expiresAt === null ? null : formatTime(expiresAt),
    last_used: usedAt === undefined ? null : formatTime(usedAt),
  })),
  used_networks: listUsedNetworks(client.usedNetworks ?? [], nowMs),
  created_at: formatTime(client.createdAt),
})
