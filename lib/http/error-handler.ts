import { acceptsHtml } from './accept.ts'
import type { HttpEvent, HttpResult, Middleware } from './http-types.ts'
import type { Page } from './page.ts'
import { buildProblemResponse, type Problem, toProblem } from './problem.ts'

/** The page that tells a problem to somebody in front of a browser. */
export type ErrorPage = (problem: Problem, event: HttpEvent) => Page | Promise<Page>

/** Answers whatever was thrown: by a page, where there is one and a browser asks for it, else by a problem body. */
export const handleErrors = (page?: ErrorPage): Middleware => ({
  onError: async (request) => {
    const problem = toProblem(request.error, request.context.requestState.requestId)
    request.response =
      page && acceptsHtml(request.event)
        ? pageResponse(problem, await page(problem, request.event))
        : buildProblemResponse(problem)
  },
})

const pageResponse = (problem: Problem, { html, headers }: Page): HttpResult => ({
  statusCode: problem.status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...problem.headers, ...headers },
  body: html,
})
