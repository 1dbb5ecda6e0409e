import { connectionKey } from '../../kernel/table/keys/keys.ts'
import { organizationKey } from '../../kernel/table/keys/organization-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { decodeOrganization, type OrganizationRecord } from '../organizations/records.ts'
import { findDomainMarker } from './domains.records.ts'
import { type Connection, decodeConnection } from './records.ts'

/**
 * The connection that a domain belongs to, with its organization. Each domain takes two table calls, also one that nobody has: no
 * connection and no organization has the ID 0.
 */
export const findConnectionOfDomain = async (
  table: Table,
  domain: string,
): Promise<readonly [Connection | undefined, OrganizationRecord | undefined]> => {
  const marker = await findDomainMarker(table, domain)
  const [connection, organization] = await table.getMany([
    connectionKey(marker?.providerId ?? 0),
    organizationKey(marker?.organization ?? 0),
  ])
  return [decodeConnection(connection), decodeOrganization(organization)]
}
