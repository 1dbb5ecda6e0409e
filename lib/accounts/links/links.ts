import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../core/config.ts'
import { notFound } from '../../core/errors.ts'
import { parseCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { findUsers } from '../../store/directory/users.ts'
import { findAccessToken, isUsable } from '../../store/links/access-tokens.ts'
import type { AccessTokenRecord } from '../../store/records/access-token-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { isActive } from '../common/active-user.ts'
import { resolveDestination } from '../common/destinations.ts'
import { getLinkVault, linkPurpose } from './link-vault.ts'

/** Where a link leads when nobody said where. */
const ownPage = '/link'
/** The name of the value in the fragment, which a browser keeps to itself: no server and no log ever gets it. */
const fragmentName = 'token'

/** The page that a link leads to. */
export const buildPageUrl = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { url }: { url: string | null },
): string => (url === null || url.startsWith('/') ? `${publicUrl}${url ?? ownPage}` : url)

/** The whole link: whoever has it can use it. */
export const buildLink = (
  config: Pick<Config, 'publicUrl'>,
  token: AccessTokenRecord,
  value: string,
): string => `${buildPageUrl(config, token)}#${fragmentName}=${value}`

/** Characters of the page's whole address. */
const longestPage = 1023

/** A page that was given, as it is stored: ours by its path, so that it moves with us. */
export const readPageUrl = (
  config: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
  text: string,
): { readonly url: string } | { readonly fault: string } => {
  const page = resolveDestination(config, text)
  if (!page)
    return {
      fault: 'must be a path of this service, beginning with /, or a page of one of its allowed origins',
    }
  if (text.includes('#')) return { fault: 'must have no fragment: the value of the token goes there' }
  if (page.href.length > longestPage) return { fault: 'is too long' }
  return { url: page.origin === config.publicUrl ? page.pathname + page.search : page.href }
}

/** What the value is encrypted for: its token, and nothing else that is ever encrypted. */
export const getValueContext = (id: number) => ({ purpose: linkPurpose, token: String(id) })

/** The value of a token, for those who may read it. */
export const decryptValue = (
  services: Services,
  { id, encryptedValue }: Pick<AccessTokenRecord, 'id' | 'encryptedValue'>,
): Promise<string> => getLinkVault(services).decrypt(encryptedValue, getValueContext(id))

/**
 * Rejects malformed values without reading the table. Such lookups cost nothing, so callers don't count them.
 *
 * @throws AppError `not_found`
 */
export const requireLinkValue = (text: string): void => {
  if (parseCredential(text)?.kind !== 'access_token') throw notFound()
}

/**
 * The token behind a value and its recipient, in two calls to the table. Undefined for whatever is malformed, unknown
 * or deleted, and for a link that doesn't work: nobody is told of these apart.
 */
export const findLink = async (
  services: Services,
  value: string,
): Promise<{ readonly token: AccessTokenRecord; readonly user: UserRecord } | undefined> => {
  const credential = parseCredential(value)
  if (credential?.kind !== 'access_token') return undefined
  const token = await findAccessToken(services.table, credential.subject)
  if (!token || !isSame(token.hash, credential.hash)) return undefined
  const user = await findActiveRecipient(services, token)
  return user && { token, user }
}

/**
 * The recipient of a link that works: neither expired nor used up, its recipient there and not shut out, and its creator
 * there. A creator who is disabled has shared what was shared; one who is deleted takes it along.
 */
export const findActiveRecipient = async (
  { table, now }: Services,
  token: AccessTokenRecord,
): Promise<UserRecord | undefined> => {
  if (!isUsable(token, now())) return undefined
  const [user, creator] = await findUsers(table, [token.user, token.createdBy])
  return user && creator && isActive(user, now()) ? user : undefined
}

/** Two hashes of the same length. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b))
