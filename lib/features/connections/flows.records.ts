import { createHash } from 'node:crypto'
import { connectionFlowKey, connectionFlowPartitions } from '../../kernel/table/keys/connection-keys.ts'
import { connectionKey, type Key } from '../../kernel/table/keys/keys.ts'
import { readEntries } from '../../kernel/table/listing.ts'
import { type Codec, createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import { mapInBatches } from '../../kernel/util/work.ts'
import { type Connection, type ConnectionKind, readConnectionOf } from './records.ts'

/**
 * The key of a record that a sign-in or sign-out through a connection stores, by the ID or token that later finds it. `kind` is what
 * the record is about.
 */
export const getFlowKey = (connectionId: number, kind: string, id: string): Key =>
  connectionFlowKey(connectionId, createHash('sha256').update(`${kind} ${id}`).digest('base64url'))

/*
 * What a sign-in through an identity provider stores: that it was started, and where the browser goes in the end. Each
 * record is used once. They are in the partition of the connection and are deleted with it.
 */

/** A sign-in that was started and waits for the answer of the identity provider. */
export interface SignInFlow {
  /** Names the sign-in in its answer: the ID of a request, or a `state`. It is also the key of the record. */
  readonly id: string
  /** The issuer that the browser was sent to, if an answer counts only while the connection still has it. */
  readonly issuer?: string
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
  /** The session of the browser at the start, by its hash. A sign-in for an organization keeps its proofs. */
  readonly keeps?: { readonly userId: number; readonly session: string }
  /** Whether an administrator only tests the provider, so that the response is checked and no one is signed in. */
  readonly isTest?: boolean
  /** Whether a proof of work was given at the start, which admits a first sign-in above the limit of its network. */
  readonly isPaid?: boolean
  /** Whether the holder of a set-up link started the test. */
  readonly isSetupTest?: boolean
  /** The user whose invitation the sign-in accepts, and the hash of the invitation's credential. */
  readonly invitation?: { readonly userId: number; readonly hash: string }
}

const signInFlowCodec = createCodec<SignInFlow>('sign-in flow', {
  id: 'string',
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

const signInReturnCodec = createCodec<SignInReturn>('return of a sign-in', { session: 'string' })

/** What a test sign-in found. Administrators read it as often as they want until it expires. */
export interface TestResult {
  /** Epoch milliseconds. */
  readonly receivedAt: number
  /** The diagnosis as JSON, because no one searches it. */
  readonly diagnosis: string
}

const testResultCodec = createCodec<TestResult>('result of a test sign-in', {
  receivedAt: 'number',
  diagnosis: 'string',
})

/** Stores a sign-in. If the connection is deleted concurrently, it ends without result. */
export const storeFlow = (
  table: Table,
  connectionId: number,
  flow: SignInFlow,
  untilMs: number,
): Promise<void> =>
  table.put({
    ...getFlowKey(connectionId, 'sign-in', flow.id),
    ...signInFlowCodec.encode(flow),
    expires_at: toSeconds(untilMs),
  })

interface OneTimeRecord<Row> {
  /** Finds the record, also if it was used. Returns undefined if it never existed. */
  readonly find: (table: Table, connectionId: number, id: string) => Promise<Row | undefined>
  /**
   * Uses the record. Of any number of concurrent callers, one gets it. Returns undefined if it was used, has expired
   * or never existed.
   */
  readonly take: (table: Table, connectionId: number, id: string, nowMs: number) => Promise<Row | undefined>
}

const createOneTimeRecord = <Row>(kind: string, codec: Codec<Row>): OneTimeRecord<Row> => ({
  find: (table, connectionId, id) => findRecord(table, codec, getFlowKey(connectionId, kind, id)),
  take: async (table, connectionId, id, nowMs) =>
    codec.decodeOptional(await table.take(getFlowKey(connectionId, kind, id), Math.floor(nowMs / 1000))),
})

/** Sign-ins that were started. */
export const { find: findFlow, take: takeFlow } = createOneTimeRecord('sign-in', signInFlowCodec)

/**
 * Reads a connection of one kind and a sign-in through it in one call. The sign-in may be used, and is undefined if it never
 * existed.
 */
export const findConnectionAndFlow = async <Record extends Connection>(
  table: Table,
  kind: ConnectionKind<Record>,
  connectionId: number,
  id: string,
): Promise<readonly [Record | undefined, SignInFlow | undefined]> => {
  const keys = [connectionKey(connectionId), getFlowKey(connectionId, 'sign-in', id)]
  const [connection, item] = await table.getMany(keys)
  return [readConnectionOf(kind, connection), signInFlowCodec.decodeOptional(item)]
}

/** Where browsers return to after a sign-in, by a token. */
export const { find: findReturn, take: takeReturn } = createOneTimeRecord('return', signInReturnCodec)

/** Builds the step that stores where the browser returns to. Belongs to the transaction that creates the session. */
export const buildReturnStep = (
  connectionId: number,
  token: string,
  signInReturn: SignInReturn,
  untilMs: number,
): Step => ({
  put: {
    ...getFlowKey(connectionId, 'return', token),
    ...signInReturnCodec.encode(signInReturn),
    expires_at: toSeconds(untilMs),
  },
})

/** Stores what a test sign-in found, under the ID of its sign-in. */
export const storeTestResult = (
  table: Table,
  connectionId: number,
  id: string,
  result: TestResult,
  untilMs: number,
): Promise<void> =>
  table.put({
    ...getFlowKey(connectionId, 'test-result', id),
    ...testResultCodec.encode(result),
    expires_at: toSeconds(untilMs),
  })

export const findTestResult = async (
  table: Table,
  connectionId: number,
  id: string,
): Promise<TestResult | undefined> =>
  findRecord(table, testResultCodec, getFlowKey(connectionId, 'test-result', id))

/**
 * Deletes the sign-ins in progress of a deleted connection. Returns whether there were any. `endSessionsOfProvider` ends
 * the sessions of the connection.
 */
export const cleanUpDeletedConnection = async (table: Table, connectionId: number): Promise<boolean> => {
  const results = await mapInBatches(connectionFlowPartitions(connectionId), partitionsAtOnce, (pk) =>
    cleanUpPartition(table, pk),
  )
  return results.includes(true)
}

const partitionsAtOnce = 8

const cleanUpPartition = async (table: Table, pk: string): Promise<boolean> => {
  const { sk } = connectionKey(0)
  for (let hadItems = false; ; hadItems = true) {
    const entries = await readEntries(table, { pk }, { limit: 50, isDescending: false })
    const hasConnection = entries.some(({ indexKey }) => indexKey === sk)
    if (entries.length === 0 || hasConnection) return hadItems
    await table.transact(entries.map(({ key }) => ({ delete: key })))
  }
}
