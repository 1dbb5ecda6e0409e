import { createHash } from 'node:crypto'
import { isPresent } from '../engine/expressions.ts'
import { type Key, samlFlowKey, samlProviderKey } from '../engine/keys.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { OrElse, Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import {
  type SamlFlow,
  type SamlReturn,
  samlFlowCodec,
  samlReturnCodec,
} from '../records/saml-flow-record.ts'

/*
 * What a sign-in through a provider has to remember: that it was begun, which response came of it, and where the browser
 * goes afterwards. Each is used once. All of it lies with the provider, and goes with it.
 */
const flowKey = (providerId: number, requestId: string): Key =>
  samlFlowKey(providerId, hashOf('sign-in', requestId))
const returnKey = (providerId: number, token: string): Key => samlFlowKey(providerId, hashOf('return', token))
const assertionKey = (providerId: number, assertionId: string): Key =>
  samlFlowKey(providerId, hashOf('assertion', assertionId))

const hashOf = (kind: string, value: string): string =>
  createHash('sha256').update(`${kind} ${value}`).digest('base64url')

const seconds = (ms: number): number => Math.ceil(ms / 1000)

/** Keeps a sign-in under what its response answers; false when the provider is gone. */
export const storeFlow = (
  table: Table,
  providerId: number,
  flow: SamlFlow,
  untilMs: number,
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      buildProviderStep(providerId),
      { put: { ...flowKey(providerId, flow.requestId), ...flow, expires_at: seconds(untilMs) } },
    ]),
  )

/** Lets a transaction fail if the provider was deleted, because nothing may be created through it any more. */
export const buildProviderStep = (providerId: number, orElse?: OrElse): Step => ({
  check: samlProviderKey(providerId),
  condition: isPresent,
  orElse,
})

/** The sign-in that was begun with this request, whether it waits or not; undefined for one that never was. */
export const findFlow = (
  table: Table,
  providerId: number,
  requestId: string,
): Promise<SamlFlow | undefined> => findRecord(table, samlFlowCodec, flowKey(providerId, requestId))

/** Uses a sign-in up: of any number of responses to it, one gets it, and none once it has waited too long. */
export const takeFlow = async (
  table: Table,
  providerId: number,
  requestId: string,
  nowMs: number,
): Promise<SamlFlow | undefined> =>
  samlFlowCodec.decodeOptional(await table.take(flowKey(providerId, requestId), Math.floor(nowMs / 1000)))

/** Has an assertion count once, until nobody can bring it any more; false when it did. */
export const reserveAssertion = (
  table: Table,
  providerId: number,
  assertionId: string,
  untilMs: number,
): Promise<boolean> =>
  wasCommitted(table.reserve({ ...assertionKey(providerId, assertionId), expires_at: seconds(untilMs) + 1 }))

/** Whether an assertion has counted already. */
export const isAssertionReserved = async (
  table: Table,
  providerId: number,
  assertionId: string,
): Promise<boolean> => (await table.get(assertionKey(providerId, assertionId))) !== undefined

/** Keeps the way back of a finished sign-in; goes along with the session that was made. */
export const buildReturnStep = (
  providerId: number,
  token: string,
  way: SamlReturn,
  untilMs: number,
): Step => ({
  put: { ...returnKey(providerId, token), ...way, expires_at: seconds(untilMs) },
})

/** A way back, whether it was used or not; undefined for one that never was. */
export const findReturn = (
  table: Table,
  providerId: number,
  token: string,
): Promise<SamlReturn | undefined> => findRecord(table, samlReturnCodec, returnKey(providerId, token))

/** Uses a way back up; undefined when it was, is too old, or never was. */
export const takeReturn = async (
  table: Table,
  providerId: number,
  token: string,
  nowMs: number,
): Promise<SamlReturn | undefined> =>
  samlReturnCodec.decodeOptional(await table.take(returnKey(providerId, token), Math.floor(nowMs / 1000)))
