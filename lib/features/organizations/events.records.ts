import { auditEventCodec } from '../../accounts/events/records.ts'
import type { FieldChange } from '../../kernel/contract/field-changes.ts'
import { isOrganizationEvent, organizationEvents } from '../../kernel/contract/organization-events.ts'
import { findOrganizationTokenId } from '../../kernel/contract/text-rules.ts'
import { organizationEventKey } from '../../kernel/table/keys/organization-keys.ts'
import {
  createSource,
  type ListEntry,
  type Page,
  type PageRequest,
  readFilteredPage,
} from '../../kernel/table/listing.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import type { Times } from '../audit/survey.records.ts'

/** The part of an audit event that the people of its organization may see. It expires with the audit event. */
export interface OrganizationEventRecord {
  /** Epoch milliseconds. */
  readonly at: number
  readonly event: string
  /** The user whose membership it is about. */
  readonly user: number | null
  /** Who acted as a member, or about their own membership. Null for the service, an API token, and strangers. */
  readonly actor: number | null
  /** The API token of the organization that acted. */
  readonly apiToken: number | null
  readonly target: string | null
  /** The changes of fields that the people of organizations see. Missing without one. */
  readonly changes?: readonly FieldChange[] | undefined
}

const codec = createCodec<OrganizationEventRecord>('event of an organization', {
  at: 'number',
  event: 'string',
})

const copiesAtOnce = 25

/**
 * Copies audit events to their organizations. Copying an event again changes nothing, so the chains of audit events do it before they
 * go on.
 */
export const copyOrganizationEvents = async (table: Table, items: readonly Item[]): Promise<void> => {
  const copies = items.flatMap((item) => copyEvent(table, item) ?? [])
  for (let at = 0; at < copies.length; at += copiesAtOnce)
    await Promise.all(copies.slice(at, at + copiesAtOnce).map((copy) => table.put(copy)))
}

const copyEvent = (table: Table, item: Item): Item | undefined => {
  if (item['organization'] === undefined) return undefined
  // An item that somebody changed must not stop the chains.
  const [record] = decodeListed(table, auditEventCodec, [item])
  if (!record || !Number.isSafeInteger(record.organization) || record.outcome !== 'succeeded')
    return undefined
  const { at, event, target, organization = 0, actorPrincipal, changes = [] } = record
  if (!isOrganizationEvent(event)) return undefined
  const user = organizationEvents[event] === 'membership' ? record.user : null
  const isAboutThemselves = user !== null && record.actor === user
  const copy = {
    at,
    event,
    user,
    actor: record.byMember || isAboutThemselves ? record.actor : null,
    apiToken: findOrganizationTokenId(actorPrincipal) ?? null,
    target,
    ...omitEmpty(changes.filter(({ isForMembers }) => isForMembers)),
  }
  return {
    ...codec.encode(copy),
    ...organizationEventKey(organization, item.sk),
    expires_at: item['expires_at'],
  }
}

const omitEmpty = (changes: readonly FieldChange[]) => (changes.length === 0 ? {} : { changes })

/** Which events of an organization are requested. `untilMs` is not included. */
export interface OrganizationEventFilter extends Times {
  readonly events: ReadonlySet<string> | undefined
}

/** Reads a page of the events of an organization, newest first unless the request says otherwise. */
export const readOrganizationEvents = (
  table: Table,
  organizationId: number,
  { events, sinceMs, untilMs }: OrganizationEventFilter,
  request: PageRequest,
): Promise<Page<OrganizationEventRecord>> => {
  // An index key is a time with a suffix. So a time alone sorts before all index keys with that time.
  const listing = {
    pk: organizationEventKey(organizationId, '').pk,
    from: new Date(sinceMs).toISOString(),
    to: new Date(untilMs).toISOString(),
  }
  const read = async (entries: readonly ListEntry[]) =>
    entries.map(({ item }) => decodeListed(table, codec, [item])[0])
  return readFilteredPage(
    createSource(table, listing, request),
    request,
    read,
    ({ event }) => !events || events.has(event),
  )
}
