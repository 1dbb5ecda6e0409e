import type { Services } from '../../services.ts'
import { findDomainProviderId, isUsableDomain, normalizeDomain } from '../connections/domains.records.ts'
import { findConnection } from '../connections/records.ts'
import { getLoginUrl } from '../connections/retry-path.ts'

/** What a person or a client said about who signs in. */
interface SignInHints {
  readonly username?: string | undefined
  readonly domain?: string | undefined
  readonly connection?: string | undefined
}

/**
 * Finds where a sign-in goes on: at the identity provider of the connection or of the domain. Accounts are never read, so
 * the response does not show whether one exists.
 */
export const findSignInRoute = async (
  services: Services,
  hints: SignInHints,
): Promise<string | undefined> => {
  const byConnection =
    hints.connection === undefined ? undefined : await findConnectionRoute(services, hints.connection)
  if (byConnection !== undefined) return byConnection
  return findDomainRoute(services, hints.domain ?? readDomain(hints.username ?? ''))
}

/** The longest ID has as many digits as a safe integer. */
const connectionPattern = /^[1-9]\d{0,14}$/

const findConnectionRoute = async (
  { table, config }: Services,
  text: string,
): Promise<string | undefined> => {
  const id = connectionPattern.test(text) ? Number(text) : 0
  const connection = await findConnection(table, id)
  return connection && getLoginUrl(config, connection)
}

/** The domain of an address. Empty for a username. */
const readDomain = (name: string): string => name.slice(name.lastIndexOf('@') + 1 || name.length)

/** No one can own this domain (RFC 6761), so looking it up takes what looking up any other domain takes. */
const unknownDomain = 'domain.invalid'

/**
 * Where a domain leads. A subdomain is another domain. A domain that no provider has takes as many table calls as one that a
 * provider has without a proof: no provider has the ID 0.
 */
const findDomainRoute = async ({ table, config }: Services, text: string): Promise<string | undefined> => {
  const domain = normalizeDomain(text) ?? unknownDomain
  const id = (await findDomainProviderId(table, domain)) ?? 0
  const provider = await findConnection(table, id)
  return !provider?.setup && provider?.domains.some((one) => one.name === domain && isUsableDomain(one))
    ? getLoginUrl(config, provider)
    : undefined
}
