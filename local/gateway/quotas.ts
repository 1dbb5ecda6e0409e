/*
 * The quotas of API Gateway and Lambda that cannot be raised. Local mode has them too, so that a request that works
 * there also works on AWS. Head, body and timeout are those of the API Gateway Developer Guide, "Quotas for configuring and
 * running an HTTP API". Event and result are those of Zac Charles, "Deep Dive: Lambda's Request Payload Size Limit" and
 * "Deep Dive: Lambda's Response Payload Size Limit", and of the test tool of `aws/aws-lambda-dotnet`.
 */

/** The request line and the headers together. Everything counts that the client sends before the body. */
export const maxHeadBytes = 10_240

/** The body of a request at the gateway. */
export const maxBodyBytes = 10 * 1024 * 1024

/** The event of a function as JSON. A base64 body has a third more bytes than the client sent. */
export const maxEventBytes = 6 * 1024 * 1024

/** The result of a function as JSON. The limit of Lambda is 100 bytes above that of an event. */
export const maxResultBytes = maxEventBytes + 100

/** How long the gateway waits for a function. */
export const integrationTimeoutMs = 30_000
