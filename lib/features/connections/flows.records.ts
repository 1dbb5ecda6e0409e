import { createHash } from 'node:crypto'
import { isAbsent } from '../../kernel/table/expressions.ts'
import { connectionFlowKey } from '../../kernel/table/keys/connection-keys.ts'
import { connectionKey, type Key } from '../../kernel/table/keys/keys.ts'
import { type Codec, createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type OrElse, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import { readConnectionOf } from './records.ts'
import { type SamlConnection, samlKind } from './saml/records.ts'

/** What a record with a provider is about. Part of the hash in its key. */
export type FlowKind =
  | 'sign-in'
  | 'oidc-sign-in'
  | 'test-result'
  | 'return'
  | 'question'
  | 'assertion'
  | 'logout-request'
  | 'logout-message'
  | 'logout-token'

/** The key of a record that a SAML flow stores, by the ID or token that later finds it. */
export const getFlowKey = (providerId: number, kind: FlowKind, id: string): Key =>
  connectionFlowKey(providerId, createHash('sha256').update(`${kind} ${id}`).digest('base64url'))

/*
 * What a sign-in through an identity provider stores: that it was started, and where the browser goes in the end. Each
 * record is used once. They are in the partition of the provider and are deleted with it.
 */

/** A sign-in that was started and waits for the response of the provider. */
export interface SignInFlow {
  /** The ID of the request, which is also the key of the record. */
  readonly requestId: string
  readonly forceAuthn: boolean
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Where the browser goes in the end. Null for the default page. */
  readonly returnTo: string | null
  /** The hash of the cookie by which the browser proves that it started the flow. */
  readonly browser: string
  /** The hash of the device cookie of that browser. The provider sends the browser back without this cookie. */
  readonly device?: string
  /** The user to link the provider's account to, and the hash of the session that requested it. */
  readonly link: { readonly userId: number; readonly session: string } | null
  /** Whether an administrator only tests the provider, so that the response is checked and no one is signed in. */
  readonly isTest?: boolean
  /** Whether the holder of a set-up link started the test. */
  readonly isSetupTest?: boolean
  /** The user whose invitation the sign-in accepts, and the hash of the invitation's credential. */
  readonly invitation?: { readonly userId: number; readonly hash: string }
}

export const signInFlowCodec = createCodec<SignInFlow>('SAML flow', {
  requestId: 'string',
  forceAuthn: 'boolean',
  startedAt: 'number',
  browser: 'string',
})

/** A sign-in whose browser has not returned yet. */
export interface SignInReturn {
  readonly returnTo: string | null
  /** The hash of the session that was created, or that requested the link. */
  readonly session: string
}

export const signInReturnCodec = createCodec<SignInReturn>('SAML return', { session: 'string' })

/** What a test sign-in found. Administrators read it as often as they want until it expires. */
export interface TestResult {
  /** Epoch milliseconds. */
  readonly receivedAt: number
  /** The diagnosis as JSON, because no one searches it. */
  readonly diagnosis: string
}

export const testResultCodec = createCodec<TestResult>('SAML test result', {
  receivedAt: 'number',
  diagnosis: 'string',
})

/** Stores a sign-in under the ID of its request. If the provider is deleted concurrently, it ends without result. */
export const storeFlow = (
  table: Table,
  providerId: number,
  flow: SignInFlow,
  untilMs: number,
): Promise<void> =>
  table.put({
    ...getFlowKey(providerId, 'sign-in', flow.requestId),
    ...signInFlowCodec.encode(flow),
    expires_at: toSeconds(untilMs),
  })

export interface OneTimeRecord<Row> {
  /** Finds the record, also if it was used. Returns undefined if it never existed. */
  readonly find: (table: Table, providerId: number, id: string) => Promise<Row | undefined>
  /**
   * Uses the record. Of any number of concurrent callers, one gets it. Returns undefined if it was used, has expired
   * or never existed.
   */
  readonly take: (table: Table, providerId: number, id: string, nowMs: number) => Promise<Row | undefined>
}

export const createOneTimeRecord = <Row>(kind: FlowKind, codec: Codec<Row>): OneTimeRecord<Row> => ({
  find: (table, providerId, id) => findRecord(table, codec, getFlowKey(providerId, kind, id)),
  take: async (table, providerId, id, nowMs) =>
    codec.decodeOptional(await table.take(getFlowKey(providerId, kind, id), Math.floor(nowMs / 1000))),
})

/** Sign-ins that were started, by the ID of their request. */
export const { find: findFlow, take: takeFlow } = createOneTimeRecord('sign-in', signInFlowCodec)

/** Reads a provider and a sign-in through it in one call. The sign-in may be used, and is undefined if it never existed. */
export const findProviderAndFlow = async (
  table: Table,
  providerId: number,
  requestId: string,
): Promise<readonly [SamlConnection | undefined, SignInFlow | undefined]> => {
  const keys = [connectionKey(providerId), getFlowKey(providerId, 'sign-in', requestId)]
  const [provider, item] = await table.getMany(keys)
  return [readConnectionOf(samlKind, provider), signInFlowCodec.decodeOptional(item)]
}

/** Where browsers return to after a sign-in, by a token. */
export const { find: findReturn, take: takeReturn } = createOneTimeRecord('return', signInReturnCodec)

/** Builds the step that stores where the browser returns to. Belongs to the transaction that creates the session. */
export const buildReturnStep = (
  providerId: number,
  token: string,
  signInReturn: SignInReturn,
  untilMs: number,
): Step => ({
  put: {
    ...getFlowKey(providerId, 'return', token),
    ...signInReturnCodec.encode(signInReturn),
    expires_at: toSeconds(untilMs),
  },
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
  result: TestResult,
  untilMs: number,
): Promise<void> =>
  table.put({
    ...getFlowKey(providerId, 'test-result', requestId),
    ...testResultCodec.encode(result),
    expires_at: toSeconds(untilMs),
  })

export const findTestResult = async (
  table: Table,
  providerId: number,
  requestId: string,
): Promise<TestResult | undefined> =>
  findRecord(table, testResultCodec, getFlowKey(providerId, 'test-result', requestId))
