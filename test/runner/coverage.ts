import { allows, type Statement } from '../infra/policies.ts'
import { type AwsCall, type SingleGrant, splitGrants } from './authorizer.ts'
import type { Usage } from './usage.ts'

export interface CoverageInput {
  /** All operations that must have answered with a success: `GET /api/2/users/{id}`. */
  readonly operationKeys: readonly string[]
  /** The statements of each function's role. */
  readonly roles: ReadonlyMap<string, readonly Statement[]>
  readonly usage: readonly Usage[]
}

export interface CoverageGaps {
  /** Operations that never answered with a success. */
  readonly unservedOperations: readonly string[]
  /** Calls that the role of the function did not allow, or does not allow now. */
  readonly missingGrants: readonly string[]
  /** Grants without which every recorded call would still be allowed. */
  readonly unneededGrants: readonly string[]
}

/** `Sessions dynamodb:GetItem the-table user#*`: the function, the action, the end of the resource, and the conditions. */
export const describeGrant = ({
  functionId,
  statement: { actions, resources, conditions },
}: SingleGrant): string =>
  [
    functionId.replace(/^Auth(\w+)Function[0-9A-F]{8}$/, '$1'),
    ...actions,
    ...resources.map((resource) => resource.replace(/^arn:(?:[^:]*:){4}(?:table\/)?/, '')),
    ...Object.entries(conditions).flatMap(([name, value]) => (name.startsWith('Null ') ? [] : [value])),
  ].join(' ')

const describeCall = ({ functionId, action, resource, conditions }: AwsCall): string =>
  [functionId, action, resource, JSON.stringify(conditions ?? {})].join(' ')

/**
 * Compares what roles allow with what a run needed. Removing a grant that is needed makes calls miss it, and a grant
 * that was added is not needed, so that both show up.
 */
export const findCoverageGaps = ({ operationKeys, roles, usage }: CoverageInput): CoverageGaps => {
  const served = new Set(usage.flatMap((one) => one.served))
  const calls = usage.flatMap((one) => one.calls)
  const missing = calls.filter(
    ({ functionId, action, resource, conditions }) =>
      !allows(roles.get(functionId) ?? [], action, resource, conditions),
  )
  const callsOf = Map.groupBy(calls, ({ functionId }) => functionId)
  const unneeded = [...roles].flatMap(([functionId, statements]) => {
    const grants = splitGrants(functionId, statements)
    const needed = new Set(
      (callsOf.get(functionId) ?? []).flatMap(({ action, resource, conditions }) => {
        const allowing = grants.filter(({ statement }) => allows([statement], action, resource, conditions))
        return allowing.length === 1 ? allowing : []
      }),
    )
    return grants.filter((grant) => !needed.has(grant))
  })
  return {
    unservedOperations: operationKeys.filter((key) => !served.has(key)),
    missingGrants: [...new Set([...usage.flatMap((one) => one.denials), ...missing.map(describeCall)])],
    unneededGrants: unneeded.map(describeGrant),
  }
}
