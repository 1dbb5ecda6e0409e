import type { TableCall } from '../../infra/dynamodb-proxy.ts'
import type { StubAnswer } from '../../infra/stub-server.ts'
import type { JsonValue } from '../../support/client.ts'
import { validationError } from './refusals.ts'
import { listExpressions, listRequests } from './requests.ts'

/** From "Constraints in Amazon DynamoDB", section "Expression parameters". */
const limits = { valueBytes: 2 * 1024 * 1024, placeholderLength: 255, operators: 300, operandsOfIn: 100 }

const operator = /<>|<=|>=|[=<>+-]|\b(?:AND|OR|NOT|BETWEEN|IN)\b|\b[a-z_]+\s*\(/gi

const countOperandsOfIn = (expression: string): number =>
  Math.max(
    0,
    ...[...expression.matchAll(/\bIN\s*\(([^)]*)\)/gi)].map(([, list = '']) => list.split(',').length),
  )

const findProblem = (request: JsonValue): string | undefined => {
  const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = request
  const placeholders = [...Object.keys(ExpressionAttributeNames), ...Object.keys(ExpressionAttributeValues)]
  const tooLong = placeholders.find((name) => name.length > limits.placeholderLength)
  if (tooLong) return `The placeholder ${tooLong.slice(0, 20)} is longer than ${limits.placeholderLength}`
  if (Buffer.byteLength(JSON.stringify(ExpressionAttributeValues)) > limits.valueBytes)
    return 'Item size in ExpressionAttributeValues has exceeded the maximum allowed size'
  for (const [name, expression] of listExpressions(request)) {
    const operators = expression.match(operator)?.length ?? 0
    if (operators > limits.operators)
      return `Invalid ${name}: The expression contains too many operators; operator count: ${operators}`
    const operands = countOperandsOfIn(expression)
    if (operands > limits.operandsOfIn)
      return `Invalid ${name}: The IN operator is provided with too many operands; number of operands: ${operands}`
  }
  return undefined
}

/** Refuses expressions that exceed limits of DynamoDB which the engine does not enforce. */
export const refuseExpressions = (call: TableCall): StubAnswer | undefined => {
  const problem = listRequests(call).map(findProblem).find(Boolean)
  return problem === undefined ? undefined : validationError(problem)
}
