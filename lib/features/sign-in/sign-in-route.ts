import type { Services } from '../../services.ts'
import { findConnectionOfDomain } from '../connections/domain-route.records.ts'
import { isUsableDomain, normalizeDomain } from '../connections/domains.records.ts'
import { type Connection, findConnection } from '../connections/records.ts'
import { getLoginUrl } from '../connections/retry-path.ts'
import { type OrganizationRecord, readOrganizations } from '../organizations/records.ts'

/** What a person or a client said about who signs in. */
interface SignInHints {
  readonly username?: string | undefined
  readonly domain?: string | undefined
  readonly connection?: string | undefined
}

/** Where a sign-in goes on. */
export interface SignInRoute {
  readonly url: string
  /**
   * Whether the page offers other ways to sign in as well. The people of a customer can be in several organizations, and have other ways
   * to sign in. It is the same for every address of the domain.
   */
  readonly offersOtherWays: boolean
}

/**
 * Finds where a sign-in goes on: at the identity provider of the connection or of the domain. Accounts are never read, so
 * the response does not show whether one exists.
 */
export const findSignInRoute = async (
  services: Services,
  hints: SignInHints,
): Promise<SignInRoute | undefined> => {
  const byConnection =
    hints.connection === undefined ? undefined : await findConnectionRoute(services, hints.connection)
  if (byConnection !== undefined) return byConnection
  return findDomainRoute(services, hints.domain ?? readDomain(hints.username ?? ''))
}

/** The longest ID has as many digits as a safe integer. */
const connectionPattern = /^[1-9]\d{0,14}$/

/** Who names a connection wants no other one. */
const findConnectionRoute = async (
  { table, config }: Services,
  text: string,
): Promise<SignInRoute | undefined> => {
  const id = connectionPattern.test(text) ? Number(text) : 0
  const connection = await findConnection(table, id)
  if (!connection) return undefined
  const { organization_id: organizationId } = connection
  const [organization] = organizationId === null ? [] : await readOrganizations(table, [organizationId])
  return isUsable(connection, organization)
    ? { url: getLoginUrl(config, connection), offersOtherWays: false }
    : undefined
}

/** Nobody gets a session by the connection of an organization that is suspended or was deleted. */
const isUsable = (
  { organization_id: id }: Pick<Connection, 'organization_id'>,
  organization: OrganizationRecord | undefined,
): boolean => id === null || (organization?.id === id && organization.state === 'active')

/** The domain of an address. Empty for a username. */
const readDomain = (name: string): string => name.slice(name.lastIndexOf('@') + 1 || name.length)

/** No one can own this domain (RFC 6761), so looking it up takes what looking up any other domain takes. */
const unknownDomain = 'domain.invalid'

/**
 * Where a domain leads. A subdomain is another domain. A domain that no provider has takes as many table calls as one that a
 * provider has without a proof, and as that of an organization: no provider and no organization has the ID 0.
 */
const findDomainRoute = async (
  { table, config }: Services,
  text: string,
): Promise<SignInRoute | undefined> => {
  const domain = normalizeDomain(text) ?? unknownDomain
  const [provider, organization] = await findConnectionOfDomain(table, domain)
  if (!provider || provider.setup || !isUsable(provider, organization)) return undefined
  return provider.domains.some((one) => one.name === domain && isUsableDomain(one))
    ? { url: getLoginUrl(config, provider), offersOtherWays: provider.organization_id !== null }
    : undefined
}
