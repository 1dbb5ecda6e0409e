import { operations } from '../lib/features/operations.ts'
import { getRouteKey } from '../lib/kernel/contract/operation.ts'
import { createRouter } from '../local/gateway/routes.ts'
import type { Answer, RequestOptions } from '../test/support/client.ts'
import type { TestService } from '../test/support/service.ts'

/** Sends one request of an operation, with values for the parameters of its path in their order. */
export type Send = (
  id: string,
  parameters: readonly (string | number)[],
  options?: RequestOptions & { readonly query?: string },
) => Promise<Answer>

/** Measures the answer to one request of an operation. */
export type Measure = (id: string, work: () => Promise<Answer>) => Promise<Answer>

const findOperation = createRouter(
  operations.map((operation) => ({ routeKey: getRouteKey(operation), target: operation.id })),
)

/** Returns the service with a client that measures each request. The client throws unless a request succeeds. */
export const withMeasuredClient = (service: TestService, measure: Measure): TestService => ({
  ...service,
  client: async (method, path, options) => {
    const { target: id } = findOperation(method, path.split('?')[0] ?? '')
    const answer = await measure(id, () => service.client(method, path, options))
    const { responses = {} } = operations.find((one) => one.id === id) ?? {}
    if (!(String(answer.status) in responses)) throw new Error(`${id}: ${answer.status} ${answer.text}`)
    return answer
  },
})

/** Creates a function that sends requests of operations with this client. */
export const createSend =
  ({ client }: Pick<TestService, 'client'>): Send =>
  async (id, parameters, { query = '', ...options } = {}) => {
    const operation = operations.find((one) => one.id === id)
    if (!operation) throw new Error(`there is no operation ${id}`)
    const [method = '', template = ''] = getRouteKey(operation).split(' ')
    const values = [...parameters]
    const path = template.replaceAll(/\{\w+\}/g, () => String(values.shift())) + query
    return client(method, path, options)
  }
