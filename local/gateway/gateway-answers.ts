import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

/**
 * The answers that API Gateway gives itself, for requests that no function answers. They are not problems (RFC 9457):
 * clients of the deployed service get this form as well.
 *
 * Sources: API Gateway Developer Guide, "Throttle requests to your HTTP APIs" (429); `LargePayloadTests.cs` and
 * `InvokeResponseExtensions.cs` in the test tool of `aws/aws-lambda-dotnet` (413, 500); `denoland/deno_registry2` issue 87
 * (500); `anomalyco/sst` issue 2232 and `serverless/serverless` issue 11222 (503). The statuses 408 and 431 are assumed.
 */
export const gatewayAnswers = {
  malformed: {
    status: 400,
    message: 'Bad Request',
    when: 'The request is not well-formed HTTP, or the path has a malformed escape such as `%zz`.',
  },
  tooSlow: { status: 408, message: 'Request Timeout', when: 'The request took too long to arrive.' },
  bodyTooLarge: {
    status: 413,
    message: 'Request Entity Too Large',
    when: 'The body has more than about 6 MB. A binary body may have about 4.5 MB.',
  },
  throttled: {
    status: 429,
    message: 'Too Many Requests',
    when: 'The service gets more requests than its `throttle` allows. Retry with increasing delays.',
  },
  headTooLarge: {
    status: 431,
    message: 'Request Header Fields Too Large',
    when: 'The request line and the headers have more than 10,240 bytes together.',
  },
  failed: {
    status: 500,
    message: 'Internal Server Error',
    when: 'A function failed or took longer than its timeout.',
  },
  unavailable: {
    status: 503,
    message: 'Service Unavailable',
    when: 'No function was free, or it took 30 seconds. Retry with increasing delays.',
  },
} as const

export type GatewayAnswer = (typeof gatewayAnswers)[keyof typeof gatewayAnswers]

/** Creates the response for an answer, in the form that a function returns. */
export const createGatewayResult = ({
  status,
  message,
}: GatewayAnswer): APIGatewayProxyStructuredResultV2 => ({
  statusCode: status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
})
