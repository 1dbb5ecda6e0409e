import type { Facts } from '../infra/intrinsics.ts'
import type { Template } from '../infra/synthesis.ts'
import type { Authorizer } from './authorizer.ts'
import { ownKeyArnOf, region } from './template-facts.ts'

export interface DeadLetter {
  readonly queueArn: string
  /** The function that failed. */
  readonly functionId: string
  /** What the function could not handle. */
  readonly content: unknown
}

export interface DeadLetters {
  readonly messages: readonly DeadLetter[]
  /** Adds a message if the role of the function allows it: Lambda writes to the queue with this role. */
  readonly send: (letter: DeadLetter) => void
}

/** The dead-letter queues of a deployment. Their messages are encrypted with the key of stored data. */
export const createDeadLetters = (template: Template, facts: Facts, authorizer: Authorizer): DeadLetters => {
  const conditions = { 'kms:ViaService': `sqs.${region}.amazonaws.com` }
  const messages: DeadLetter[] = []
  return {
    messages,
    send: (letter) => {
      const { functionId, queueArn } = letter
      const key = ownKeyArnOf(template, facts)
      const calls = [
        { functionId, action: 'sqs:SendMessage', resource: queueArn },
        { functionId, action: 'kms:GenerateDataKey', resource: key, conditions },
        { functionId, action: 'kms:Decrypt', resource: key, conditions },
      ]
      if (calls.every((call) => authorizer.may(call))) messages.push(letter)
    },
  }
}
