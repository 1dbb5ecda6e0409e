import type { ListEntry } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../callers/request-context.ts'
import type { UserRecord } from './stored-user.records.ts'

/*
 * What a feature keeps for an account, and what becomes of it when the account ends or is merged into another one. Each feature has its
 * rows in its `account-rows.ts`. `lib/features/account-ends.ts` and `account-merges.ts` list them. So an account knows no feature.
 */

/** Items of one kind in the partition of a user. */
interface UserItems {
  /** Their sort key. One with `#` at its end is how their sort keys begin. */
  readonly sk: string
}

/** What ends items of a user who was deleted. */
export interface EndRow extends UserItems {
  /** Builds the steps that delete an item, with what belongs to it. Without them, only the item is deleted. */
  readonly buildEnd?: (entry: ListEntry, context: RequestContext) => readonly Step[]
  /** Whether these steps have conditions, so that each item needs a transaction of its own. */
  readonly endsAlone?: true
}

/** A user who ended, and the one who is kept. */
export interface Merge {
  readonly table: Table
  readonly merged: UserRecord
  readonly keptId: number
  readonly context: RequestContext
}

/** What the answer of a merge counts. */
export type CountedMove = 'api_tokens' | 'company_accounts' | 'access_links'

export interface Move {
  /** The transaction that moves an item. It changes nothing if another call moved the item. */
  readonly steps: readonly Step[]
  readonly counts?: CountedMove
}

/** What a merge does with items of the user who ended. */
export interface MergeRow extends UserItems {
  /** Ends an item, moves it as it is, or in a way of its own. */
  readonly merge: 'ends' | 'moves' | ((entry: ListEntry, merge: Merge) => Promise<Move> | Move)
}

/** Deletes what a deleted user had in other places, for a limited time. Returns whether there was anything. */
export type CleanUp = (services: Services, userId: number, context: RequestContext) => Promise<boolean>

interface MergeElsewhere {
  readonly from: number
  readonly to: number
  readonly isInTime: () => boolean
}

/** Moves what a merged user had in other places. */
export interface MoveElsewhere {
  readonly counts: CountedMove
  readonly move: (
    services: Services,
    merge: MergeElsewhere,
  ) => Promise<{ readonly moved: number; readonly isComplete: boolean }>
}

/** Returns why two users cannot be merged: the kept one would have too much. */
export type MergeObstacle = (
  table: Table,
  users: readonly [kept: UserRecord, other: UserRecord],
) => Promise<string | undefined>
