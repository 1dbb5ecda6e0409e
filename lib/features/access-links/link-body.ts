import { listUsers } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { toUserMini } from '../../accounts/users/user-body.ts'
import { project } from '../../kernel/contract/projection.ts'
import { buildMetricFields } from '../../kernel/log/log.ts'
import { UnreadableSecret } from '../../kernel/secrets/vault.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { showLinkClientFields } from '../../published-clients/stored-fields.ts'
import type { Services } from '../../services.ts'
import type { ActivityRecord } from './activities.records.ts'
import type { AccessLinkRecord } from './link.records.ts'
import { needsOwnLogin } from './link-session.ts'
import type { OneTimeAccessToken, RestrictedOneTimeAccessToken } from './models.ts'
import { hasExpired } from './records.ts'
import { type ActiveLink, buildLink, buildPageUrl, decryptValue, findLinkProduct } from './rules.ts'
import { findShared } from './sharing-rights.ts'
import { type RecipientViewer, type ShownRecipient, showObjects, showRecipients } from './shown-links.ts'

/**
 * The bodies of access links for a viewer, with their values. The users of all links are read together. A link whose value
 * cannot be decrypted is undefined. `activities` are
 * the uses of each link that the viewer may see.
 */
export const toAccessLinkBodies = async (
  services: Services,
  links: readonly AccessLinkRecord[],
  viewer: RecipientViewer,
  activities: readonly (readonly ActivityRecord[])[],
): Promise<readonly (OneTimeAccessToken | undefined)[]> => {
  const ids = [...new Set(links.flatMap(({ user, createdBy }) => [user, createdBy]))]
  const users = await listUsers(services.table, ids)
  const byId = new Map(users.flatMap((user) => (user ? [[user.id, user] as const] : [])))
  const recipientIds = links.map(({ user }) => user)
  const records = recipientIds.map((id) => byId.get(id))
  const [shared, recipients] = await Promise.all([
    findShared(services, links, byId),
    showRecipients(services, recipientIds, records, viewer),
  ])
  const values = await Promise.all(links.map((link) => decryptListedValue(services, link)))
  return links.map((link, at) => {
    const value = values[at]
    if (value === undefined) return undefined
    return buildBody(services, link, value, {
      recipient: requireShown(recipients[at]),
      creator: byId.get(link.createdBy),
      isShared: shared[at] ?? false,
      activities: activities[at] ?? [],
    })
  })
}

/** Undefined for a value that cannot be decrypted. It is reported, and must not break a list. */
const decryptListedValue = async (
  services: Services,
  link: AccessLinkRecord,
): Promise<string | undefined> => {
  try {
    return await decryptValue(services, link)
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error
    const { log } = services
    log.error('item.unreadable', { link: link.id, error, ...buildMetricFields('ItemUnreadable', services) })
    return undefined
  }
}

/** The body of an access link that was just created, from its known value and users. */
export const toNewAccessLinkBody = async (
  services: Services,
  link: AccessLinkRecord,
  value: string,
  { user, creator, viewer }: NewLinkUsers,
): Promise<OneTimeAccessToken> => {
  const [recipient] = await showRecipients(services, [user.id], [user], viewer)
  return buildBody(services, link, value, {
    recipient: requireShown(recipient),
    creator,
    isShared: true,
    activities: [],
  })
}

interface NewLinkUsers {
  readonly user: UserRecord
  readonly creator: UserRecord
  readonly viewer: RecipientViewer
}

/** The body of an access link, with its activities. */
export const toAccessLinkBody = async (
  services: Services,
  link: AccessLinkRecord,
  activities: readonly ActivityRecord[],
  viewer: RecipientViewer,
): Promise<OneTimeAccessToken> => {
  const [body] = await toAccessLinkBodies(services, [link], viewer, [activities])
  if (!body) throw new Error('The value of the access link cannot be decrypted.')
  return body
}

/** An access link as shown to anyone who has its value. */
export const toRestrictedBody = async (
  services: Services,
  { link, addressee, user, creator, organization }: ActiveLink,
  value: string,
  viewer: RecipientViewer,
): Promise<RestrictedOneTimeAccessToken> => {
  const [recipient] = await showRecipients(services, [addressee.id], [addressee], viewer)
  return {
    id: link.id,
    has_password: link.passwordHash !== null,
    user: requireShown(recipient).body,
    url: buildPageUrl(services.config, link),
    full_url: buildLink(services.config, link, value),
    shared_by: toUserMini(creator).display_name,
    ...omitUndefined({ organization_name: organization?.name }),
    product: findLinkProduct(services.config, link)?.name ?? null,
    shared_items: isOpenToHolder({ link, user }) ? listNames(link) : [],
  }
}

/** Whether everyone who has the link can open it. The names of the objects are for its recipient alone otherwise. */
const isOpenToHolder = ({ link, user }: Pick<ActiveLink, 'link' | 'user'>): boolean =>
  link.passwordHash === null && !link.require_login && !needsOwnLogin(user)

const listNames = (link: AccessLinkRecord): string[] => {
  const { bundles, directories } = showObjects(link)
  return [...bundles, ...directories].map(({ name }) => name)
}

const requireShown = (recipient: ShownRecipient | undefined): ShownRecipient => {
  if (!recipient) throw new Error('An access link has no recipient.')
  return recipient
}

interface LinkParts {
  readonly recipient: ShownRecipient
  readonly creator: UserRecord | undefined
  /** Whether the creator is still allowed to create such links. */
  readonly isShared: boolean
  readonly activities: readonly ActivityRecord[]
}

const buildBody = (
  { config, now }: Services,
  link: AccessLinkRecord,
  value: string,
  { recipient: { user, body: shownUser }, creator, isShared, activities }: LinkParts,
): OneTimeAccessToken => {
  const { easySharing } = link
  const { bundles, directories } = showObjects(link)
  const hasEnded = !user || !isShared || hasExpired(link, now())
  return {
    ...project(['id', 'view_limit_enabled', 'view_limit_left'], link),
    activity: activities.map(toActivityBody),
    user: shownUser,
    ...showLinkClientFields(hasEnded ? [] : link.roots.map(({ id }) => id)),
    shared_bundles: bundles,
    shared_directories: directories,
    url: buildPageUrl(config, link),
    full_url: buildLink(config, link, value),
    token: value,
    has_password: link.passwordHash !== null,
    created_at: formatTime(link.createdAt),
    expires: formatTime(link.expiresAt),
    require_login: link.require_login || (user !== undefined && needsOwnLogin(user)),
    ...omitUndefined({
      created_by: creator && toUserMini(creator),
      organization: link.organization,
    }),
    is_easy_sharing_for_bundle: easySharing?.kind === 'bundle' ? easySharing.id : null,
    is_easy_sharing_for_directory: easySharing?.kind === 'directory' ? easySharing.id : null,
  }
}

const toActivityBody = ({ id, tokenId: linkId, at, address }: ActivityRecord) => ({
  id,
  date: formatTime(at),
  ip: address,
  token: linkId,
})
