import { readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { invalidRequest, requireFound } from '../../../kernel/errors/errors.ts'
import { mapRows } from '../../../kernel/table/listing.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { readConnectionPage, storeConnectionChanges } from '../edit-connections.ts'
import type { connections } from '../operations.ts'
import { findConnectionOf } from '../records.ts'
import { removeConnection } from '../remove-connection.part.ts'
import {
  createOidc,
  describeMissingSecret,
  makeCredential,
  readSecret,
  usesSecret,
  validateSecret,
} from './create-connection.ts'
import { applyOidcBody, toOidcBody, validateOidcConnection } from './fields.ts'
import { oidcFields } from './models.ts'
import { type OidcConnection, oidcKind } from './records.ts'

/** Lists OpenID Connect connections. */
export const listOidcConnections: UseCase<typeof connections.listOidcConnections> = async (
  request,
  { table, config },
) => {
  const { field } = request.query.ordering
  const found = await readConnectionPage(table, oidcKind, field, readPageRequest(request))
  const page = await mapRows(found, async (rows) => rows.map((row) => toOidcBody(config, row)))
  return { status: 200, ...toListReply(request, config, page) }
}

export const getOidcConnection: UseCase<typeof connections.getOidcConnection> = async (
  { params },
  { table, config },
) => ({ status: 200, body: toOidcBody(config, await requireOidcConnection(table, params.id)) })

const requireOidcConnection = async (table: Table, id: number): Promise<OidcConnection> =>
  requireFound(await findConnectionOf(table, oidcKind, id), 'connection')

/** Creates an OpenID Connect connection. The identity provider is asked at the first sign-in only. */
export const createOidcConnection: UseCase<typeof connections.createOidcConnection> = async (
  { body, context },
  services,
) => {
  const connection = await createOidc(services, context, body)
  const location = `/api/2/auth/oidc-connections/${connection.id}`
  return { status: 201, headers: { location }, body: toOidcBody(services.config, connection) }
}

/** Changes the fields that the body contains. */
export const patchOidcConnection: UseCase<typeof connections.patchOidcConnection> = async (
  request,
  services,
) => {
  const { params, body } = request
  const { table, config, vault } = services
  const connection = await requireOidcConnection(table, params.id)
  const plain = applyOidcBody(connection, body)
  const secret = usesSecret(plain) ? readSecret(body.client_secret) : undefined
  const isNewMethod = usesSecret(plain) !== usesSecret(connection)
  const errors = [
    ...(await validateOidcConnection(config, table, plain, connection)),
    ...(await validateSecret(plain, secret)),
    // The stored secret must not go to an issuer that the one who entered it did not choose.
    ...(usesSecret(plain) && plain.issuer !== connection.issuer && secret === undefined
      ? [{ field: 'client_secret', message: 'must be sent again with a new issuer' }]
      : []),
    ...(usesSecret(plain) && isNewMethod && secret === undefined ? [describeMissingSecret(body)] : []),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  const credential =
    secret !== undefined || isNewMethod ? await makeCredential(vault, connection.id, plain, secret) : {}
  const next = { ...plain, ...credential }
  const edited = await storeConnectionChanges(services, request, oidcKind, {
    connection,
    next,
    fields: oidcFields,
  })
  return { status: 200, body: toOidcBody(config, edited) }
}

/** Deletes an OpenID Connect connection like a SAML provider. Repeating the request resumes an interrupted deletion. */
export const deleteOidcConnection: UseCase<typeof connections.deleteOidcConnection> = (request, services) =>
  removeConnection(request, services, oidcKind)
