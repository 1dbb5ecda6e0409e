import { listUsers } from '../../accounts/users/find-users.records.ts'
import { findFormerGuestIds } from '../../accounts/users/successors.records.ts'
import { toUserMini } from '../../accounts/users/user-body.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase, UseCaseRequest } from '../../http/use-case.ts'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import { linksCounted, linksSortedInMemory } from '../../kernel/limits/limits.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { buildPage, type Page, readEntries } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { foldText } from '../../kernel/util/fold-text.ts'
import type { Services } from '../../services.ts'
import { getRecentUses } from './activities.records.ts'
import { linkLists } from './index.records.ts'
import type { AccessLinkRecord, EasySharing } from './link.records.ts'
import { toAccessLinkBodies } from './link-body.ts'
import {
  type FormerGuests,
  getOrderKey,
  type LinkFilters,
  type LinkOrder,
  listAccessLinks,
  matches,
} from './lists.records.ts'
import type { accessLinks } from './operations.ts'
import { findAccessLink } from './records.ts'
import { canSeeAllLinks } from './rights.ts'
import { buildPageUrl } from './rules.ts'
import { createRecipientViewer, showObjects, showRecipients } from './shown-links.ts'

type Request = UseCaseRequest<typeof accessLinks.getAllAccessTokens>

/** Lists the access links that the caller created or received, with their newest uses. Administrators see all links. */
export const getAllAccessTokens: UseCase<typeof accessLinks.getAllAccessTokens> = async (
  request,
  services,
) => {
  const { principal } = request
  const { rows, next } = await findPage(services, request)
  const links = rows.map(({ row }) => row)
  // Guests do not see the uses, because they contain addresses of others.
  const activities = principal.session?.accessLink
    ? []
    : links.map((link) => getRecentUses(link, services.now()))
  const viewer = await createRecipientViewer(services, principal)
  const bodies = await toAccessLinkBodies(services, links, viewer, activities)
  const shown = rows.flatMap(({ indexKey }, at) => {
    const row = bodies[at]
    return row ? [{ indexKey, row }] : []
  })
  return { status: 200, ...toListReply(request, services.config, { rows: shown, next }) }
}

/** Counts the links of each state by their entries in the order of their ends, up to a limit. */
export const getAccessTokenTotals: UseCase<typeof accessLinks.getAccessTokenTotals> = async (
  _,
  { table, now },
) => {
  const time = new Date(now()).toISOString()
  const count = async (range: { readonly from: string } | { readonly to: string }) => {
    const listing = { ...linkLists.all('expires'), ...range }
    const entries = await readEntries(table, listing, { limit: linksCounted + 1, isDescending: false })
    return { count: Math.min(entries.length, linksCounted), has_more: entries.length > linksCounted }
  }
  const [not_expired, expired] = await Promise.all([count({ from: time }), count({ to: time })])
  return { status: 200, body: { not_expired, expired } }
}

/** Converts the filters of a query to those of the store. */
export const readFilters = (query: Omit<Request['query'], 'person' | 'filter' | 'expired'>): LinkFilters => ({
  bundles: query.shared_bundles,
  directories: query.shared_directories,
  asset: query.shared_bundles__asset,
  user: query.user,
  createdBy: query.created_by,
})

/** The guests whom the user replaced. They are read for the caller, and for the recipient that an administrator names. */
const findFormerGuests = async (
  table: Table,
  userId: number | undefined,
): Promise<FormerGuests | undefined> =>
  userId === undefined ? undefined : { userId, guestIds: await findFormerGuestIds(table, userId) }

const findPage = async (services: Services, request: Request): Promise<Page<AccessLinkRecord>> => {
  const { principal, query } = request
  const page = readPageRequest(request)
  const order = getLinkOrder(services.config, query.ordering.field)
  const filters = {
    ...readFilters(query),
    person: query.person,
    expired: query.expired === undefined ? undefined : { is: query.expired, nowMs: services.now() },
  }
  const select = query.filter ? await selectByText(services, principal, query.filter) : undefined
  // A session that a link opened gives access to that link only.
  if (principal.session?.accessLink) {
    const own = await findAccessLink(services.table, principal.session.accessLink.id)
    const [isSelected] = own && select ? await select([own]) : [true]
    const shown = own && isSelected && matches(own, filters) ? [own] : []
    return buildPage(shown, (link) => getOrderKey(order, link), page)
  }
  const party = (await canSeeAllLinks(services, principal)) ? undefined : principal.user.id
  const former = await findFormerGuests(services.table, party ?? filters.user ?? filters.person)
  const found = await listAccessLinks(services.table, { ...filters, party, former, select }, order, page)
  if (found) return found
  throw invalidRequest([
    {
      field: 'ordering',
      message: `by ${query.ordering.field} is possible for up to ${linksSortedInMemory} links. Add a filter to narrow the list`,
    },
  ])
}

/** Selects links by a text in what the caller may see of them, so that the search reveals nothing more. */
const selectByText = async (
  services: Services,
  principal: Request['principal'],
  filter: string,
): Promise<NonNullable<LinkFilters['select']>> => {
  const viewer = await createRecipientViewer(services, principal)
  const wanted = foldText(filter)
  return async (links) => {
    const ids = [...new Set(links.flatMap(({ user, createdBy }) => [user, createdBy]))]
    const users = await listUsers(services.table, ids)
    const byId = new Map(users.flatMap((user) => (user ? [[user.id, user] as const] : [])))
    const recipientIds = links.map(({ user }) => user)
    const records = recipientIds.map((id) => byId.get(id))
    const recipients = await showRecipients(services, recipientIds, records, viewer)
    return links.map((link, at) => {
      const creator = byId.get(link.createdBy)
      const { bundles, directories } = showObjects(link)
      const people = [recipients[at]?.body, creator && toUserMini(creator)]
      const texts = [
        ...[...bundles, ...directories].map(({ name }) => name),
        ...people.flatMap((one) => (one ? [one.username, one.display_name, one.email ?? ''] : [])),
      ]
      return texts.some((text) => foldText(text).includes(wanted))
    })
  }
}

type Field = UseCaseRequest<typeof accessLinks.getAllAccessTokens>['query']['ordering']['field']

/** A cursor contains the sort key, and has at most 2,048 characters. */
const sortedUrlLength = 900

/** The order of a list by a field, as responses show it. Users are in order of their IDs. */
const getLinkOrder = (config: Pick<Config, 'publicUrl'>, field: Field): LinkOrder => {
  switch (field) {
    case 'id':
    case 'created_at':
      return 'id'
    case 'expires':
      return 'expires'
    case 'url':
      // A tab sorts before all characters of a URL, so that the ID decides between equal ones alone.
      return (link) => `${buildPageUrl(config, link).slice(0, sortedUrlLength)}\t`
    default:
      return keys[field]
  }
}

/** Links without easy sharing of this kind come last. */
const sharedBy = (kind: EasySharing['kind']) => (link: AccessLinkRecord) =>
  link.easySharing?.kind === kind ? link.easySharing.id : 'none'

const keys = {
  user: ({ user }: AccessLinkRecord) => user,
  created_by: ({ createdBy }: AccessLinkRecord) => createdBy,
  view_limit_left: ({ view_limit_left }: AccessLinkRecord) => view_limit_left,
  view_limit_enabled: ({ view_limit_enabled }: AccessLinkRecord) => Number(view_limit_enabled),
  has_password: ({ passwordHash }: AccessLinkRecord) => Number(passwordHash !== null),
  is_easy_sharing_for_bundle: sharedBy('bundle'),
  is_easy_sharing_for_directory: sharedBy('directory'),
}
