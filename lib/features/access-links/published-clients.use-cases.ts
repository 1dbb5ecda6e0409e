import type { ServiceUserMini } from '../../accounts/users/user-fields.models.ts'
import type { UseCase, UseCaseRequest } from '../../http/use-case.ts'
import { conflict, notFound } from '../../kernel/errors/errors.ts'
import { linkCleanUpMs } from '../../kernel/limits/limits.ts'
import { linkPermissions, type MediaRootPermission } from '../../published-clients/link-fields.ts'
import type { publishedClientLinks } from '../../published-clients/link-operations.ts'
import type { Services } from '../../services.ts'
import { getRecentUses } from './activities.records.ts'
import { createAccessToken } from './create.use-cases.ts'
import { deleteCurrentLink } from './delete-link.ts'
import { type AccessLinkRecord, type EasySharing, unknownRoot } from './link.records.ts'
import { toAccessLinkBody } from './link-body.ts'
import { readEasySharing } from './lists.records.ts'
import { findAccessLink, findLinkPeople, hasExpired, isUsable } from './records.ts'
import { requireVisibleLink } from './rights.ts'
import { canShare } from './sharing-rights.ts'
import { createRecipientViewer, showRecipients } from './shown-links.ts'

type Operations = typeof publishedClientLinks

/** Creates an access link as `createAccessToken` does. There is one kind of link, so the kind of the request is ignored. */
export const shareMediaLibraryObjects: UseCase<Operations['shareMediaLibraryObjects']> = (
  { body: { link_type: _, ...body }, ...request },
  services,
) => createAccessToken({ ...request, body }, services)

/**
 * Lists the permissions of an access link, one entry for each media root. Objects that were shared by their IDs have an
 * entry with the root 0 and no path. The list is empty if the link has expired,
 * its recipient was deleted, or its creator may no longer create links.
 */
export const getAccessTokenMediaLibraryPermissions: UseCase<
  Operations['getAccessTokenMediaLibraryPermissions']
> = async ({ params, principal }, services) => {
  const link = await requireVisibleLink(services, principal, params.id)
  if (hasExpired(link, services.now())) return { status: 200, body: [] }
  const { addressee: user, creator, parts } = await findLinkPeople(services.table, link)
  if (!user || !(await canShare(services, creator, parts, link))) return { status: 200, body: [] }
  const viewer = await createRecipientViewer(services, principal)
  const [recipient] = await showRecipients(services, [user.id], [user], viewer)
  return {
    status: 200,
    body: recipient?.user ? link.roots.map((root) => buildPermission(link, root, recipient.body)) : [],
  }
}

const buildPermission = (
  link: AccessLinkRecord,
  { id, root }: AccessLinkRecord['roots'][number],
  user: ServiceUserMini,
): MediaRootPermission => {
  const objects = [...link.bundles, ...link.directories].filter(
    (object) => (object.root ?? unknownRoot) === root,
  )
  const path = findCommonFolder(objects.map((object) => object.path ?? ''))
  return {
    id,
    ...buildFlags(link.permissions),
    root,
    path,
    full_path: path,
    user,
    group: null,
    is_temporary_for_token: link.id,
  }
}

const names = Object.keys(linkPermissions(null)) as (keyof ReturnType<typeof linkPermissions>)[]

const buildFlags = (allowed: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, allowed.includes(name)])) as Record<
    (typeof names)[number],
    boolean
  >

/**
 * Returns the deepest folder that contains all paths, or the path itself if there is only one. Other content of the
 * folder is not shared: the link lists the shared objects.
 */
const findCommonFolder = (paths: readonly string[]): string => {
  const [first = [], ...others] = paths.map((path) => path.split('/'))
  const length = first.findIndex((part, at) => others.some((parts) => parts[at] !== part))
  return (length < 0 ? first : first.slice(0, length)).join('/')
}

/*
 * Published clients ask for "the" easy-sharing link of an object. A creator can have several, one for each recipient and
 * terms. The newest that works is shown, and all of them are ended together. Links of other creators are never found.
 */

type Kind = EasySharing['kind']
type Request = Pick<
  UseCaseRequest<Operations['getEasySharingTokenForBundle']>,
  'params' | 'principal' | 'context'
>

export const getEasySharingTokenForBundle: UseCase<Operations['getEasySharingTokenForBundle']> = (
  request,
  services,
) => showNewest(services, request, 'bundle')

export const getEasySharingTokenForDirectory: UseCase<Operations['getEasySharingTokenForDirectory']> = (
  request,
  services,
) => showNewest(services, request, 'directory')

export const deleteEasySharingTokenForBundle: UseCase<Operations['deleteEasySharingTokenForBundle']> = (
  request,
  services,
) => endAll(services, request, 'bundle')

export const deleteEasySharingTokenForDirectory: UseCase<Operations['deleteEasySharingTokenForDirectory']> = (
  request,
  services,
) => endAll(services, request, 'directory')

const showNewest = async (services: Services, { params, principal }: Request, kind: Kind) => {
  const viewer = await createRecipientViewer(services, principal)
  for await (const links of readOwn(services, { params, principal }, kind)) {
    const newest = links.find((link) => isUsable(link, services.now()))
    if (!newest) continue
    const uses = getRecentUses(newest, services.now())
    return { status: 200 as const, body: await toAccessLinkBody(services, newest, uses, viewer) }
  }
  throw notFound('access link', 'Check the ID of the shared object.')
}

const endAll = async (services: Services, request: Request, kind: Kind) => {
  const untilMs = services.now() + linkCleanUpMs
  let count = 0
  for await (const links of readOwn(services, request, kind))
    for (const link of links) {
      if (services.now() >= untilMs)
        throw conflict('Some links of this object still work. Send the request again to end them.')
      await deleteCurrentLink(services, request.context, () => findAccessLink(services.table, link.id))
      count += 1
    }
  if (count === 0) throw notFound('access link', 'Check the ID of the shared object.')
  return { status: 204 as const }
}

const readOwn = (
  { table }: Services,
  { params, principal }: Pick<Request, 'params' | 'principal'>,
  kind: Kind,
): AsyncIterable<readonly AccessLinkRecord[]> => {
  // A session that a link opened gives access to that link only.
  if (principal.session?.accessLink) throw notFound('access link', 'Check the ID of the shared object.')
  return readEasySharing(table, principal.user.id, { kind, id: params.id })
}
