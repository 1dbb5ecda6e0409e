import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { describeFacts } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { buildUnchangedUserStep } from '../../accounts/users/build-user-step.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { requireUser } from '../../accounts/users/require-records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import { linkCleanUpMs } from '../../kernel/limits/limits.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import { noteChange } from '../../kernel/table/table-calls.ts'
import { EditConflict, wasCommitted } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { requireRightToChange } from '../directory/rights/account-rights.ts'
import { readParts } from '../organizations/parts.records.ts'
import { endLinkSessions } from './delete-link.ts'
import { linkLists } from './index.records.ts'
import type { AccessLinkRecord } from './link.records.ts'
import { getLinkVault } from './link-vault.ts'
import type { accessLinks } from './operations.ts'
import { buildNewCreatorSteps, findAccessLinks, isUsable, type NewCreatorFields } from './records.ts'
import { getLinkValueContext, linksIn } from './rules.ts'
import { canShare } from './sharing-rights.ts'

/** Makes another user the creator of links. Each link changes hands with one write. Repeating the request continues. */
export const handOverAccessTokens: UseCase<typeof accessLinks.handOverAccessTokens> = async (
  { params, body, principal, context },
  services,
) => {
  const endsAt = services.now() + linkCleanUpMs
  const from = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, from)
  const to = await requireNewCreator(services, from, body.to)
  const handedOver: number[] = []
  let left = 0
  for await (const links of selectLinks(services, from.id, to.id, body.access_links))
    for (const link of links) {
      if (services.now() >= endsAt)
        return { status: 200, body: { is_complete: false, access_links: handedOver, left } }
      const fields = await findNewCreatorFields(services, link, to)
      if (!fields) {
        left++
        continue
      }
      const address = body.new_addresses ? await mintAddress(services, link) : {}
      if (!(await handOver(services, link, { from, to, fields: { ...fields, ...address }, context })))
        continue
      handedOver.push(link.id)
      if (body.new_addresses) await endLinkSessions(services.table, link)
    }
  return { status: 200, body: { is_complete: true, access_links: handedOver, left } }
}

/** @throws AppError `invalid_request` for the user who has the links, and for one who may not create any */
const requireNewCreator = async (services: Services, from: UserRecord, id: number): Promise<UserRecord> => {
  const to = id === from.id ? undefined : await findUser(services.table, id)
  const isAble =
    to !== undefined &&
    to.successorId === undefined &&
    isActive(to, services.now()) &&
    (await canShare(services, to, undefined, {}))
  if (isAble) return to
  throw invalidRequest([
    { field: 'to', message: 'must be another enabled user who may create access links (`media:access`)' },
  ])
}

/**
 * The links that a request is about, and that its user still has. Links that the new creator has got already are left out, so that a
 * repetition does nothing more.
 *
 * @throws AppError `invalid_request` for links of others
 */
async function* selectLinks(
  { table, now }: Services,
  from: number,
  to: number,
  ids: readonly number[] | undefined,
): AsyncGenerator<readonly AccessLinkRecord[]> {
  if (ids) {
    const found = await findAccessLinks(table, [...new Set(ids)])
    if (found.some((link) => link?.createdBy !== from && link?.createdBy !== to))
      throw invalidRequest([{ field: 'access_links', message: 'contains a link that the user did not make' }])
    yield found.flatMap((link) => (link?.createdBy === from ? [link] : []))
    return
  }
  for await (const links of linksIn(table, linkLists.madeBy(from)))
    yield links.filter((link) => link.createdBy === from && isUsable(link, now()))
}

/** What the new creator needs for a link of an organization. Undefined if they may not make links there. */
const findNewCreatorFields = async (
  services: Services,
  { organization }: AccessLinkRecord,
  to: UserRecord,
): Promise<NewCreatorFields | undefined> => {
  if (organization === undefined) return {}
  const parts = await readParts(services.table, to.id, organization)
  const { membership } = parts
  if (!membership || !(await canShare(services, to, parts, membership))) return undefined
  return { joining: membership.joining }
}

const mintAddress = async (services: Services, { id }: AccessLinkRecord) => {
  const { value, hash } = mintCredential('access_token', id)
  return { hash, encryptedValue: await getLinkVault(services).encrypt(value, getLinkValueContext(id)) }
}

interface HandOver {
  readonly from: UserRecord
  readonly to: UserRecord
  readonly fields: NewCreatorFields
  readonly context: RequestContext
}

/** Returns false if the link was deleted, or has changed hands. */
const handOver = async (
  { table }: Services,
  link: AccessLinkRecord,
  { from, to, fields, context }: HandOver,
): Promise<boolean> => {
  const facts = describeFacts({
    fields: { created_by: { inEvents: 'value' }, address: {} },
    before: { created_by: from.id, address: link.hash },
    after: { created_by: to.id, address: fields.hash ?? link.hash },
  })
  const isDone = await wasCommitted(
    table.transact([
      ...buildNewCreatorSteps(link, to.id, fields),
      buildUnchangedUserStep(to, () => new EditConflict()),
      auditStep(context, 'access_token.handed_over', {
        user: from.id,
        target: String(link.id),
        ...(link.organization === undefined ? {} : { organization: link.organization }),
        ...facts,
      }),
    ]),
  )
  if (isDone) noteChange()
  return isDone
}
