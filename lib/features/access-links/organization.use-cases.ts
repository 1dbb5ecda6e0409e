import { listUsers } from '../../accounts/users/find-users.records.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import { notFound } from '../../kernel/errors/errors.ts'
import { getIds, type ListEntry, mapRows, readPage } from '../../kernel/table/listing.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { deleteCurrentLink } from './delete-link.ts'
import { linkLists } from './index.records.ts'
import type { AccessLinkRecord } from './link.records.ts'
import type { accessLinks } from './operations.ts'
import type { OrganizationLink } from './organization.models.ts'
import { findAccessLink, listAccessLinksByIds } from './records.ts'
import { anonymousViewer, showObjects, showRecipients } from './shown-links.ts'

/** Lists the links that were made in the name of an organization, without their values. */
export const getOrganizationLinks: UseCase<typeof accessLinks.getOrganizationLinks> = async (
  request,
  services,
) => {
  const { id } = request.organization.organization
  const read = async (entries: readonly ListEntry[]) =>
    (await listAccessLinksByIds(services.table, getIds(entries))).map((link) =>
      link?.organization === id ? link : undefined,
    )
  const listing = linkLists.ofOrganization(id)
  const page = await readPage(services.table, listing, readPageRequest(request), read)
  const bodies = await mapRows(page, (links) => toBodies(services, links))
  return { status: 200, ...toListReply(request, services.config, bodies) }
}

const toBodies = async (
  services: Services,
  links: readonly AccessLinkRecord[],
): Promise<readonly OrganizationLink[]> => {
  const ids = links.map(({ user }) => user)
  const unique = [...new Set(ids)]
  const users = await listUsers(services.table, unique)
  const byId = new Map(unique.map((id, at) => [id, users[at]]))
  const records = ids.map((id) => byId.get(id))
  const recipients = await showRecipients(services, ids, records, anonymousViewer)
  return links.flatMap((link, at) => {
    const recipient = recipients[at]
    return recipient ? [toBody(link, recipient.body)] : []
  })
}

const toBody = (link: AccessLinkRecord, user: OrganizationLink['user']): OrganizationLink => {
  const { bundles, directories } = showObjects(link)
  return {
    id: link.id,
    created_by: link.createdBy,
    user,
    shared_bundles: bundles,
    shared_directories: directories,
    has_password: link.passwordHash !== null,
    view_limit_enabled: link.view_limit_enabled,
    view_limit_left: link.view_limit_left,
    created_at: formatTime(link.createdAt),
    expires: formatTime(link.expiresAt),
  }
}

/** Deletes a link of an organization. One of another organization does not exist there. */
export const deleteOrganizationLink: UseCase<typeof accessLinks.deleteOrganizationLink> = async (
  { params, organization: { organization }, context },
  services,
) => {
  await deleteCurrentLink(services, context, async () => {
    const link = await findAccessLink(services.table, params.link_id)
    if (link?.organization !== organization.id) throw notFound('access link')
    return link
  })
  return { status: 204 }
}
