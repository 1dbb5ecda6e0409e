import { createAuditCompletion } from '../lib/accounts/events/clock.records.ts'
import { type AuditEventRecord, buildAuditStep } from '../lib/accounts/events/records.ts'
import { serviceSettings } from '../lib/kernel/settings/service-settings.ts'
import { type IndexName, indexNames, keyNamesOf } from '../lib/kernel/table/table.ts'
import type { Item } from '../lib/kernel/table/transaction.ts'
import { day } from '../lib/kernel/util/time.ts'

/* What it takes to store audit events. */

const auditRetentionDays = serviceSettings.auditRetentionDays.default ?? 0

const sizeOf = (value: unknown): number =>
  typeof value === 'number'
    ? Math.ceil(String(value).length / 2) + 1
    : Buffer.byteLength(String(value ?? ' '))

const sumSizes = (entries: readonly (readonly [string, unknown])[]): number =>
  entries.reduce((bytes, [name, value]) => bytes + Buffer.byteLength(name) + sizeOf(value), 0)

type EventFacts = Pick<AuditEventRecord, 'event'> & Partial<AuditEventRecord>

const buildEvent = (facts: EventFacts): Item => {
  const step = buildAuditStep({
    at: Date.UTC(2026, 0, 1),
    user: null,
    actor: null,
    address: '192.0.2.123',
    requestId: '0123456789abcdef0123',
    target: null,
    outcome: 'succeeded',
    userAgent: 'x'.repeat(120),
    ...facts,
  })
  if (!('put' in step)) throw new Error('an event is put')
  return step.put
}

const ticketExchanged: EventFacts = {
  event: 'ticket.exchanged',
  user: 12_345,
  actor: 12_345,
  credential: 'session',
  credentialId: 1_234_567_890,
}

/** The indexes that have an event. */
const listIndexes = (item: Item): readonly IndexName[] =>
  indexNames.filter((index) => item[keyNamesOf(index).partitionKey] !== undefined)

/** The size of an event as DynamoDB bills it: the item, its index entries with the keys alone, and 100 bytes of overhead for each. */
export const getAuditEventBytes = (): number => {
  const expire = createAuditCompletion({
    tableName: '',
    retentionMs: auditRetentionDays * day,
    personalMs: day,
  })
  const item = expire(buildEvent(ticketExchanged))
  const entries = Object.entries(item)
  const indexEntries = listIndexes(item).map((index) => {
    const { partitionKey, sortKey } = keyNamesOf(index)
    const names = new Set(['pk', 'sk', partitionKey, sortKey])
    return sumSizes(entries.filter(([name]) => names.has(name))) + 100
  })
  // Numbers of shards have one or two digits.
  return Math.round((sumSizes(entries) + 100 + indexEntries.reduce((sum, bytes) => sum + bytes, 0)) / 10) * 10
}

const pricedEvents: Readonly<Record<string, EventFacts>> = {
  'a refused sign-in with an unknown name': { event: 'login.failed', outcome: 'invalid_credentials' },
  'a sign-in': { event: 'login.succeeded', user: 12_345, actor: 12_345 },
  'a ticket': ticketExchanged,
  'a change of a user by an API token': {
    ...ticketExchanged,
    event: 'user.changed',
    user: 12_346,
    credential: 'api_token',
    changes: [{ field: 'permissions', from: null, to: 'films:edit' }],
  },
  'a change in an organization by one of its people': {
    ...ticketExchanged,
    event: 'organization.member_changed',
    user: 12_346,
    organization: 12_345,
    changes: [{ field: 'roles', from: null, to: 'editor' }],
  },
}

/** How many write units an event takes in the transaction of its change, with all indexes and with those of its user alone. */
export const listEventUnits = (): readonly (readonly [
  name: string,
  withIndexes: number,
  without: number,
])[] =>
  Object.entries(pricedEvents).map(([name, facts]) => {
    const item = buildEvent(facts)
    const indexes = listIndexes(item)
    const stored = 2 * Math.ceil(sumSizes(Object.entries(item)) / 1024)
    return [name, stored + indexes.length, stored + indexes.filter((index) => index === 'listing').length]
  })
