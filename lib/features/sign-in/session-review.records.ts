import { sessionReviewKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { ConditionFailed, type Step } from '../../kernel/table/transaction.ts'

/**
 * How far the review of all open sessions is. What tightens the rules of the sign-in asks for one, in its own transaction. A function
 * that runs each minute carries it out.
 */
export interface SessionReview {
  /** How often a review was asked for. */
  readonly requests: number
  /** The requests that the round covers which runs now, or ran last. Missing before the first. */
  readonly round?: number
  /** When the round began, in epoch milliseconds. */
  readonly startedAt?: number
  /** Where the list of users continues. Missing at its beginning, and at its end. */
  readonly after?: string | undefined
  readonly finishedAt?: number | undefined
  readonly users?: number
  readonly ended?: number
  readonly changed?: number
  /** Increases with each part of a round. Of two runs, one stores how far it is. */
  readonly parts?: number
}

const reviewCodec = createCodec<SessionReview>('session review', { requests: 'number' })

export const findSessionReview = (table: Table): Promise<SessionReview | undefined> =>
  findRecord(table, reviewCodec, sessionReviewKey)

/** Whether the last round ended, and covers all requests. */
export const isReviewFinished = ({ requests, round, finishedAt }: SessionReview): boolean =>
  round === requests && finishedAt !== undefined

/** Builds the step that asks for a review. One that runs begins again. */
export const buildSessionReviewStep = (): Step => ({
  update: sessionReviewKey,
  changes: (x) => {
    const requests = x.path('requests')
    return { set: [`${requests} = if_not_exists(${requests}, ${x.value(0)}) + ${x.value(1)}`] }
  },
})

export type ReviewProgress = Omit<SessionReview, 'requests' | 'parts'>

/** Stores how far a run is. Returns undefined if another run did so since the review was read. */
export const storeReviewProgress = async (
  table: Table,
  before: SessionReview,
  progress: ReviewProgress,
): Promise<SessionReview | undefined> => {
  const entries = Object.entries({ ...progress, parts: (before.parts ?? 0) + 1 })
  const gone = (['after', 'finishedAt'] as const).filter((name) => progress[name] === undefined)
  try {
    const item = await table.update(sessionReviewKey, (x) => ({
      set: entries.flatMap(([name, value]) =>
        value === undefined ? [] : [`${x.path(name)} = ${x.value(value)}`],
      ),
      remove: gone.map((name) => x.path(name)),
      condition:
        before.parts === undefined
          ? `attribute_not_exists(${x.path('parts')})`
          : `${x.path('parts')} = ${x.value(before.parts)}`,
    }))
    return reviewCodec.decode(item)
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}
