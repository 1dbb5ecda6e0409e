import type { Config } from '../../../kernel/settings/config.ts'
import { readMailSender } from '../../../kernel/settings/mail-sender.ts'
import type { Services } from '../../../services.ts'
import type { OwnDomains } from './markup.ts'
import type { EmailTextOwner } from './records.ts'

/** The domains of the service, of its products and of its sender. */
export const listServiceDomains = ({
  publicUrl,
  signInUrl,
  linkProducts,
  mailFrom,
}: Pick<Config, 'publicUrl' | 'signInUrl' | 'linkProducts' | 'mailFrom'>): OwnDomains => {
  const addresses = [publicUrl, signInUrl, ...linkProducts.map(({ url }) => url)]
  const hosts = addresses.flatMap((address) => URL.parse(address)?.hostname ?? [])
  const sender = readMailSender(mailFrom ?? '')
  return { hosts: [...new Set(hosts)], domains: sender ? [getAddressDomain(sender.address)] : [] }
}

/** The domains that own words may lead to: those of the service, and for an organization the domains that it proved. `isProven`: whether
 * it proved any. */
export const listOwnDomains = async (
  { config, table }: Pick<Services, 'config' | 'table'>,
  owner: EmailTextOwner,
): Promise<OwnDomains & { readonly isProven: boolean }> => {
  const { hosts, domains } = listServiceDomains(config)
  const proven = 'organization' in owner ? await listProvenDomains(table, owner.organization) : []
  return { hosts, domains: [...new Set([...domains, ...proven])], isProven: proven.length > 0 }
}

/** The domains that an organization proved with its connections. */
export const listProvenDomains = async (
  table: Services['table'],
  organizationId: number,
): Promise<readonly string[]> => {
  // Only words and senders of an organization need them.
  const [{ listConnectionIds }, { readConnections }] = await Promise.all([
    import('../../connections/organization-places.records.ts'),
    import('../../connections/records.ts'),
  ])
  const connections = await readConnections(table, await listConnectionIds(table, organizationId))
  return connections.flatMap((one) =>
    (one?.domains ?? []).flatMap(({ state, name }) => (state === 'proven' ? [name] : [])),
  )
}

/** The part of an address after its last @, in lower case. */
export const getAddressDomain = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase()
