import { type Facts, resolve } from '../infra/intrinsics.ts'
import { fits } from '../infra/policies.ts'
import { resourcesOf, type Template } from '../infra/synthesis.ts'
import type { JsonValue } from '../support/client.ts'
import type { DeadLetters } from './dead-letters.ts'

/** A service that calls functions, with the resource that it calls them for. */
export interface Caller {
  readonly principal: string
  readonly sourceArn: string
}

export type AsyncCall = (functionId: string, event: unknown, caller: Caller) => Promise<void>

export interface AsyncCallOptions {
  readonly template: Template
  readonly facts: Facts
  readonly deadLetters: DeadLetters
  readonly invoke: (functionId: string, event: unknown) => Promise<JsonValue>
}

/** Lambda repeats a failed asynchronous call this often if the template does not say otherwise. */
const defaultRetries = 2

/**
 * Calls functions asynchronously: with the permission of the caller, again after a failure, and then with a message to
 * the failure destination. The returned function throws if the function does not allow the caller.
 */
export const createAsyncCalls =
  ({ template, facts, deadLetters, invoke }: AsyncCallOptions): AsyncCall =>
  async (functionId, event, { principal, sourceArn }) => {
    const arn = facts[`${functionId}.Arn`]
    const mayCall = resourcesOf(template, 'AWS::Lambda::Permission').some(
      ([, { Properties }]) =>
        resolve(Properties.FunctionName, facts) === arn &&
        Properties.Action === 'lambda:InvokeFunction' &&
        Properties.Principal === principal &&
        fits(resolve(Properties.SourceArn, facts), sourceArn),
    )
    if (!mayCall) throw new Error(`${principal} may not call ${functionId} for ${sourceArn}.`)
    const config = resourcesOf(template, 'AWS::Lambda::EventInvokeConfig')
      .map(([, { Properties }]) => Properties)
      .find(({ FunctionName }) => FunctionName.Ref === functionId)
    const retries = config?.MaximumRetryAttempts ?? defaultRetries
    for (let attempt = 0; attempt <= retries; attempt++) {
      const hasFailed = await invoke(functionId, event).then(
        () => false,
        () => true,
      )
      if (!hasFailed) return
    }
    const queue = config?.DestinationConfig?.OnFailure?.Destination
    if (queue) deadLetters.send({ queueArn: resolve(queue, facts), functionId, content: event })
  }
