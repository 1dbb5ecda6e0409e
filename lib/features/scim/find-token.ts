import type { TokenAuthentication } from '../../accounts/callers/credential-use.records.ts'
import { noteUse } from '../../accounts/callers/note-use.ts'
import { parseCredential } from '../../kernel/secrets/credentials.ts'
import type { Services } from '../../services.ts'
import type { Connection } from '../connections/records.ts'
import { type OrganizationRecord, readOrganizations } from '../organizations/records.ts'
import { findTokenAndConnection, type ScimTokenRecord, storeScimTokenUse } from './tokens.records.ts'

/** The directory of a customer that calls, with a token of its connection or as a client. */
export interface ScimCaller {
  /** The ID of its token. Undefined for a client. */
  readonly tokenId: number | undefined
  readonly connection: Connection
  /** The organization that the connection belongs to. */
  readonly organization: OrganizationRecord | undefined
}

/**
 * Finds the directory behind the value of a token, if it is one of the connection that the path names: a token of the connection, or an
 * access token of its client. Undefined alike for any other value, and for a connection that was deleted, waits for its set-up or an
 * approval, takes nothing from a directory, or belongs to an organization that is suspended or was deleted.
 */
export const findScimCaller = async (
  services: Services,
  value: string,
  connectionId: string | undefined,
  { address }: TokenAuthentication = {},
): Promise<ScimCaller | undefined> => {
  const found = await findConnectionOf(services, value, connectionId)
  if (!found?.connection.scim?.isOn || found.connection.setup) return undefined
  const { token, connection } = found
  const { organization_id: organizationId } = connection
  const [organization] =
    organizationId === null ? [] : await readOrganizations(services.table, [organizationId])
  if (organizationId !== null && organization?.state !== 'active') return undefined
  if (token) await noteUse(services, token, address, (use) => storeScimTokenUse(services.table, token, use))
  return { tokenId: token?.id, connection, organization }
}

const findConnectionOf = async (
  services: Services,
  value: string,
  connectionId: string | undefined,
): Promise<{ readonly connection: Connection; readonly token: ScimTokenRecord | undefined } | undefined> => {
  const credential = parseCredential(value)
  if (!credential) {
    const id = Number(connectionId)
    if (String(id) !== connectionId) return undefined
    // Loaded on demand, because most directories have a token.
    const { findDirectoryConnection } = await import('../oauth/directory-tokens.ts')
    const connection = await findDirectoryConnection(services, value, id)
    return connection && { connection, token: undefined }
  }
  if (credential.kind !== 'scim_token' || String(credential.subject) !== connectionId) return undefined
  const { token, connection } = await findTokenAndConnection(
    services.table,
    credential.subject,
    credential.hash,
  )
  return token && connection && { token, connection }
}
