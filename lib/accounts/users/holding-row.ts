import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../callers/request-context.ts'
import type { FieldChanges, KeptApiTokens, UserRecord } from './stored-user.records.ts'

/** What one write does to end the holdings of one kind, besides ending all sessions of the user. */
export interface HoldingEnd {
  readonly changes?: FieldChanges
  readonly steps?: readonly Step[]
}

export interface EndChoice {
  readonly context: RequestContext
  /** The API tokens that keep working until they expire. */
  readonly keptApiTokens: KeptApiTokens['tokens']
}

export interface RestOfEnd {
  readonly context: RequestContext
  /** Whether there is time for more. Repeating the request ends the rest. */
  readonly isInTime: () => boolean
}

/**
 * How everything of one kind ends that a user holds. Each feature has these in its `holding-rows.ts`, and `lib/features/everything.ts` lists
 * them.
 */
export interface HoldingRow {
  /** Counts those that work now. */
  readonly count: (services: Services, user: UserRecord) => Promise<number> | number
  /** Plans what ends with the sessions of the user, in one write. Missing for what ends with them anyway. */
  readonly plan?: (
    services: Services,
    user: UserRecord,
    choice: EndChoice,
  ) => Promise<HoldingEnd> | HoldingEnd
  /** Ends what is stored elsewhere, after that write. So nothing is added by an older session in between. */
  readonly endRest?: (services: Services, user: UserRecord, rest: RestOfEnd) => Promise<void>
}

/** For what works for some minutes and is in no list. It ends with the sessions, and is not counted. */
export const endsWithSessions = 'ends with the sessions'
