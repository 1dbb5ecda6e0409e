import { operations } from '../../lib/features/operations.ts'
import { assertDeclared } from '../../lib/http/check-response.ts'
import type { HttpResult } from '../../lib/http/http-types.ts'
import { forbidden } from '../../lib/http/identify-client.ts'
import { getRouteKey, type Operation } from '../../lib/kernel/contract/operation.ts'
import { listErrors, listReasons } from '../../lib/open-api/operation-errors.ts'

const byKey = new Map(operations.map((operation) => [getRouteKey(operation), operation]))

/**
 * Whether an operation gave this answer. Pages of errors and most errors of OAuth come from steps before it. A document that
 * clients keep arrives compressed, and cannot be compared.
 */
const isComparable = ({ responses }: Operation, { statusCode = 0, headers, body }: HttpResult): boolean =>
  (statusCode < 400 || responses[statusCode] !== undefined) &&
  body !== forbidden.body &&
  headers?.['content-encoding'] === undefined

/**
 * Collects the error codes and reasons that an operation does not declare, and with `checksBodies`, what differs between a
 * response and its declaration. Handlers of the sources check that themselves.
 */
export const watchAnswers = ({ checksBodies = false } = {}) => {
  const undeclared = new Set<string>()
  const checkBody = (operation: Operation, answer: HttpResult): void => {
    if (!isComparable(operation, answer)) return
    try {
      assertDeclared(operation, answer)
    } catch (error) {
      undeclared.add(String(error))
    }
  }
  return {
    watch: (operationKey: string, answer: HttpResult): void => {
      const operation = byKey.get(operationKey)
      if (!operation) return
      if (answer.headers?.['content-type'] !== 'application/problem+json') {
        if (checksBodies) checkBody(operation, answer)
        return
      }
      const { code, reason } = JSON.parse(answer.body ?? '')
      if (!listErrors(operation).includes(code)) undeclared.add(`${operation.id}: ${code}`)
      if (reason !== undefined && !listReasons(operation, code).includes(reason))
        undeclared.add(`${operation.id}: ${code}, ${reason}`)
    },
    /** @throws Error that lists what is not declared. */
    verify: (): void => {
      if (undeclared.size > 0) throw new Error(`undeclared answers: ${[...undeclared].join(', ')}`)
    },
  }
}
