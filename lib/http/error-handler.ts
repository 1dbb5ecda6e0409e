import { namesHtml } from './accept.ts'
import type { HttpEvent, HttpResult, Middleware } from './http-types.ts'
import type { Page } from './page.ts'
import { type Problem, problemOf, problemResponse } from './problem.ts'

/** The page that tells a problem to somebody in front of a browser. */
export type ErrorPage = (problem: Problem, event: HttpEvent) => Page | Promise<Page>

/** Answers whatever was thrown: by a page, where there is one and a browser asks for it, else by a problem body. */
export const answerErrors = (page?: ErrorPage): Middleware => ({
  onError: async (request) => {
    const problem = problemOf(request.error, request.context.exchange.requestId)
    request.response =
      page && namesHtml(request.event)
        ? pageResponse(problem, await page(problem, request.event))
        : problemResponse(problem)
  },
})

const pageResponse = (problem: Problem, { html, headers }: Page): HttpResult => ({
  statusCode: problem.status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...problem.headers, ...headers },
  body: html,
})
