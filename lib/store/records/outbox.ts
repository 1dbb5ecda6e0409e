import { randomBytes } from 'node:crypto'
import { createCodec } from '../engine/codec.ts'
import type { Update } from '../engine/expressions.ts'
import { type Key, outboxPartition } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Item, Step } from '../engine/transaction.ts'
import { ConditionFailed, wasCommitted } from '../engine/transaction-errors.ts'

/**
 * A mail to be written. The outbox holds what it is about and never what will be in it: a link's token is made by
 * whoever sends it, so that no credential ever lies in the table.
 */
export type MailJob =
  /** A reset link for whoever has the username or the address, if anybody. */
  | { readonly kind: 'password_reset'; readonly username: string }
  | { readonly kind: 'password_reset'; readonly email: string }
  | { readonly kind: 'password_reset'; readonly userId: number }
  /** Tells an administrator that a certificate of a SAML provider, theirs or ours, ends: in epoch milliseconds. */
  | {
      readonly kind: 'saml_certificate_ending'
      readonly userId: number
      readonly providerId: number
      readonly side: 'idp' | 'sp'
      readonly endsAt: number
    }

export interface OutboxEntry {
  readonly pk: string
  readonly sk: string
  readonly errand: MailJob
  readonly requestId: string
  readonly address: string
  readonly actor: number | null
  /** Epoch milliseconds. */
  readonly takenAt: number
}

const outboxEntryCodec = createCodec<OutboxEntry>('outbox entry', {
  errand: 'map',
  requestId: 'string',
  address: 'string',
  takenAt: 'number',
})

const errandPrefix = 'errand#'

const keyOf = (sk: string): Key => ({ pk: outboxPartition, sk })

/** How long an errand may wait for a mailer that is down. */
const patienceMs = 24 * 60 * 60_000

/** The errand as a step of the transaction that it belongs to. */
export const buildOutboxStep = (
  errand: MailJob,
  origin: Pick<OutboxEntry, 'requestId' | 'address' | 'actor'>,
  nowMs: number,
): Step => ({
  put: {
    pk: outboxPartition,
    sk: `${errandPrefix}${new Date(nowMs).toISOString()}#${randomBytes(9).toString('base64url')}`,
    errand,
    requestId: origin.requestId,
    address: origin.address,
    actor: origin.actor,
    expires_at: Math.ceil((nowMs + patienceMs) / 1000),
  },
})

/** How long an entry is its taker's alone: longer than a mailer lives. */
const leaseMs = 90_000

/**
 * Takes an entry to carry it out, for a while: should the taker perish before it began to send, somebody else may have
 * it then. `busy` while it is somebody's; undefined when nothing is left to do, since it was sent, or may have been.
 */
export const takeEntry = async (
  table: Table,
  sk: string,
  nowMs: number,
): Promise<OutboxEntry | 'busy' | undefined> => {
  const key = keyOf(sk)
  const taken: Update = (x) => {
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
    return outboxEntryCodec.decode(await table.update(key, taken))
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
  const item = await table.get(key)
  const isLeft = item && item['sendingAt'] === undefined && Number(item['expires_at']) * 1000 > nowMs
  return isLeft ? 'busy' : undefined
}

/** Says that the entry's mail is being sent, from where on nobody tries it again; false when it isn't the taker's any more. */
export const startSending = (table: Table, { sk, takenAt }: OutboxEntry, nowMs: number): Promise<boolean> =>
  wasCommitted(
    table.update(keyOf(sk), (x) => ({
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
export const buildHeldEntryStep = ({ sk, takenAt }: OutboxEntry): Step => ({
  check: keyOf(sk),
  condition: (x) =>
    `${x.path('takenAt')} = ${x.value(takenAt)} AND attribute_not_exists(${x.path('sendingAt')})`,
  orElse: () => new EntryLost(),
})

/** Puts an entry back that certainly wasn't carried out. */
export const buildReturnStep = (sk: string): Step => ({
  update: keyOf(sk),
  changes: (x) => ({ remove: [x.path('takenAt'), x.path('sendingAt')] }),
})

/** Takes an entry away that was carried out, or needn't be. */
export const buildDropStep = (sk: string): Step => ({ delete: keyOf(sk) })

/** What waits in the outbox: for local mode, where no stream brings it. */
export const findWaitingEntries = async (table: Table): Promise<readonly string[]> => {
  const items: readonly Item[] = await table.list(outboxPartition, errandPrefix)
  return items.filter((item) => item['takenAt'] === undefined).map(({ sk }) => sk)
}
