import { Stack } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import { EventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnConfigurationSet, CfnConfigurationSetEventDestination } from 'aws-cdk-lib/aws-ses'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { createFunction, type FunctionProps } from './functions.ts'
import { useThroughSqs } from './keys.ts'
import { createDeadLetters } from './stream.ts'

export interface MailEventsProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  readonly key: Key
}

export interface MailEvents {
  /** The function that receives bounces and complaints. */
  readonly target: LambdaFunction
  /** Receives notifications that the function could not handle. */
  readonly deadLetters: Queue
  /** The configuration set to send with; only its emails report bounces and complaints. */
  readonly configurationSetName: string
}

/**
 * Delivers bounces and complaints from SES through a topic to a function. Opens and clicks are not tracked: SES would
 * route links through its own server, which must not see them.
 */
export const createMailEvents = (scope: Construct, { key, ...props }: MailEventsProps): MailEvents => {
  const configurationSet = new CfnConfigurationSet(scope, 'MailConfiguration')
  const topic = new Topic(scope, 'MailEvents', { masterKey: key, enforceSSL: true })
  const published = topic.addToResourcePolicy(publishBy(scope, topic, configurationSet.ref))
  key.addToResourcePolicy(encryptForTopics(scope))
  const destination = new CfnConfigurationSetEventDestination(scope, 'MailEventsDestination', {
    configurationSetName: configurationSet.ref,
    eventDestination: {
      enabled: true,
      matchingEventTypes: ['bounce', 'complaint'],
      snsDestination: { topicArn: topic.topicArn },
    },
  })
  // SES checks the permission to publish when it creates the destination.
  if (published.policyDependable) destination.node.addDependency(published.policyDependable)
  const deadLetters = createDeadLetters(scope, 'UnhandledMailEvents', key)
  const target = createFunction(scope, 'mail-events', {
    ...props,
    statements: [
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }),
      useThroughSqs(key),
    ],
  })
  new EventInvokeConfig(scope, 'MailEventsInvocation', {
    function: target,
    retryAttempts: 2,
    onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
  })
  topic.addSubscription(new LambdaSubscription(target))
  return { target, deadLetters, configurationSetName: configurationSet.ref }
}

const publishBy = (scope: Construct, topic: Topic, configurationSetName: string): PolicyStatement =>
  new PolicyStatement({
    principals: [new ServicePrincipal('ses.amazonaws.com')],
    actions: ['sns:Publish'],
    resources: [topic.topicArn],
    conditions: {
      StringEquals: {
        'aws:SourceAccount': Stack.of(scope).account,
        'aws:SourceArn': configurationSetArn(scope, configurationSetName),
      },
    },
  })

/** Limits the key to messages of topics, because SES does not pass the account it works for to KMS. */
const encryptForTopics = (scope: Construct): PolicyStatement =>
  new PolicyStatement({
    principals: [new ServicePrincipal('ses.amazonaws.com')],
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: ['*'],
    conditions: {
      StringLike: {
        'kms:EncryptionContext:aws:sns:topicArn': Stack.of(scope).formatArn({
          service: 'sns',
          resource: '*',
        }),
      },
    },
  })

export const configurationSetArn = (scope: Construct, resourceName: string): string =>
  Stack.of(scope).formatArn({ service: 'ses', resource: 'configuration-set', resourceName })
