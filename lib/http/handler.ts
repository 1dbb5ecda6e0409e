import type { Context } from 'aws-lambda'
import type { Operation } from '../contract/operation.ts'
import { createServices, type Services } from '../services.ts'
import { measureCost } from '../store/engine/consumed-capacity.ts'
import { acceptsHtml } from './accept.ts'
import type { ErrorPage } from './error-handler.ts'
import type { HttpContext, HttpEvent, HttpResult } from './http-types.ts'
import { getOperation } from './http-types.ts'
import { readRequestOrigin } from './origin.ts'
import { getRequestContext } from './request-context.ts'
import { type PlainReply, toHttpResult } from './respond.ts'
import { stack } from './stack.ts'
import type { UseCase, UseCaseRequest } from './use-case.ts'

type OperationsByName = Readonly<Record<string, Operation>>

export type GroupHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>

/**
 * The Lambda handler of a group. Every operation of the group needs its use case here, of the types it declares;
 * a missing or mistyped one doesn't compile. A group that people come to by browser has a page for errors as well.
 */
export const handlerFor = <Operations extends OperationsByName>(
  operations: Operations,
  useCases: { readonly [Name in keyof Operations]: UseCase<Operations[Name]> },
  errorPageFor?: (services: Services) => ErrorPage,
): GroupHandler => {
  const services = createServices(process.env)
  const byId = new Map(Object.entries(operations).map(([name, { id }]) => [id, useCases[name]]))
  const handle = stack(services, Object.values(operations), errorPageFor?.(services)).handler(
    async (event, context) => {
      const operation = getOperation(context)
      // The stack has held the input against the very declaration that types this use case.
      const useCase = byId.get(operation.id) as unknown as (
        request: UseCaseRequest<Operation>,
        given: typeof services,
      ) => Promise<PlainReply>
      const origin = readRequestOrigin(services.config, event)
      const reply = await useCase(
        {
          ...context.requestState.input,
          principal: context.requestState.principal,
          context: getRequestContext(event, context, services.now()),
          target: { path: event.rawPath, rawQuery: event.rawQueryString },
          isFromOwnOrigin: origin !== 'foreign',
          origin,
          cookies: event.cookies ?? [],
          acceptsHtml: acceptsHtml(event),
        } as unknown as UseCaseRequest<Operation>,
        services,
      )
      return toHttpResult(reply, operation.responses[reply.status])
    },
  )
  return (event, context) =>
    measureCost(async () => (await handle(event, context as HttpContext)) as HttpResult)
}
