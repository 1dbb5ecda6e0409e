import { listErrors } from '../../lib/contract/errors.ts'
import { getRouteKey } from '../../lib/contract/operation.ts'
import { operations } from '../../lib/contract/operations.ts'
import type { HttpResult } from '../../lib/http/http-types.ts'
import { listReasons } from '../../lib/open-api/operation-reasons.ts'

const byKey = new Map(operations.map((operation) => [getRouteKey(operation), operation]))

/** Collects the error codes and reasons that an operation does not declare. */
export const watchAnswers = () => {
  const undeclared = new Set<string>()
  return {
    watch: (operationKey: string, { headers, body }: HttpResult): void => {
      const operation = byKey.get(operationKey)
      if (!operation || headers?.['content-type'] !== 'application/problem+json') return
      const { code, reason } = JSON.parse(body ?? '')
      if (!listErrors(operation).includes(code)) undeclared.add(`${operation.id}: ${code}`)
      if (reason !== undefined && !listReasons(operation, code).includes(reason))
        undeclared.add(`${operation.id}: ${code}, ${reason}`)
    },
    /** @throws Error that lists the undeclared codes and reasons. */
    verify: (): void => {
      if (undeclared.size > 0) throw new Error(`undeclared errors: ${[...undeclared].join(', ')}`)
    },
  }
}
