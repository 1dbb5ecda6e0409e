import { buildScimAudience, readScimAudience, scimScope } from '../../kernel/settings/jwt-audiences.ts'
import type { Services } from '../../services.ts'
import { type Connection, findConnection } from '../connections/records.ts'
import type { ClientRecord } from './clients.records.ts'
import type { TokenRequest } from './flow.models.ts'
import { findClientAndConnection } from './token-state.records.ts'
import { verifyMachineToken } from './tokens/verify-access-token.ts'

/*
 * Access tokens that the directory of a customer gets for its connection (RFC 6749 4.4), by a client that the settings of the connection
 * name. It proves itself by a key, so no secret gives such a token.
 */

/** What is wrong with a client as the one of a directory, or undefined if it can be one. */
export const findDirectoryClientError = (client: ClientRecord | undefined): string | undefined => {
  if (client?.type !== 'confidential' || client.document || client.public_keys.length === 0)
    return 'must be the client_id of a registered confidential client with keys'
  return client.requires_dpop ? 'must be a client without requires_dpop' : undefined
}

/** Whether a connection takes people from this client now. */
const isDirectoryOf = (client: ClientRecord, connection: Connection | undefined): connection is Connection =>
  connection?.scim?.isOn === true &&
  connection.scim.clientId === client.clientId &&
  findDirectoryClientError(client) === undefined

/** The connection that a request for a token names, if the client is its directory. Takes a table call for such a request alone. */
export const findDirectoryOf = async (
  { table, config }: Pick<Services, 'table' | 'config'>,
  client: ClientRecord,
  { grant_type: grantType, resource = '' }: Pick<TokenRequest, 'grant_type' | 'resource'>,
): Promise<Connection | undefined> => {
  const id = grantType === 'client_credentials' ? readScimAudience(config.publicUrl, resource) : undefined
  const connection = id === undefined ? undefined : await findConnection(table, id)
  return isDirectoryOf(client, connection) ? connection : undefined
}

/**
 * Finds the connection of an access token, if the token is for this connection, was not revoked, and the connection still takes people
 * from its client. Takes one table call.
 */
export const findDirectoryConnection = async (
  services: Services,
  value: string,
  connectionId: number,
): Promise<Connection | undefined> => {
  const { table, config } = services
  const claims = await verifyMachineToken(services, value, [
    buildScimAudience(config.publicUrl, connectionId),
  ])
  // A token that is bound to a key is worth nothing without a proof, and none is read here.
  if (claims?.scope !== scimScope || claims.cnf) return undefined
  const found = await findClientAndConnection(table, {
    jti: claims.jti,
    clientId: claims.client_id,
    connectionId,
  })
  return found && isDirectoryOf(found.client, found.connection) ? found.connection : undefined
}
