import type { AuditDetails } from '../../accounts/events/write-event.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { resolveSuccessor } from '../../accounts/users/successors.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { isSameHash, parseCredential } from '../../kernel/secrets/credentials.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { buildProductUrl, type LinkProduct } from '../../kernel/settings/link-products.ts'
import { getIds, type Listing, readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import type { OrganizationRecord } from '../organizations/records.ts'
import { destinationRule, resolveDestination } from '../sign-in/destinations.ts'
import type { AccessLinkRecord } from './link.records.ts'
import { getLinkVault, linkPurpose } from './link-vault.ts'
import { findAccessLink, findAccessLinks, findLinkPeople, isUsable } from './records.ts'
import { canShare } from './sharing-rights.ts'

/** The page that links open unless their creator chose another one. */
export const defaultLinkPage = '/link'
/** The parameter with the value. It is in the URL fragment, which browsers never send to a server or write to a log. */
const fragmentName = 'token'

/** The page that opens a link. */
export const buildPageUrl = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { url }: { url: string | null },
): string => (url === null || url.startsWith('/') ? `${publicUrl}${url ?? defaultLinkPage}` : url)

/** The complete link. Anyone who has it can use it. */
export const buildLink = (config: Pick<Config, 'publicUrl'>, link: AccessLinkRecord, value: string): string =>
  `${buildPageUrl(config, link)}#${fragmentName}=${value}`

/** Characters of the complete page URL. */
const pageUrlLength = 1023

/** Reads a page URL for storing. A page of this service is stored as a path, so that the public URL may change. */
export const readPageUrl = (
  config: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
  text: string,
): { readonly url: string } | { readonly message: string } => {
  const page = resolveDestination(config, text)
  if (!page) return { message: destinationRule }
  if (text.includes('#'))
    return { message: 'must not have a fragment, because the fragment contains the token' }
  if (page.href.length > pageUrlLength) return { message: 'is too long' }
  return { url: page.origin === config.publicUrl ? page.pathname + page.search : page.href }
}

/** The encryption context of a value. It differs for each access link and from that of any other secret. */
export const getLinkValueContext = (id: number) => ({ purpose: linkPurpose, token: String(id) })

/** Decrypts the value of an access link. Callers check that the user may read it. */
export const decryptValue = (
  services: Services,
  { id, encryptedValue }: Pick<AccessLinkRecord, 'id' | 'encryptedValue'>,
): Promise<string> => getLinkVault(services).decrypt(encryptedValue, getLinkValueContext(id))

/** Every value that opens nothing gets the same answer, so no one learns which links existed. */
export const createUnknownLinkError = (): AppError =>
  new AppError('not_found', {
    detail:
      'The access link is unknown, used up, expired or deleted. Open the whole address of the link, or ask its sender for a new one.',
  })

/**
 * Rejects malformed values without reading the table. Such lookups cost nothing, so callers don't count them.
 *
 * @throws AppError `not_found`
 */
export const requireLinkValue = (text: string): void => {
  if (parseCredential(text)?.kind !== 'access_token') throw createUnknownLinkError()
}

/** An access link that works. */
export interface ActiveLink {
  readonly link: AccessLinkRecord
  /** The user who the link names. */
  readonly addressee: UserRecord
  /** The user who may open it. It is another one if an account has replaced the addressee, a guest. */
  readonly user: UserRecord
  readonly creator: UserRecord
  /** The organization in whose name the link was made. */
  readonly organization: OrganizationRecord | undefined
}

/**
 * Finds the access link with this value, and its recipient, in two table calls. Takes another one if the groups of the
 * creator decide, and one if an account has replaced a guest. Returns undefined for a malformed, unknown, deleted, expired or ended link, which callers cannot distinguish.
 */
export const findLink = async (services: Services, value: string): Promise<ActiveLink | undefined> => {
  const credential = parseCredential(value)
  if (credential?.kind !== 'access_token') return undefined
  const link = await findAccessLink(services.table, credential.subject)
  if (!link || !isSameHash(link.hash, credential.hash)) return undefined
  return findActiveLink(services, link)
}

/**
 * A link that works: it is neither expired nor used up, its recipient is active, and its creator is still allowed to create
 * links, also in its organization.
 */
export const findActiveLink = async (
  services: Services,
  link: AccessLinkRecord,
): Promise<ActiveLink | undefined> => {
  if (!isUsable(link, services.now())) return undefined
  const { addressee, creator, parts } = await findLinkPeople(services.table, link)
  const user = await resolveSuccessor(services.table, addressee)
  if (!addressee || !user || !isActive(user, services.now())) return undefined
  if (!creator || !(await canShare(services, creator, parts, link))) return undefined
  return { link, addressee, user, creator, organization: parts?.organization }
}

/** What audit events say about the link that they are about. */
export const describeLink = ({ id, user, organization }: AccessLinkRecord): AuditDetails => ({
  user,
  target: String(id),
  ...omitUndefined({ organization }),
})

const pageSize = 100

/** Reads the access links of a list page by page. An index entry may exist a moment longer than its access link. */
export async function* linksIn(table: Table, listing: Listing): AsyncGenerator<readonly AccessLinkRecord[]> {
  for await (const entries of readEntryPages(table, listing, pageSize))
    yield (await findAccessLinks(table, getIds(entries))).filter((link) => link !== undefined)
}

/**
 * Returns the product that the built-in page leads to after it opened the link. Undefined if there is none, and for a
 * link with another page. The creator of a link chooses a product by its name, in the page `/link?product=name`.
 * Otherwise it is the first one.
 */
export const findLinkProduct = (
  { publicUrl, linkProducts }: Pick<Config, 'publicUrl' | 'linkProducts'>,
  { id, url }: Pick<AccessLinkRecord, 'id' | 'url'>,
): LinkProduct | undefined => {
  const page = new URL(url ?? defaultLinkPage, publicUrl)
  if (page.origin !== publicUrl || page.pathname !== defaultLinkPage) return undefined
  const name = page.searchParams.get('product')
  const product = linkProducts.find((one) => name === null || one.name === name)
  return product && { ...product, url: buildProductUrl(product, id) }
}
