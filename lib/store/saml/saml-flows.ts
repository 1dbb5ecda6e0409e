import { toSeconds } from '../../util/durations.ts'
import type { Codec } from '../engine/codec.ts'
import { isAbsent, isPresent } from '../engine/expressions.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { OrElse, Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import { samlProviderKey } from '../keys/keys.ts'
import { type FlowKind, getFlowKey } from './saml-flow-key.ts'
import {
  type SamlFlow,
  type SamlReturn,
  type SamlTestResult,
  samlFlowCodec,
  samlReturnCodec,
  samlTestResultCodec,
} from './saml-flow-record.ts'
import { type SamlProviderRecord, samlProviderKind } from './saml-provider-record.ts'

/** Stores a sign-in under the ID of its request. If the provider is deleted concurrently, it ends without result. */
export const storeFlow = (table: Table, providerId: number, flow: SamlFlow, untilMs: number): Promise<void> =>
  table.put({
    ...getFlowKey(providerId, 'sign-in', flow.requestId),
    ...flow,
    expires_at: toSeconds(untilMs),
  })

/** Lets a transaction fail if the provider was deleted, because nothing may be created through it any more. */
export const buildProviderStep = (providerId: number, orElse?: OrElse): Step => ({
  check: samlProviderKey(providerId),
  condition: isPresent,
  orElse,
})

interface OneTimeRecord<Row> {
  /** Finds the record, also if it was used. Returns undefined if it never existed. */
  readonly find: (table: Table, providerId: number, id: string) => Promise<Row | undefined>
  /**
   * Uses the record. Of any number of concurrent callers, one gets it. Returns undefined if it was used, has expired
   * or never existed.
   */
  readonly take: (table: Table, providerId: number, id: string, nowMs: number) => Promise<Row | undefined>
}

const createOneTimeRecord = <Row>(kind: FlowKind, codec: Codec<Row>): OneTimeRecord<Row> => ({
  find: (table, providerId, id) => findRecord(table, codec, getFlowKey(providerId, kind, id)),
  take: async (table, providerId, id, nowMs) =>
    codec.decodeOptional(await table.take(getFlowKey(providerId, kind, id), Math.floor(nowMs / 1000))),
})

/** Sign-ins that were started, by the ID of their request. */
export const { find: findFlow, take: takeFlow } = createOneTimeRecord('sign-in', samlFlowCodec)

/** Reads a provider and a sign-in through it in one call. The sign-in may be used, and is undefined if it never existed. */
export const findProviderAndFlow = async (
  table: Table,
  providerId: number,
  requestId: string,
): Promise<readonly [SamlProviderRecord | undefined, SamlFlow | undefined]> => {
  const keys = [samlProviderKind.keyOf(providerId), getFlowKey(providerId, 'sign-in', requestId)]
  const [provider, item] = await table.getMany(keys)
  return [samlProviderKind.codec.decodeOptional(provider), samlFlowCodec.decodeOptional(item)]
}

/** Where browsers return to after a sign-in, by a token. */
export const { find: findReturn, take: takeReturn } = createOneTimeRecord('return', samlReturnCodec)

/** Builds the step that stores where the browser returns to. Belongs to the transaction that creates the session. */
export const buildReturnStep = (
  providerId: number,
  token: string,
  samlReturn: SamlReturn,
  untilMs: number,
): Step => ({
  put: { ...getFlowKey(providerId, 'return', token), ...samlReturn, expires_at: toSeconds(untilMs) },
})

/** Accepts an assertion once, until it expires. Returns false if it was accepted before. */
export const reserveAssertion = (
  table: Table,
  providerId: number,
  assertionId: string,
  untilMs: number,
): Promise<boolean> =>
  wasCommitted(
    table.reserve({
      ...getFlowKey(providerId, 'assertion', assertionId),
      expires_at: toSeconds(untilMs) + 1,
    }),
  )

/** Builds the step that accepts an assertion once, for the transaction that its sign-in ends with. */
export const buildAssertionStep = (
  providerId: number,
  assertionId: string,
  { untilMs, nowMs }: { readonly untilMs: number; readonly nowMs: number },
  orElse: OrElse,
): Step => ({
  put: { ...getFlowKey(providerId, 'assertion', assertionId), expires_at: toSeconds(untilMs) + 1 },
  // DynamoDB deletes expired items late.
  condition: (x) => `${isAbsent(x)} OR ${x.path('expires_at')} <= ${x.value(Math.floor(nowMs / 1000))}`,
  orElse,
})

/** Whether an assertion was accepted before. */
export const isAssertionReserved = async (
  table: Table,
  providerId: number,
  assertionId: string,
): Promise<boolean> => (await table.get(getFlowKey(providerId, 'assertion', assertionId))) !== undefined

/** Stores what a test sign-in found, under the ID of its request. */
export const storeTestResult = (
  table: Table,
  providerId: number,
  requestId: string,
  result: SamlTestResult,
  untilMs: number,
): Promise<void> =>
  table.put({
    ...getFlowKey(providerId, 'test-result', requestId),
    ...result,
    expires_at: toSeconds(untilMs),
  })

export const findTestResult = async (
  table: Table,
  providerId: number,
  requestId: string,
): Promise<SamlTestResult | undefined> =>
  findRecord(table, samlTestResultCodec, getFlowKey(providerId, 'test-result', requestId))
