import { randomBytes } from 'node:crypto'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { SecurityChangeKind } from '../../core/security-changes.ts'
import type { Device } from '../../core/user-agents.ts'
import type { Language } from '../../i18n/languages.ts'
import { createCodec } from '../engine/codec.ts'
import type { Update } from '../engine/expressions.ts'
import { outboxKey, outboxPartitions } from '../engine/job-keys.ts'
import type { Key } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { ConditionFailed, wasCommitted } from '../engine/transaction-errors.ts'

/**
 * An email to be written. The outbox stores what it is about, but never its content: the mailer creates the token of a
 * link when it sends the email, so that the table never contains a credential.
 */
export type MailJob =
  /** A reset link for the user with this username, email address or ID, if there is one. */
  | { readonly kind: 'password_reset'; readonly username: string }
  | { readonly kind: 'password_reset'; readonly email: string }
  | { readonly kind: 'password_reset'; readonly userId: number }
  /** A reset link after a report. It goes to the mailbox that the report came from. */
  | { readonly kind: 'password_reset'; readonly userId: number; readonly to: string }
  /** A link that confirms the address of this user that waits for it. */
  | { readonly kind: 'email_confirmation'; readonly userId: number }
  /** The link of this invitation. Nothing is sent if a newer invitation replaced it. */
  | { readonly kind: 'invitation'; readonly userId: number; readonly invitationId: string }
  /** A code for a request to sign in as the user with this username or email address, if there is one. */
  | {
      readonly kind: 'sign_in_code'
      readonly name: string
      readonly requestHash: string
      readonly salt: string
    }
  /** Warns an administrator that a certificate of a SAML provider or of this service ends, in epoch milliseconds. */
  | {
      readonly kind: 'saml_certificate_ending'
      readonly userId: number
      readonly providerId: number
      readonly side: 'idp' | 'sp'
      readonly endsAt: number
    }
  /** Informs a user about a change of their account. */
  | {
      readonly kind: 'security_notice'
      readonly userId: number
      readonly change: SecurityChangeKind
      /** The email address of the user before the change. */
      readonly email: string
      /** The time of the change in epoch milliseconds. */
      readonly at: number
      /** Who made the change. Only the user can report a change as not theirs. */
      readonly by: 'user' | 'administrator' | 'service'
      readonly browser: string
      /** The same in parts, for emails in other languages. */
      readonly device?: Device
    }

/** Identifies an entry of the outbox. */
export type EntryKey = Key

/** A mail job that a mailer has taken. */
export interface OutboxEntry extends Key {
  readonly job: MailJob
  readonly requestId: string
  readonly address: string
  readonly actor: number | null
  /** The language of the request. It counts if the recipient chose none. */
  readonly language?: Language
  /** Epoch milliseconds. */
  readonly takenAt: number
}

const entryCodec = createCodec<OutboxEntry>('outbox entry', {
  pk: 'string',
  sk: 'string',
  job: 'map',
  requestId: 'string',
  address: 'string',
  takenAt: 'number',
})

const entryPrefix = 'mail-job#'

/** How long a mail job waits if the mailer does not work. */
const entryLifetimeMs = 24 * 60 * 60_000

/** Whether an item of this key is an entry. */
export const isMailJobKey = ({ pk }: Key): boolean => outboxPartitions.includes(pk)

/** Builds the step that adds a mail job. */
export const buildOutboxStep = (
  job: MailJob,
  origin: Pick<OutboxEntry, 'requestId' | 'address' | 'actor' | 'language'>,
  nowMs: number,
): Step => ({
  put: {
    ...outboxKey(`${entryPrefix}${new Date(nowMs).toISOString()}#${randomBytes(9).toString('base64url')}`),
    job,
    requestId: origin.requestId,
    address: origin.address,
    actor: origin.actor,
    ...omitUndefined({ language: origin.language }),
    expires_at: Math.ceil((nowMs + entryLifetimeMs) / 1000),
  },
})

/** How long an entry belongs to the mailer that took it. Longer than a mailer runs. */
const leaseMs = 90_000

/**
 * Takes an entry for a while, so that another mailer can take it if this one stops before it starts to send. Returns
 * `busy` while it belongs to another mailer, and undefined if it was sent, may have been sent, or has expired.
 */
export const takeEntry = async (
  table: Table,
  key: Key,
  nowMs: number,
): Promise<OutboxEntry | 'busy' | undefined> => {
  const changes: Update = (x) => {
    const [takenAt, sendingAt] = [x.path('takenAt'), x.path('sendingAt')]
    return {
      set: [`${takenAt} = ${x.value(nowMs)}`],
      condition: [
        `${x.path('expires_at')} > ${x.value(Math.floor(nowMs / 1000))}`,
        `attribute_not_exists(${sendingAt})`,
        `(attribute_not_exists(${takenAt}) OR ${takenAt} <= ${x.value(nowMs - leaseMs)})`,
      ].join(' AND '),
    }
  }
  try {
    return entryCodec.decode(await table.update(key, changes))
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  const item = await table.get(key)
  const isPending = item && item['sendingAt'] === undefined && Number(item['expires_at']) * 1000 > nowMs
  return isPending ? 'busy' : undefined
}

/** Marks an entry as being sent. From then on it is not retried. Returns false if another mailer has taken it. */
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

/** Builds the step that returns an entry that was definitely not sent. */
export const buildReturnStep = ({ pk, sk }: Key): Step => ({
  update: { pk, sk },
  changes: (x) => ({ remove: [x.path('takenAt'), x.path('sendingAt')] }),
})

/** Builds the step that deletes an entry that was sent or does not have to be sent. */
export const buildDropStep = ({ pk, sk }: Key): Step => ({ delete: { pk, sk } })

/**
 * The keys of waiting entries, oldest first, also of those that a mailer took but did not begin to send before it
 * stopped. Local mode uses them because it has no stream.
 */
export const findWaitingEntries = async (table: Table, nowMs = Date.now()): Promise<readonly Key[]> => {
  const lists = await Promise.all(outboxPartitions.map((pk) => table.list(pk, entryPrefix)))
  return lists
    .flat()
    .filter(({ takenAt, sendingAt }) => sendingAt === undefined && Number(takenAt ?? 0) <= nowMs - leaseMs)
    .map(({ pk, sk }) => ({ pk, sk }))
    .sort((a, b) => (a.sk < b.sk ? -1 : 1))
}
