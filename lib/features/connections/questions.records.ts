import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { OrElse, Step } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import { getFlowKey, type SignInFlow } from './flows.records.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'

/*
 * A checked answer of an identity provider that does nothing until the person in front of the browser has decided about it. It is in
 * the partition of its connection and is deleted with it.
 */

/**
 * What the person is asked: to continue as the user of the answer, to connect the account there to their own user, whether to create a
 * user, or for the code of the second factor.
 */
export type QuestionKind = 'switch' | 'connect' | 'create' | 'code'

export interface SignInQuestion
  extends Pick<SignInFlow, 'forceAuthn' | 'startedAt' | 'returnTo' | 'browser' | 'invitation' | 'isPaid'> {
  readonly kind: QuestionKind
  readonly identity: ProvenIdentity
  /** A hash of what the connection trusted, and let its answers do, when the answer was checked. */
  readonly trust: string
  /** Whose session the person has said may be replaced, and by that of whom. */
  readonly agreed?: { readonly replaced: number; readonly user: number | undefined }
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

interface StoredQuestion extends Omit<SignInQuestion, 'identity'> {
  /** As JSON, because no one searches it. */
  readonly identity: string
  /** When it was answered, in epoch milliseconds. */
  readonly usedAt?: number
}

const questionCodec = createCodec<StoredQuestion>('sign-in question', {
  kind: 'string',
  identity: 'string',
  trust: 'string',
  expiresAt: 'number',
  forceAuthn: 'boolean',
  startedAt: 'number',
  browser: 'string',
})

/** Builds the step that stores a question under a random ID. Belongs to the transaction that uses up the answer. */
export const buildQuestionStep = (
  connectionId: number,
  id: string,
  { identity, ...question }: SignInQuestion,
): Step => ({
  put: {
    ...getFlowKey(connectionId, 'question', id),
    ...questionCodec.encode({ ...question, identity: JSON.stringify(identity) }),
    expires_at: toSeconds(question.expiresAt),
  },
})

/** Finds a question that waits for its answer. */
export const findQuestion = async (
  table: Table,
  connectionId: number,
  id: string,
  nowMs: number,
): Promise<SignInQuestion | undefined> => {
  const stored = await findRecord(table, questionCodec, getFlowKey(connectionId, 'question', id))
  if (!stored || stored.usedAt !== undefined || stored.expiresAt <= nowMs) return undefined
  const { identity, ...question } = stored
  return { ...question, identity: JSON.parse(identity) }
}

/** Builds the step that answers a question. Of any number of concurrent answers, one is carried out. */
export const buildQuestionUseStep = (
  connectionId: number,
  id: string,
  nowMs: number,
  orElse: OrElse,
): Step => ({
  update: getFlowKey(connectionId, 'question', id),
  changes: (x) => ({
    set: [`${x.path('usedAt')} = ${x.value(nowMs)}`],
    condition: `attribute_not_exists(${x.path('usedAt')}) AND ${x.path('expiresAt')} > ${x.value(nowMs)}`,
  }),
  orElse,
})
