import type { Operation } from '../kernel/contract/operation.ts'
import type { ErrorCode } from '../kernel/errors/errors.ts'
import { acceptsHtml } from './accept.ts'
import type { HttpEvent, HttpResult, Middleware } from './http-types.ts'
import type { Page } from './page.ts'
import { buildProblemResponse, type Problem, toProblem } from './problem.ts'
import { toUnanswered } from './unanswered.ts'

/** Builds the page that shows a problem to a person in a browser, or nothing for a problem without a page. */
export type ErrorPage = (problem: Problem, event: HttpEvent) => Page | undefined | Promise<Page | undefined>

/**
 * Responds to every error: with the error page if there is one and a browser asks for it, or with a problem body. `groupFormat` is the form
 * of errors about methods that a path of the group does not have.
 */
export const handleErrors = (errorPage: ErrorPage, groupFormat?: Operation['errorFormat']): Middleware => ({
  onError: async (request) => {
    const { requestId, operation } = request.context.requestState
    const problem = toProblem(toUnanswered(request.error, operation), requestId)
    const isMethod = problem.code === 'method_not_allowed'
    const format = operation?.errorFormat ?? (isMethod ? groupFormat : undefined)
    if (format === 'scim') {
      request.response = buildScimErrorResponse(problem, request.event)
      return
    }
    if (operation && format === 'oauth') {
      request.response = buildOAuthErrorResponse(problem)
      return
    }
    const page = acceptsHtml(request.event) ? await errorPage(problem, request.event) : undefined
    request.response = page ? buildPageResponse(problem, page) : buildProblemResponse(problem)
  },
})

const buildPageResponse = (problem: Problem, { html, headers }: Page): HttpResult => ({
  statusCode: problem.status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...problem.headers, ...headers },
  body: html,
})

/** The codes of RFC 6749 5.2 and 4.1.2.1 for errors of the checks before a use case. Others are invalid requests. */
const oauthCodes: Partial<Readonly<Record<ErrorCode, string>>> = {
  not_authenticated: 'invalid_client',
  too_many_requests: 'temporarily_unavailable',
  temporarily_unavailable: 'temporarily_unavailable',
  internal_error: 'server_error',
}

/** Builds the response of a problem as clients of OAuth expect it. */
const buildOAuthErrorResponse = ({ code, detail, status, headers, errors = [] }: Problem): HttpResult => {
  const [first] = errors
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      error: oauthCodes[code] ?? 'invalid_request',
      error_description: first ? `${first.field} ${first.message}` : detail,
    }),
  }
}

/** Builds the response of a problem as directories expect it (RFC 7644 3.12). */
const buildScimErrorResponse = (
  { code, detail, status, headers, errors = [] }: Problem,
  { rawPath }: HttpEvent,
): HttpResult => {
  const [first] = errors
  const isSearch = code === 'method_not_allowed' && rawPath.endsWith('/.search')
  const described = first ? `${first.field} ${first.message}` : detail
  return {
    statusCode: status,
    headers: { 'content-type': 'application/scim+json', ...headers },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      ...(code === 'invalid_request' && { scimType: 'invalidSyntax' }),
      detail: isSearch
        ? 'Search with GET and the parameter filter. POST to .search is not supported.'
        : described,
      status: String(status),
    }),
  }
}
