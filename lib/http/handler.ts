import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { grants, hasPermission } from '../accounts/callers/permissions.ts'
import type { Principal } from '../accounts/callers/principal.ts'
import { refundIfRefused } from '../accounts/callers/throttle.ts'
import { writeAudit } from '../accounts/events/write-event.ts'
import { organizationHeader } from '../client/organization-header.ts'
import { sealManaged } from '../features/configuration/seal.records.ts'
import { requireOwn, requireRole } from '../features/organizations/access.ts'
import { refuseLocalChanges } from '../features/scim/local-changes.ts'
import type { Access } from '../kernel/contract/access.ts'
import type { Operation } from '../kernel/contract/operation.ts'
import { AppError } from '../kernel/errors/errors.ts'
import { getCurrentCost, measureCost } from '../kernel/table/table-calls.ts'
import { createServices, type Services } from '../services.ts'
import { acceptsHtml, checkAccept } from './accept.ts'
import { authenticateCaller, isFromOwnPage, readRequestOrigin } from './authenticate.ts'
import { checkResponse } from './check-response.ts'
import { admitOrigins } from './cross-origin.ts'
import { type ErrorPage, handleErrors } from './error-handler.ts'
import {
  getHeader,
  getOperation,
  type HttpContext,
  type HttpEvent,
  type HttpResult,
  type Middleware,
} from './http-types.ts'
import { identifyClient, identifyViewer, requireFrontDoor } from './identify-client.ts'
import { hasGreedyRoute, nameRoute } from './name-route.ts'
import { isRefusal, toPartlyChanged } from './problem.ts'
import { readIfUnchanged } from './read-if-unchanged.ts'
import { readRequestContext } from './read-request-context.ts'
import { createRequestState, findOperation, logRequest } from './request-state.ts'
import { omitHeadBody, setHeaders, toHttpResult } from './respond.ts'
import { type BoundUseCase, bindUseCase, type UseCase } from './use-case.ts'
import { checkBody, validateRequest } from './validate.ts'

export type OperationsByName = Readonly<Record<string, Operation>>

export type UseCases<Operations extends OperationsByName> = {
  readonly [Name in keyof Operations]: UseCase<Operations[Name]>
}

/** The pages for people who reach a group with a browser. */
export interface ErrorPages {
  /** For a method that the path does not have, and for a path that nothing has. */
  readonly createMethodPage: (services: Services) => ErrorPage
  /** For all other errors. Without it, browsers get problem bodies as other clients do. */
  readonly createErrorPage?: ((services: Services) => ErrorPage) | undefined
}

/** The Lambda handler of a group of operations. */
export type GroupHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>

/**
 * Creates the Lambda handler of a group. Every operation of the group needs its use case here. A missing use case, or
 * one of the wrong type, does not compile. Other functions are ignored.
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
      const operation = getOperation(context)
      const { id, responses } = operation
      const useCase = bound.get(id)
      const { input, principal, organization, organizationCaller, scimCaller } = context.requestState
      if (!useCase || !input) throw new Error(`The request for ${id} was not validated.`)
      const origin = readRequestOrigin(services.config, event)
      const request = {
        ...input,
        principal,
        organization,
        organizationToken: organizationCaller?.token,
        directory: scimCaller,
        context: readRequestContext(event, context, services),
        target: { path: event.rawPath, rawQuery: event.rawQueryString },
        isFromOwnOrigin: origin !== 'foreign',
        isFromOwnPage: isFromOwnPage(services.config, event),
        origin,
        usesCookie: context.requestState.usesCookie ?? false,
        authorizationHeader: getHeader(event, 'authorization'),
        dpopHeader: getHeader(event, 'dpop'),
        ifMatchHeader: getHeader(event, 'if-match'),
        ifNoneMatchHeader: getHeader(event, 'if-none-match'),
        cookies: event.cookies ?? [],
        acceptsHtml: acceptsHtml(event),
      }
      const reply = await refundIfRefused(
        services,
        () =>
          refuseLocalChanges(services.table, operation, async () =>
            useCase(request, sealManaged(services, operation, input)),
          ),
        (error) => isRefusal(error) && !getCurrentCost()?.hasChanged,
      ).catch((error: unknown) => {
        throw getCurrentCost()?.hasChanged ? toPartlyChanged(error) : error
      })
      if (reply.readableFrom) context.requestState.readableFrom = reply.readableFrom
      return toHttpResult(reply, responses[reply.status])
    },
  )
  const toNamed = nameRoute(Object.values(operations))
  return (event, context) =>
    measureCost(async () => (await handle(toNamed(event), context as HttpContext)) as HttpResult)
}

const chooseErrorPage = (
  services: Services,
  { createMethodPage, createErrorPage }: ErrorPages,
): ErrorPage => {
  const methodPage = createMethodPage(services)
  const errorPage = createErrorPage?.(services)
  return (problem, event) =>
    problem.code === 'method_not_allowed' || hasGreedyRoute(event)
      ? methodPage(problem, event)
      : errorPage?.(problem, event)
}

/**
 * Creates the middleware that every request passes, from top to bottom on the way in and from bottom to top on the way out.
 * The order is part of the security of the service: what rejects a request comes before what costs something.
 */
