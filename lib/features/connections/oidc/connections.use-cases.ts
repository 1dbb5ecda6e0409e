import { readPageRequest, toListReply } from '../../../http/paging.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { conflict, invalidRequest, notFound, requireFound } from '../../../kernel/errors/errors.ts'
import { getIds, getListing, mapRows, readPage } from '../../../kernel/table/listing.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Services } from '../../../services.ts'
import { auditStep } from '../../audit/write-event.ts'
import { diffFields, listFieldNames } from '../../directory/user-changes.ts'
import { buildRequiredProviderSteps, requireCallerNotLockedOut } from '../../sign-in/required-sign-in.ts'
import {
  patchConnectionFields,
  readConnectionFields,
  toConnectionBody,
  validateConnection,
} from '../connection-fields.ts'
import { endConnection } from '../delete.use-cases.ts'
import type { samlProviders } from '../operations.ts'
import { maskedKey } from '../provider-body.ts'
import { allocateSamlProviderId, findSamlProvider } from '../saml/records.ts'
import { createClientKey } from './client-keys.ts'
import {
  createOidcConnection as createStored,
  deleteOidcConnection as deleteStored,
  editOidcConnection,
  findOidcConnection,
  type OidcConnectionFields,
  type OidcConnectionRecord,
  readOidcConnections,
} from './records.ts'
import { getClientSecretContext } from './upstream.ts'

/** Lists OpenID Connect connections. */
export const listOidcConnections: UseCase<typeof samlProviders.listOidcConnections> = async (
  request,
  { table, config },
) => {
  const listing = getListing('oidc-connection', request.query.ordering.field)
  const found = await readPage(table, listing, readPageRequest(request), (entries) =>
    readOidcConnections(table, getIds(entries)),
  )
  const page = await mapRows(found, async (rows) => rows.map((row) => toConnectionBody(config, row)))
  return { status: 200, ...toListReply(request, config, page) }
}

export const getOidcConnection: UseCase<typeof samlProviders.getOidcConnection> = async (
  { params },
  { table, config },
) => ({ status: 200, body: toConnectionBody(config, await requireOidcConnection(table, params.id)) })

const requireOidcConnection = async (table: Table, id: number): Promise<OidcConnectionRecord> =>
  requireFound(await findOidcConnection(table, id))

/** Creates an OpenID Connect connection. The identity provider is asked at the first sign-in only. */
export const createOidcConnection: UseCase<typeof samlProviders.createOidcConnection> = async (
  { body, context },
  services,
) => {
  const { table, config, vault } = services
  const fields = readConnectionFields(body)
  const errors = await validateConnection(config, table, fields, undefined)
  const secret = readSecret(body.client_secret)
  if (secret === undefined && usesSecret(fields)) throw invalidRequest([...errors, missingSecret])
  if (errors.length > 0) throw invalidRequest(errors)
  const id = await allocateSamlProviderId(table)
  const credential = await makeCredential(vault, id, fields, secret)
  const connection = await createStored(table, id, { ...fields, ...credential }, [
    ...(fields.requiredForDomains ? await buildRequiredProviderSteps(services, id, true) : []),
    auditStep(context, 'oidc_connection.created', { target: String(id) }),
  ])
  const location = `/api/2/auth/oidc-connections/${id}`
  return { status: 201, headers: { location }, body: toConnectionBody(config, connection) }
}

const missingSecret = { field: 'client_secret', message: 'must be the secret itself' }

/** The secret of a body. Undefined if it keeps what is stored. */
const readSecret = (secret: string | undefined): string | undefined =>
  secret === maskedKey ? undefined : secret

const usesSecret = ({ authMethod }: Pick<OidcConnectionFields, 'authMethod'>): boolean =>
  authMethod !== 'private_key_jwt'

/** What proves who this service is: the secret that was sent, or a new key. */
const makeCredential = async (
  vault: Services['vault'],
  id: number,
  fields: Pick<OidcConnectionFields, 'authMethod'>,
  secret = '',
): Promise<Pick<OidcConnectionFields, 'clientSecret' | 'publicJwk'>> => {
  const key = usesSecret(fields) ? undefined : await createClientKey()
  return {
    clientSecret: await vault.encrypt(key?.privateKey ?? secret, getClientSecretContext(id)),
    publicJwk: key ? JSON.stringify(key.publicJwk) : null,
  }
}

/** Changes the fields that the body contains. */
export const patchOidcConnection: UseCase<typeof samlProviders.patchOidcConnection> = async (
  { params, body, principal, context },
  services,
) => {
  const { table, config, vault } = services
  const connection = await requireOidcConnection(table, params.id)
  const fields = patchConnectionFields(connection, body)
  const secret = usesSecret(fields) ? readSecret(body.client_secret) : undefined
  const isNewKind = usesSecret(fields) !== usesSecret(connection)
  const errors = [
    ...(await validateConnection(config, table, fields, connection)),
    // The stored secret must not go to an issuer that the one who entered it did not choose.
    ...(usesSecret(fields) && fields.issuer !== connection.issuer && secret === undefined
      ? [{ field: 'client_secret', message: 'must be sent again with a new issuer' }]
      : []),
    ...(usesSecret(fields) && isNewKind && secret === undefined ? [missingSecret] : []),
  ]
  if (errors.length > 0) throw invalidRequest(errors)
  const changes = diffFields<OidcConnectionFields>(connection, {
    ...fields,
    ...(secret !== undefined || isNewKind ? await makeCredential(vault, connection.id, fields, secret) : {}),
  })
  if (Object.keys(changes).length === 0) return { status: 200, body: toConnectionBody(config, connection) }
  const next = { ...connection, ...changes }
  requireCallerNotLockedOut(principal, next, 'required_for_domains')
  const requirementSteps =
    changes.requiredForDomains === undefined
      ? []
      : await buildRequiredProviderSteps(services, connection.id, changes.requiredForDomains)
  const target = `${connection.id} ${listFieldNames(changes)}`
  const edited = await editOidcConnection(table, connection, changes, [
    ...requirementSteps,
    auditStep(context, 'oidc_connection.changed', { target }),
  ])
  return { status: 200, body: toConnectionBody(config, edited) }
}

/** Deletes an OpenID Connect connection like a SAML provider. Repeating the request resumes an interrupted deletion. */
export const deleteOidcConnection: UseCase<typeof samlProviders.deleteOidcConnection> = async (
  { params, context },
  services,
) => {
  const { table } = services
  const connection = await findOidcConnection(table, params.id)
  if (connection)
    await deleteStored(table, connection, [
      ...(await buildRequiredProviderSteps(services, connection.id, false)),
      auditStep(context, 'oidc_connection.deleted', { target: String(params.id) }),
    ])
  // The ID may be that of a SAML provider, whose sign-ins and sessions stay.
  else if (await findSamlProvider(table, params.id)) throw notFound()
  const { hadItems, isComplete } = await endConnection(services, params.id, context, connection !== undefined)
  if (!isComplete)
    throw conflict(
      'The connection is deleted, but not all of its sessions have ended yet. Repeat the request.',
    )
  if (!connection && !hadItems) throw notFound()
  return { status: 204 }
}
