import type { JsonValue } from '../support/client.ts'
import { signerOf } from './dynamodb-proxy.ts'
import { type StubAnswer, type StubRequest, startStub } from './stub-server.ts'

/** A call that invokes a function, and waits for its result. */
export interface LambdaInvocation {
  readonly arn: string
  readonly payload: JsonValue
}

/** Starts a stub of Lambda, whose functions are those of others. `may` decides whether a function may invoke another. */
export const startLambda = async (may: (functionId: string, arn: string) => boolean) => {
  const invocations: LambdaInvocation[] = []
  let answer: (invocation: LambdaInvocation) => StubAnswer | Promise<StubAnswer> = () => ({ status: 404 })
  const stub = await startStub((request: StubRequest) => {
    const [, path = ''] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.path) ?? []
    const arn = decodeURIComponent(path)
    const [region = ''] = arn.split(':').slice(3)
    const scope = new RegExp(`Credential=[^/]+/\\d{8}/${region}/lambda/aws4_request`)
    const isSigned =
      scope.test(request.headers.authorization ?? '') && request.headers['x-amz-security-token']
    if (!isSigned || !may(signerOf(request), arn)) return { status: 403, body: '{"Message":"denied"}' }
    const invocation = { arn, payload: JSON.parse(request.body) }
    invocations.push(invocation)
    return answer(invocation)
  })
  return {
    ...stub,
    /** The calls that were allowed. */
    invocations,
    /** Sets what the functions do. */
    behave: (next: typeof answer) => {
      answer = next
    },
  }
}

export type StubLambda = Awaited<ReturnType<typeof startLambda>>
