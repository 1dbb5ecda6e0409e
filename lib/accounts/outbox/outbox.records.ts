import { randomBytes } from 'node:crypto'
import { isLanguage, type Language } from '../../kernel/i18n/languages.ts'
import type { Update } from '../../kernel/table/expressions.ts'
import { outboxKey, outboxPartitions } from '../../kernel/table/keys/job-keys.ts'
import type { Key } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { ConditionFailed, type Item, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { type MailJob, readMailJob } from './job.records.ts'

/** Identifies an entry of the outbox. */
export type EntryKey = Key

/** A mail job that a mailer has taken. */
export interface OutboxEntry extends Key {
  /** Undefined if it cannot be read. */
  readonly job: MailJob | undefined
  readonly requestId: string
  readonly address: string
  /** The device cookie of the request. */
  readonly device?: { readonly hash: string }
  readonly actor: number | null
  /** The language of the request. It counts if the recipient chose none. */
  readonly language?: Language
  /** How often the job was put back, because its email could not be made. */
  readonly failures: number
  /** How many mailers stopped while they sent it, so that it may have been sent. */
  readonly interruptions: number
  /** Epoch milliseconds. */
  readonly takenAt: number
}

/** An entry whose job can be read. */
export type ReadableEntry = OutboxEntry & { readonly job: MailJob }

/** Reads an entry. No field except the job can keep the email from being sent. */
const readEntry = ({
  pk,
  sk,
  job,
  requestId,
  address,
  actor,
  language,
  deviceHash,
  failures,
  interruptions,
  takenAt,
}: Item): OutboxEntry => ({
  pk,
  sk,
  job: readMailJob(job),
  requestId: readText(requestId),
  address: readText(address),
  actor: typeof actor === 'number' ? actor : null,
  ...omitUndefined({
    language: readLanguage(language),
    device: typeof deviceHash === 'string' ? { hash: deviceHash } : undefined,
  }),
  failures: Number(failures ?? 0),
  interruptions: Number(interruptions ?? 0),
  takenAt: Number(takenAt),
})

const readText = (stored: unknown): string => (typeof stored === 'string' ? stored : '')
const readLanguage = (stored: unknown): Language | undefined =>
  typeof stored === 'string' && isLanguage(stored) ? stored : undefined

const entryPrefix = 'mail-job#'

/** How long a mail job waits if the mailer does not work. */
const entryLifetimeMs = 24 * 60 * 60_000

/** Whether an item of this key is an entry. */
export const isMailJobKey = ({ pk }: Key): boolean => outboxPartitions.includes(pk)

/** Builds the step that adds a mail job. Nothing is changed without the email about it, so an invalid job is an error. */
export const buildOutboxStep = (
  given: MailJob,
  { requestId, address, actor, language, device, failures = 0 }: JobOrigin,
  nowMs: number,
): Step => {
  const job = readMailJob(given)
  if (!job) throw new TypeError(`The mail job ${given.kind} has an invalid field.`)
  const at = new Date(nowMs).toISOString()
  return {
    put: {
      ...outboxKey(`${entryPrefix}${at}#${randomBytes(9).toString('base64url')}`),
      job,
      requestId,
      address,
      actor,
      ...omitUndefined({ language: readLanguage(language), deviceHash: device?.hash }),
      ...(failures > 0 ? { failures } : {}),
      expires_at: Math.ceil((nowMs + entryLifetimeMs) / 1000),
    },
  }
}

type JobOrigin = Pick<OutboxEntry, 'requestId' | 'address' | 'actor' | 'language' | 'device'> &
  Partial<Pick<OutboxEntry, 'failures'>>

/** How long an entry belongs to the mailer that took it. Longer than a mailer runs. */
const leaseMs = 90_000

/** An entry whose mailer stopped while it sent the email. */
export interface InterruptedEntry {
  readonly interrupted: OutboxEntry
}

/**
 * Takes an entry for a while, so that another mailer can take it if this one stops. Returns `busy` while it belongs to
 * another mailer, and undefined if it is done or has expired. An interrupted entry must be settled before it is sent again.
 */
export const takeEntry = async (
  table: Table,
  key: Key,
  nowMs: number,
): Promise<OutboxEntry | InterruptedEntry | 'busy' | undefined> => {
  const changes: Update = (x) => {
    const takenAt = x.path('takenAt')
    return {
      set: [`${takenAt} = ${x.value(nowMs)}`],
      condition: [
        `${x.path('expires_at')} > ${x.value(Math.floor(nowMs / 1000))}`,
        // A time that is too far ahead is that of a wrong clock.
        `(${takenAt} <= ${x.value(nowMs - leaseMs)} OR ${takenAt} > ${x.value(nowMs + leaseMs)} OR attribute_not_exists(${takenAt}))`,
      ].join(' AND '),
    }
  }
  try {
    const item = await table.update(key, changes)
    const entry = readEntry(item)
    return item['sendingAt'] === undefined ? entry : { interrupted: entry }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  const item = await table.get(key)
  return item && Number(item['expires_at']) * 1000 > nowMs ? 'busy' : undefined
}

/** Whether an entry belongs to the mailer that took it. */
const isTaken = (takenAt: number | undefined, nowMs: number): boolean =>
  takenAt !== undefined && takenAt > nowMs - leaseMs && takenAt <= nowMs + leaseMs

/** Builds the step that lets an interrupted entry be sent once more by its taker. Fails with `EntryLost`. */
export const buildResumeStep = ({ pk, sk, takenAt, interruptions }: OutboxEntry): Step => ({
  update: { pk, sk },
  changes: (x) => ({
    set: [`${x.path('interruptions')} = ${x.value(interruptions + 1)}`],
    remove: [x.path('sendingAt')],
    condition: `${x.path('takenAt')} = ${x.value(takenAt)} AND attribute_exists(${x.path('sendingAt')})`,
  }),
  orElse: () => new EntryLost(),
})

/** Marks an entry as being sent. Returns false if another mailer has taken it. */
export const startSending = (
  table: Table,
  { pk, sk, takenAt }: OutboxEntry,
  nowMs: number,
): Promise<boolean> =>
  wasCommitted(
    table.update({ pk, sk }, (x) => ({
      set: [`${x.path('sendingAt')} = ${x.value(nowMs)}`],
      condition: `${x.path('takenAt')} = ${x.value(takenAt)} AND attribute_not_exists(${x.path('sendingAt')})`,
    })),
  )

/** Another mailer took the entry, because this one held it for longer than its lease. */
export class EntryLost extends Error {
  constructor() {
    super('another mailer took the entry of the outbox')
    this.name = 'EntryLost'
  }
}

/** Lets a transaction fail with `EntryLost` if the entry is no longer this taker's, or its email is being sent. */
export const buildHeldEntryStep = ({ pk, sk, takenAt }: OutboxEntry): Step => ({
  check: { pk, sk },
  condition: (x) =>
    `${x.path('takenAt')} = ${x.value(takenAt)} AND attribute_not_exists(${x.path('sendingAt')})`,
  orElse: () => new EntryLost(),
})

/** Builds the step that returns an entry that was definitely not sent. Fails with `EntryLost`. */
export const buildReturnStep = ({ pk, sk, takenAt }: OutboxEntry): Step => ({
  update: { pk, sk },
  changes: (x) => ({
    remove: [x.path('takenAt'), x.path('sendingAt')],
    condition: `${x.path('takenAt')} = ${x.value(takenAt)}`,
  }),
  orElse: () => new EntryLost(),
})

/** Builds the step that deletes an entry, for a transaction whose other steps replace it. Fails with `EntryLost`. */
export const buildDoneStep = ({ pk, sk, takenAt }: OutboxEntry): Step => ({
  delete: { pk, sk },
  condition: (x) => `${x.path('takenAt')} = ${x.value(takenAt)}`,
  orElse: () => new EntryLost(),
})

/**
 * Builds the steps that put a job back behind all others, so that it holds up none of them. The stream delivers it like a
 * new one.
 */
export const buildPutBackSteps = (entry: ReadableEntry, nowMs: number): readonly Step[] => [
  buildDoneStep(entry),
  buildOutboxStep(entry.job, { ...entry, failures: entry.failures + 1 }, nowMs),
]

/** Builds the step that deletes an entry that was sent or does not have to be sent. */
export const buildDropStep = ({ pk, sk }: Key): Step => ({ delete: { pk, sk } })

/**
 * The keys of waiting entries, oldest first, also of those whose mailer stopped. Local mode uses them because it has no
 * stream.
 */
export const findWaitingEntries = async (table: Table, nowMs = Date.now()): Promise<readonly Key[]> => {
  const lists = await Promise.all(outboxPartitions.map((pk) => table.list(pk, entryPrefix)))
  return lists
    .flat()
    .filter(({ takenAt }) => !isTaken(typeof takenAt === 'number' ? takenAt : undefined, nowMs))
    .map(({ pk, sk }) => ({ pk, sk }))
    .sort((a, b) => (a.sk < b.sk ? -1 : 1))
}
