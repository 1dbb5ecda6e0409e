import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { type AppliedChange, type ReadSecret, rehearseChanges } from './apply.part.ts'
import type { ConfigurationDocument } from './document.models.ts'
import type { CheckedSecrets } from './held-secrets.part.ts'
import type { OutputsByKey } from './outputs.part.ts'
import { hashValues, isWork, type PlannedChange, planChanges } from './plan.part.ts'
import type { PlannedTransfer } from './transfer.part.ts'

/** What a person sees of a change, and names it. */
export type ShownChange = Pick<PlannedChange, 'kind' | 'key' | 'action' | 'fields' | 'broadens' | 'unlocked'>

/** A change that was applied, with what only this run knows. */
export interface ShownApplied extends Pick<AppliedChange, 'outputs'> {
  readonly change: Pick<PlannedChange, 'kind' | 'key'>
}

/** The answers of the function `config`, by the paths of their requests. */
export interface DoorReplies {
  readonly '/plan': {
    readonly changes: readonly ShownChange[]
    /** The hash of all that is left to do. */
    readonly plan: string
  }
  readonly '/apply': {
    readonly applied: readonly ShownApplied[]
    /** Why it stopped early, if it did. */
    readonly errors: readonly FieldError[]
    /** The hash of what is left to do. Null if nothing is. */
    readonly rest: string | null
    /** What the service chose for the things of the owner. */
    readonly outputs: OutputsByKey
    /** What the service accepts of the secrets that the caller keeps, once nothing is left to do. */
    readonly secrets: CheckedSecrets
  }
  readonly '/export': { readonly document: ConfigurationDocument }
  readonly '/transfer': PlannedTransfer & {
    /** Whether more is left to move. */
    readonly hasMore: boolean
  }
}

export interface PlanRequest {
  readonly document: ConfigurationDocument
  readonly prune: boolean
  readonly readSecret: ReadSecret
  readonly takesBack?: number | undefined
}

/**
 * Plans a document, and tries out every change without writing.
 *
 * @throws AppError `invalid_request` that lists everything that is wrong with the document, by path
 */
export const planDocument = async (
  services: Services,
  context: RequestContext,
  { document, prune, readSecret, takesBack }: PlanRequest,
): Promise<readonly PlannedChange[]> => {
  const changes = await planChanges(services, context, document, { prune, takesBack })
  await rehearseChanges(services, context, { owner: document.owner, readSecret }, changes)
  return changes
}

export const toShownChange = ({
  kind,
  key,
  action,
  fields,
  broadens,
  unlocked,
}: ShownChange): ShownChange => ({ kind, key, action, fields, broadens, unlocked })

/** Identifies what a plan would do, so that nothing else is applied than what a person saw. */
export const hashPlan = (changes: readonly ShownChange[]): string =>
  hashValues({ changes: changes.filter(isWork).map(toShownChange) })
