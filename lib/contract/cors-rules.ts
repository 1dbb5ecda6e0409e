/** What pages of the allowed origins may send and read, in the deployed API and in local mode. */
export const corsRules = {
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['authorization', 'content-type'],
  exposeHeaders: ['Link', 'Location', 'X-Request-Id', 'Retry-After'],
  maxAgeSeconds: 3600,
} as const
