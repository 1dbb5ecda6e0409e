import { Stack } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnConfigurationSet, CfnConfigurationSetEventDestination } from 'aws-cdk-lib/aws-ses'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'
import { createFunction, type FunctionProps } from './functions.ts'

export interface MailEventsProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  readonly key: Key
}

export interface MailEvents {
  /** The function that is told of bounces and complaints. */
  readonly target: LambdaFunction
  /** The set that mails have to be sent by, so that they are told. */
  readonly configurationSetName: string
}

/**
 * Bounces and complaints on their way from SES over a topic to a function. Opens and clicks are no part of it: to
 * know of them, SES would send links by way of its own server, which must not see them.
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
  // SES tries whether it may publish, when the destination is made.
  if (published.policyDependable) destination.node.addDependency(published.policyDependable)
  const target = createFunction(scope, 'mail-events', props)
  topic.addSubscription(new LambdaSubscription(target))
  return { target, configurationSetName: configurationSet.ref }
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

/** By what the messages are for, since SES doesn't tell the key for whom it works. */
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
