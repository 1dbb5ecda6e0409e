import type { TokenAuthentication } from '../../accounts/callers/credential-use.records.ts'
import { noteUse } from '../../accounts/callers/note-use.ts'
import { parseCredential } from '../../kernel/secrets/credentials.ts'
import type { Services } from '../../services.ts'
import type { Connection } from '../connections/records.ts'
import { type OrganizationRecord, readOrganizations } from '../organizations/records.ts'
import { findTokenAndConnection, type ScimTokenRecord, storeScimTokenUse } from './tokens.records.ts'

/** The directory of a customer that calls with a token of its connection. */
export interface ScimCaller {
  readonly token: ScimTokenRecord
  readonly connection: Connection
  /** The organization that the connection belongs to. */
  readonly organization: OrganizationRecord | undefined
}

/**
 * Finds the directory behind the value of a token, if it is one of the connection that the path names. Undefined alike for any other value,
 * and for a connection that was deleted, waits for its set-up or an approval, takes nothing from a directory, or belongs to an organization
 * that is suspended or was deleted.
 */
export const findScimCaller = async (
  services: Pick<Services, 'table' | 'now' | 'log'>,
  value: string,
  connectionId: string | undefined,
  { address }: TokenAuthentication = {},
): Promise<ScimCaller | undefined> => {
  const credential = parseCredential(value)
  if (credential?.kind !== 'scim_token' || String(credential.subject) !== connectionId) return undefined
  const { token, connection } = await findTokenAndConnection(
    services.table,
    credential.subject,
    credential.hash,
  )
  if (!token || !connection?.scim?.isOn || connection.setup) return undefined
  const { organization_id: organizationId } = connection
  const [organization] =
    organizationId === null ? [] : await readOrganizations(services.table, [organizationId])
  if (organizationId !== null && organization?.state !== 'active') return undefined
  await noteUse(services, token, address, (use) => storeScimTokenUse(services.table, token, use))
  return { token, connection, organization }
}
