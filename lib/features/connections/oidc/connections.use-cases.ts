import { readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { invalidRequest, requireFound } from '../../../kernel/errors/errors.ts'
import { mapRows } from '../../../kernel/table/listing.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Services } from '../../../services.ts'
import { maskedSecret } from '../connection-fields.ts'
import { readConnectionPage, storeConnectionChanges, storeNewConnection } from '../edit-connections.ts'
import type { connections } from '../operations.ts'
import { allocateConnectionId, findConnectionOf } from '../records.ts'
import { removeConnection } from '../remove-connection.step.ts'
import { createClientKey } from './client-keys.ts'
import { applyOidcBody, oidcDefaults, toOidcBody, validateOidcConnection } from './fields.ts'
import { getClientSecretContext } from './protocol.ts'
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
  const { table, config, vault } = services
  const { name, issuer, client_id } = body
  const plain = applyOidcBody(
    {
      ...oidcDefaults,
      id: 0,
      kind: 'oidc',
      version: 1,
      name,
      normalizedName: '',
      domains: [],
      issuer,
      client_id,
      clientSecret: { cipher: '' },
      publicJwk: null,
    },
    body,
  )
  const errors = await validateOidcConnection(config, table, plain, undefined)
  const secret = readSecret(body.client_secret)
  if (secret === undefined && usesSecret(plain))
    throw invalidRequest([...errors, describeMissingSecret(body)])
  if (errors.length > 0) throw invalidRequest(errors)
  const id = await allocateConnectionId(table)
  const credential = await makeCredential(vault, id, plain, secret)
  const connection = await storeNewConnection(services, context, oidcKind, { ...plain, id, ...credential })
  const location = `/api/2/auth/oidc-connections/${id}`
  return { status: 201, headers: { location }, body: toOidcBody(config, connection) }
}

/** A response has a placeholder for the secret, which clients may send back. */
const describeMissingSecret = ({
  client_secret: sent,
}: {
  readonly client_secret?: string | null | undefined
}) => ({
  field: 'client_secret',
  message: sent == null ? 'is required with this way to authenticate' : 'must be the secret itself',
})

/** The secret of a body. Undefined if it keeps what is stored. */
const readSecret = (secret: string | undefined): string | undefined =>
  secret === maskedSecret ? undefined : secret

type Method = Pick<OidcConnection, 'token_endpoint_auth_method'>

const usesSecret = ({ token_endpoint_auth_method: method }: Method): boolean => method !== 'private_key_jwt'

/** What proves who this service is: the secret that was sent, or a new key. */
const makeCredential = async (
  vault: Services['vault'],
  id: number,
  connection: Method,
  secret = '',
): Promise<Pick<OidcConnection, 'clientSecret' | 'publicJwk'>> => {
  const key = usesSecret(connection) ? undefined : await createClientKey()
  return {
    clientSecret: { cipher: await vault.encrypt(key?.privateKey ?? secret, getClientSecretContext(id)) },
    publicJwk: key ? JSON.stringify(key.publicJwk) : null,
  }
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
  const edited = await storeConnectionChanges(services, request, oidcKind, { connection, next })
  return { status: 200, body: toOidcBody(config, edited) }
}

/** Deletes an OpenID Connect connection like a SAML provider. Repeating the request resumes an interrupted deletion. */
export const deleteOidcConnection: UseCase<typeof connections.deleteOidcConnection> = (request, services) =>
  removeConnection(request, services, oidcKind)
