import type { ErrorCode } from '../kernel/errors/errors.ts'
import { acceptsHtml } from './accept.ts'
import type { HttpEvent, HttpResult, Middleware } from './http-types.ts'
import type { Page } from './page.ts'
import { buildProblemResponse, type Problem, toProblem } from './problem.ts'
import { toUnanswered } from './unanswered.ts'

/** Builds the page that shows a problem to a person in a browser, or nothing for a problem without a page. */
export type ErrorPage = (problem: Problem, event: HttpEvent) => Page | undefined | Promise<Page | undefined>

/** Responds to every error: with the error page if there is one and a browser asks for it, or with a problem body. */
export const handleErrors = (errorPage: ErrorPage): Middleware => ({
  onError: async (request) => {
    const { requestId, operation } = request.context.requestState
    const problem = toProblem(toUnanswered(request.error, operation), requestId)
    const isOAuth = operation?.errorFormat === 'oauth'
    if (isOAuth) {
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
