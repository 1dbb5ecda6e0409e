import type { Context } from 'aws-lambda'
import type { Operation } from '../contract/operation.ts'
import { createServices, type Services } from '../services.ts'
import { measureCost } from '../store/engine/consumed-capacity.ts'
import { acceptsHtml } from './accept.ts'
import type { ErrorPage } from './error-handler.ts'
import { getHeader, getOperation, type HttpContext, type HttpEvent, type HttpResult } from './http-types.ts'
import { readRequestOrigin } from './origin.ts'
import { getRequestContext } from './request-context.ts'
import { toHttpResult } from './respond.ts'
import { createStack } from './stack.ts'
import { type BoundUseCase, bindUseCase, type UseCase } from './use-case.ts'

export type OperationsByName = Readonly<Record<string, Operation>>

export type UseCases<Operations extends OperationsByName> = {
  readonly [Name in keyof Operations]: UseCase<Operations[Name]>
}

/** The pages for people who reach a group with a browser. */
export interface ErrorPages {
  /** For a method that the path does not have. */
  readonly createMethodPage: (services: Services) => ErrorPage
  /** For all other errors. Without it, browsers get problem bodies as other clients do. */
  readonly createErrorPage?: ((services: Services) => ErrorPage) | undefined
}

/** The Lambda handler of a group of operations. */
export type GroupHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>

/**
 * Creates the Lambda handler of a group. Every operation of the group needs its use case here. A missing use case, or
 * one of the wrong type, does not compile.
 */
export const createHandler = <Operations extends OperationsByName>(
  operations: Operations,
  useCases: UseCases<Operations>,
  pages: ErrorPages,
): GroupHandler => {
  const services = createServices(process.env)
  const bound = new Map<string, BoundUseCase>()
  for (const [name, { id }] of Object.entries(operations)) {
    const useCase = useCases[name]
    if (useCase) bound.set(id, bindUseCase(useCase))
  }
  const handle = createStack(services, Object.values(operations), chooseErrorPage(services, pages)).handler(
    async (event, context) => {
      const { id, responses } = getOperation(context)
      const useCase = bound.get(id)
      const { input, principal } = context.requestState
      if (!useCase || !input) throw new Error(`The request for ${id} was not validated.`)
      const origin = readRequestOrigin(services.config, event)
      const request = {
        ...input,
        principal,
        context: getRequestContext(event, context, services),
        target: { path: event.rawPath, rawQuery: event.rawQueryString },
        isFromOwnOrigin: origin !== 'foreign',
        origin,
        usesCookie: context.requestState.usesCookie ?? false,
        authorizationHeader: getHeader(event, 'authorization'),
        cookies: event.cookies ?? [],
        acceptsHtml: acceptsHtml(event),
      }
      const reply = await useCase(request, services)
      return toHttpResult(reply, responses[reply.status])
    },
  )
  return (event, context) =>
    measureCost(async () => (await handle(event, context as HttpContext)) as HttpResult)
}

const chooseErrorPage = (
  services: Services,
  { createMethodPage, createErrorPage }: ErrorPages,
): ErrorPage => {
  const methodPage = createMethodPage(services)
  const errorPage = createErrorPage?.(services)
  return (problem, event) =>
    problem.code === 'method_not_allowed' ? methodPage(problem, event) : errorPage?.(problem, event)
}
