import { randomBytes } from 'node:crypto'
import { outboxPartition } from './keys.ts'
import type { Table } from './table.ts'
import type { Item, Step } from './transaction.ts'

/**
 * A mail to be written. The outbox holds what it is about and never what will be in it: a link's token is made by
 * whoever sends it, so that no credential ever lies in the table.
 */
export type Errand =
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
  readonly errand: Errand
  readonly requestId: string
  readonly address: string
  readonly actor: number | null
}

const errandPrefix = 'errand#'

/** How long an errand may wait for a mailer that is down. */
const patienceMs = 24 * 60 * 60_000

/** The errand as a step of the transaction that it belongs to. */
export const outboxStep = (
  errand: Errand,
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

/** Takes an entry to carry it out: once, however often the stream brings it. */
export const takeEntry = async (table: Table, sk: string, nowMs: number): Promise<OutboxEntry | undefined> =>
  (await table.take({ pk: outboxPartition, sk }, Math.floor(nowMs / 1000))) as OutboxEntry | undefined

/** Puts an entry back that certainly wasn't carried out. */
export const returnStep = (sk: string): Step => ({
  update: { pk: outboxPartition, sk },
  changes: (x) => ({ remove: [x.path('taken_at')] }),
})

/** Takes an entry away that was carried out, or needn't be. */
export const dropStep = (sk: string): Step => ({ delete: { pk: outboxPartition, sk } })

/** What waits in the outbox: for local mode, where no stream brings it. */
export const waitingEntries = async (table: Table): Promise<readonly string[]> => {
  const items: readonly Item[] = await table.list(outboxPartition, errandPrefix)
  return items.filter((item) => item['taken_at'] === undefined).map(({ sk }) => sk)
}
