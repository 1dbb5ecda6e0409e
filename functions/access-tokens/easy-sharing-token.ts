import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { toAccessTokenBody } from '../../lib/accounts/links/access-token-body.ts'
import { deleteLink } from '../../lib/accounts/links/delete-link.ts'
import { createRecipientViewer } from '../../lib/accounts/links/shown-recipients.ts'
import type { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import { conflict, notFound } from '../../lib/errors/errors.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import { linkCleanUpMs } from '../../lib/limits/limits.ts'
import type { Services } from '../../lib/services.ts'
import { EditConflict } from '../../lib/store/engine/transaction.ts'
import { readEasySharing } from '../../lib/store/links/access-token-lists.ts'
import type { AccessTokenRecord, EasySharing } from '../../lib/store/links/access-token-record.ts'
import { findAccessToken, isUsable } from '../../lib/store/links/access-tokens.ts'
import { getRecentUses } from '../../lib/store/links/token-activities.ts'

/*
 * Published clients ask for "the" easy-sharing link of an object. A creator can have several, one for each recipient and
 * terms. The newest that works is shown, and all of them are ended together. Links of other creators are never found.
 */

type Kind = EasySharing['kind']
type Operations = typeof accessTokens
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
  for await (const tokens of readOwn(services, { params, principal }, kind)) {
    const newest = tokens.find((token) => isUsable(token, services.now()))
    if (!newest) continue
    const uses = getRecentUses(newest, services.now())
    return { status: 200 as const, body: await toAccessTokenBody(services, newest, uses, viewer) }
  }
  throw notFound()
}

const endAll = async (services: Services, request: Request, kind: Kind) => {
  const untilMs = services.now() + linkCleanUpMs
  let count = 0
  for await (const tokens of readOwn(services, request, kind))
    for (const token of tokens) {
      if (services.now() >= untilMs)
        throw conflict('Some links of this object still work. Send the request again to end them.')
      await endLink(services, request, token)
      count += 1
    }
  if (count === 0) throw notFound()
  return { status: 204 as const }
}

const readOwn = (
  { table }: Services,
  { params, principal }: Pick<Request, 'params' | 'principal'>,
  kind: Kind,
): AsyncIterable<readonly AccessTokenRecord[]> => {
  // A session that a link opened gives access to that link only.
  if (principal.session?.accessToken) throw notFound()
  return readEasySharing(table, principal.user.id, { kind, id: params.id })
}

const endLink = (services: Services, { context }: Request, { id }: AccessTokenRecord): Promise<void> =>
  retryConflicts(async () => {
    const token = await findAccessToken(services.table, id)
    if (token && !(await deleteLink(services, token, context))) throw new EditConflict()
  }, 'The link was modified concurrently. Try again.')
