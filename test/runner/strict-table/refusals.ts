import type { StubAnswer } from '../../infra/stub-server.ts'

/** The response of DynamoDB to an invalid call. */
export const validationError = (message: string): StubAnswer => ({
  status: 400,
  body: JSON.stringify({ __type: 'com.amazon.coral.validate#ValidationException', message }),
})

/** The response of DynamoDB to a call that it does not carry out now. */
export const serviceError = (name: string, message: string): StubAnswer => ({
  status: 400,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }),
})

/** The response of DynamoDB to a canceled transaction, with one code per item: `None` for those without a problem. */
export const cancellation = (
  codes: readonly string[],
  messages: Readonly<Record<string, string>>,
): StubAnswer => ({
  status: 400,
  body: JSON.stringify({
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
    CancellationReasons: codes.map((Code) => (messages[Code] ? { Code, Message: messages[Code] } : { Code })),
  }),
})
