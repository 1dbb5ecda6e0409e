import { readMailSender } from '../../../kernel/settings/mail-sender.ts'
import type { Services } from '../../../services.ts'
import type { OwnDomains } from './markup.ts'
import type { EmailTextOwner } from './records.ts'

/**
 * The domains that own words may lead to: those of the service, of its products and of its sender, and for an organization the domains that it
 * proved.
 */
export const listOwnDomains = async (
  { config, table }: Pick<Services, 'config' | 'table'>,
  owner: EmailTextOwner,
): Promise<OwnDomains> => {
  const addresses = [config.publicUrl, config.signInUrl, ...config.linkProducts.map(({ url }) => url)]
  const hosts = addresses.flatMap((address) => URL.parse(address)?.hostname ?? [])
  const sender = readMailSender(config.mailFrom ?? '')
  const proven = 'organization' in owner ? await listProvenDomains(table, owner.organization) : []
  const ofSender = sender ? [sender.address.slice(sender.address.lastIndexOf('@') + 1).toLowerCase()] : []
  return { hosts: [...new Set(hosts)], domains: [...new Set([...ofSender, ...proven])] }
}

const listProvenDomains = async (
  table: Services['table'],
  organizationId: number,
): Promise<readonly string[]> => {
  // Only words of an organization need them.
  const [{ listConnectionIds }, { readConnections }] = await Promise.all([
    import('../../connections/organization-places.records.ts'),
    import('../../connections/records.ts'),
  ])
  const connections = await readConnections(table, await listConnectionIds(table, organizationId))
  return connections.flatMap((one) =>
    (one?.domains ?? []).flatMap(({ state, name }) => (state === 'proven' ? [name] : [])),
  )
}
