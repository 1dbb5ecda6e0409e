import type { Services } from '../services.ts'
import { getHeader, type HttpEvent, type Middleware } from './http-types.ts'

/** Whether a browser asks if a page of another origin may send a request (Fetch 4.8). */
const isPreflight = (event: HttpEvent): boolean =>
  event.requestContext.http.method === 'OPTIONS' &&
  getHeader(event, 'origin') !== undefined &&
  getHeader(event, 'access-control-request-method') !== undefined

/**
 * Answers preflight requests if pages of other origins may call the service. API Gateway passes them to routes that
 * take every method (reported in `aws/serverless-application-model` issue 1603 and `anomalyco/sst` issue 5493). It adds the
 * headers that allow the request, and a browser accepts them only with a success.
 */
export const answerPreflight = ({ config, log }: Pick<Services, 'config' | 'log'>): Middleware => ({
  before: ({ event, context: { requestState } }) => {
    if (config.allowedOrigins.length === 0 || !isPreflight(event)) return
    const statusCode = 204
    log.info('request.preflight', {
      request_id: requestState.requestId,
      status: statusCode,
      address: event.requestContext.http.sourceIp,
    })
    // Ends the request: no other step runs.
    return { statusCode }
  },
})
