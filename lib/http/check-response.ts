import * as z from 'zod/mini'
import type { Operation } from '../kernel/contract/operation.ts'
import type { Services } from '../services.ts'
import { getOperation, type HttpResult, type Middleware } from './http-types.ts'

/**
 * Compares a response with what its operation declares for its status.
 *
 * @throws Error that lists the fields that differ, with the code of each. It contains no values.
 */
export const assertDeclared = (
  { id, responses }: Pick<Operation, 'id' | 'responses'>,
  { statusCode = 0, body }: Pick<HttpResult, 'statusCode' | 'body'>,
): void => {
  const declared = responses[statusCode]
  if (declared === undefined) throw new Error(`${id} does not declare the status ${statusCode}.`)
  if (declared === null || typeof declared === 'string') return
  const result = z.safeParse(declared, JSON.parse(body ?? 'null'))
  if (result.success) return
  const differences = result.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
  throw new Error(`${id} returned a body that does not match its declaration: ${differences.join(', ')}.`)
}

/**
 * Validates every response, if the configuration asks for it. One that does not match is an internal error and becomes a 500.
 * Bundles of functions contain no schemas of responses, so no deployed function can do this.
 */
export const checkResponse = ({ config }: Services): Middleware => ({
  after: ({ context, response }) => {
    if (config.validateResponses && response) assertDeclared(getOperation(context), response)
  },
})
