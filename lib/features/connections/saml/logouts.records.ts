import { isAbsent, takeUpdate } from '../../../kernel/table/expressions.ts'
import type { Key } from '../../../kernel/table/keys/keys.ts'
import { findRecord, userMarkerCodec } from '../../../kernel/table/records.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { type Step, wasCommitted } from '../../../kernel/table/transaction.ts'
import { getFlowKey } from '../flows.records.ts'

/*
 * What a sign-out stores about messages between an identity provider and this service: which requests of this service
 * wait for a response, and which messages of the provider were processed. One conditional write ends each of them.
 */

/** A SAML message by its provider and ID. */
export interface SamlMessageId {
  readonly providerId: number
  readonly id: string
}

/** Builds the step that stores a logout request of this service until its response arrives. */
export const buildLogoutRequestStep = (
  { providerId, id }: SamlMessageId,
  userId: number,
  untilMs: number,
): Step => ({
  put: { ...getFlowKey(providerId, 'logout-request', id), userId, expires_at: Math.ceil(untilMs / 1000) },
})

/** A logout request of this service that waits for its response. */
export interface LogoutRequest {
  readonly userId: number
  readonly key: Key
}

/** Finds a logout request. Undefined if this service sent no such request to the provider. */
export const findLogoutRequest = async (
  table: Table,
  { providerId, id }: SamlMessageId,
): Promise<LogoutRequest | undefined> => {
  const key = getFlowKey(providerId, 'logout-request', id)
  const marker = await findRecord(table, userMarkerCodec, key)
  return marker && { userId: marker.userId, key }
}

/** Ends a logout request of this service. Returns false if it has been answered or has expired. */
export const takeLogoutResponse = (
  table: Table,
  { key }: LogoutRequest,
  nowMs: number,
  extraSteps: readonly Step[],
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      {
        update: key,
        changes: takeUpdate(Math.floor(nowMs / 1000)),
      },
      ...extraSteps,
    ]),
  )

/** Accepts a message of a provider once, and remembers it until it expires. Returns false if it was accepted before. */
export const takeLogoutRequest = (
  table: Table,
  { providerId, id }: SamlMessageId,
  untilMs: number,
  extraSteps: readonly Step[],
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      {
        put: { ...getFlowKey(providerId, 'logout-message', id), expires_at: Math.ceil(untilMs / 1000) },
        condition: isAbsent,
      },
      ...extraSteps,
    ]),
  )