const createStack = (services: Services, operations: readonly Operation[], errorPage: ErrorPage) =>
  middy<HttpEvent, HttpResult, Error, HttpContext>()
    .use(createRequestState()) // First, because all other middleware can need the request ID.
    .use(omitHeadBody()) // Last on the way out, because the middleware below reads the body of the response.
    .use(requireFrontDoor(services)) // Costs nothing. Nothing else is read of a request that it refuses.
    .use(admitOrigins(services, operations)) // Before the method is checked, because no operation has OPTIONS.
    .use(logRequest(services)) // Outermost on the way out, so that it sees the final response.
    .use(setHeaders(services.config)) // Outside of the error handler, because errors need the same headers.
    .use(handleErrors(errorPage, operations[0]?.errorFormat)) // Responds to errors of all middleware below.
    .use(identifyViewer(services)) // Before all middleware that records or counts the address. Costs no call.
    .use(findOperation(services, operations)) // All middleware below reads the declaration of the operation.
    .use(checkResponse(services)) // On the way out, a response that does not match becomes a 500.
    .use(checkAccept()) // Costs nothing.
    .use(checkBody()) // Checks size and type before the body is parsed.
    .use(identifyClient(services)) // The address that a product names comes first. Costs one call, and only with its header.
    .use(authenticateCaller(services)) // Costs one call to the table.
    .use(authorizeCaller(services)) // Comes before validation, so that strangers learn nothing from it.
    .use(enterOrganization(services)) // Costs a call or two, and only with its header.
    .use(readIfUnchanged()) // Costs nothing. Comes after authorization, like all validation.
    .use(validateRequest()) // Validates path, query, and body together for the use case.

/**
 * Rejects a caller without the permission that the operation requires, or whose API token lacks its scope. Every refusal
 * for lack of a permission, here or in the use case, is written to the audit log.
 */
const authorizeCaller = (services: Services): Middleware => ({
  before: async ({ event, context }) => {
    const { access } = getOperation(context)
    const { principal, organizationCaller } = context.requestState
    if (principal) requireScope(access, principal)
    if (access.allow === 'role' && principal)
      context.requestState.organization = await requireRole(
        services,
        principal,
        access,
        event.pathParameters?.['id'],
      )
    if (organizationCaller) {
      const { access: own } = organizationCaller
      context.requestState.organization = own
      if (access.allow === 'role') requireOwn(own, access, event.pathParameters?.['id'])
      return
    }
    if (access.allow !== 'permission') return
    if (!principal || !(await hasPermission(services.table, principal.user, access.permission)))
      throw new AppError('permission_denied', {
        detail: `This operation requires the permission ${access.permission}.`,
      })
  },
  onError: async (request) => {
    const { error, event, context } = request
    const { principal, product, clientAddress, operation } = context.requestState
    // A product is the one who was refused only if it may not name an address.
    const user = (principal ?? (clientAddress === undefined ? product : undefined))?.user.id
    if (!(error instanceof AppError) || error.code !== 'permission_denied' || user === undefined) return
    const requestContext = readRequestContext(event, context, services)
    const facts = { user, target: operation?.id ?? null, outcome: error.code }
    await writeAudit(services, requestContext, 'access.denied', facts).catch((cause: unknown) =>
      services.log.error('audit.not_written', { error: cause }),
    )
    if (error.details.reason !== undefined || !principal?.user.restingRights) return
    // Loaded on demand, because few rights rest.
    const { explainRefusal } = await import('../features/sign-in/resting-refusal.ts')
    request.error = (await explainRefusal(services.table, principal)) ?? error
  },
})

/**
 * Makes the organization that the header names the one that the caller acts in.
 *
 * @throws AppError `permission_denied` if they are not in it, alike for one that does not exist
 */
const enterOrganization = (services: Services): Middleware => ({
  before: async ({ event, context }) => {
    const named = getHeader(event, organizationHeader.toLowerCase())
    if (named === undefined || !getOperation(context).acceptsOrganization) return
    // Loaded on demand, because few requests have the header.
    const { createOrganizationRefusal, enterNamedOrganization, isNamed } = await import(
      '../features/organizations/named-organization.ts'
    )
    const { requestState } = context
    const { principal, organizationCaller } = requestState
    const entered = principal && (await enterNamedOrganization(services, principal, named))
    const isOwn = organizationCaller && isNamed(organizationCaller.access.organization, named)
    if (!entered && !isOwn) throw createOrganizationRefusal()
    if (entered) requestState.principal = entered
  },
})

/** @throws AppError `permission_denied` with the header of RFC 6750 3.1 that names the missing scope */
const requireScope = (access: Access, { scopes }: Principal): void => {
  if (!scopes || access.allow === 'anyone') return
  const { scope } = access
  if (scope && grants(scopes, scope)) return
  throw new AppError('permission_denied', {
    reason: 'insufficient_scope',
    detail: `The API token lacks the scope ${scope}.`,
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  })
}
