import { describe, expect, it } from 'vitest'
import type { Resource, Template } from '../infra/synthesis.ts'
import { createAsyncCalls } from './async-calls.ts'
import { createAuthorizer } from './authorizer.ts'
import { createDeadLetters } from './dead-letters.ts'
import { createEventSources } from './event-sources.ts'
import { factsOf } from './template-facts.ts'

const schedule: Record<string, Resource> = {
  Refresh: {
    Type: 'AWS::Events::Rule',
    Properties: { ScheduleExpression: 'rate(1 day)', Targets: [{ Arn: { 'Fn::GetAtt': ['Job', 'Arn'] } }] },
  },
  RefreshPermission: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': ['Job', 'Arn'] },
      Principal: 'events.amazonaws.com',
      SourceArn: { 'Fn::GetAtt': ['Refresh', 'Arn'] },
    },
  },
}
const topic: Record<string, Resource> = {
  Bounces: { Type: 'AWS::SNS::Topic', Properties: {} },
  Destination: {
    Type: 'AWS::SES::ConfigurationSetEventDestination',
    Properties: {
      ConfigurationSetName: 'mail',
      EventDestination: { SnsDestination: { TopicARN: { Ref: 'Bounces' } } },
    },
  },
  Subscription: {
    Type: 'AWS::SNS::Subscription',
    Properties: {
      Protocol: 'lambda',
      TopicArn: { Ref: 'Bounces' },
      Endpoint: { 'Fn::GetAtt': ['Job', 'Arn'] },
    },
  },
  SubscriptionPermission: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': ['Job', 'Arn'] },
      Principal: 'sns.amazonaws.com',
      SourceArn: { Ref: 'Bounces' },
    },
  },
  TopicPolicy: {
    Type: 'AWS::SNS::TopicPolicy',
    Properties: {
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'ses.amazonaws.com' },
            Resource: { Ref: 'Bounces' },
            Condition: {
              StringEquals: {
                'aws:SourceAccount': { Ref: 'AWS::AccountId' },
                'aws:SourceArn': 'arn:aws:ses:local:000000000000:configuration-set/mail',
              },
            },
          },
        ],
      },
    },
  },
}
const job: Record<string, Resource> = {
  Job: { Type: 'AWS::Lambda::Function', Properties: {} },
  Key: { Type: 'AWS::KMS::Key', Properties: {} },
  Failures: { Type: 'AWS::SQS::Queue', Properties: {} },
}
const retries = (count: number): Record<string, Resource> => ({
  Invocation: {
    Type: 'AWS::Lambda::EventInvokeConfig',
    Properties: {
      FunctionName: { Ref: 'Job' },
      MaximumRetryAttempts: count,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Failures', 'Arn'] } } },
    },
  },
})

const without = (resources: Record<string, Resource>, ...names: string[]) =>
  Object.fromEntries(Object.entries(resources).filter(([name]) => !names.includes(name)))

/** Starts the sources of a template, with a function that fails as often as `failures` says. */
const start = (resources: Record<string, Resource>, failures = 0, queueActions = ['sqs:SendMessage']) => {
  const template: Template = { Resources: { ...job, ...resources }, Outputs: {} }
  const facts = factsOf(template, 'the-table')
  const roles = new Map([
    ['Job', [{ actions: [...queueActions, 'kms:*'], resources: ['*'], conditions: {} }]],
  ])
  const authorizer = createAuthorizer(roles)
  const deadLetters = createDeadLetters(template, facts, authorizer)
  let calls = 0
  const invoke = async (): Promise<void> => {
    if (++calls <= failures) throw new Error('the function failed')
  }
  const sources = createEventSources(
    template,
    facts,
    createAsyncCalls({ template, facts, deadLetters, invoke }),
  )
  return { sources, deadLetters, authorizer, countCalls: () => calls }
}

describe('a schedule', () => {
  it('calls its function once if the function succeeds', async () => {
    const { sources, countCalls } = start(schedule)
    await sources.fireSchedule('Refresh')
    expect(countCalls()).toBe(1)
  })

  it('cannot call a function without its permission', async () => {
    const { sources } = start(without(schedule, 'RefreshPermission'))
    await expect(sources.fireSchedule('Refresh')).rejects.toThrow('may not call Job')
  })

  it('is repeated by Lambda twice after a failure, unless the template says otherwise', async () => {
    const standard = start(schedule, 9)
    await standard.sources.fireSchedule('Refresh')
    expect(standard.countCalls()).toBe(3)
    const single = start({ ...schedule, ...retries(0) }, 9)
    await single.sources.fireSchedule('Refresh')
    expect(single.countCalls()).toBe(1)
    expect(single.deadLetters.messages).toHaveLength(1)
  })

  it('leaves no dead letter if the role may not write to the queue', async () => {
    const { sources, deadLetters, authorizer } = start({ ...schedule, ...retries(1) }, 9, [])
    await sources.fireSchedule('Refresh')
    expect(deadLetters.messages).toEqual([])
    expect(authorizer.takeDenials()).toEqual([expect.stringContaining('sqs:SendMessage')])
  })
})

describe('a bounce', () => {
  it('reaches the function through the topic', async () => {
    const { sources, countCalls } = start(topic)
    await sources.publishMailEvent('{}')
    expect(countCalls()).toBe(1)
  })

  it.each(['SubscriptionPermission', 'TopicPolicy'])('does not reach it without %s', async (name) => {
    const { sources } = start(without(topic, name))
    await expect(sources.publishMailEvent('{}')).rejects.toThrow('may not')
  })
})
