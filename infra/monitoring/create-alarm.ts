import { Stack } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'
import type { AuthServiceProps } from '../settings/auth-service-props.ts'
import { shortPeriod as period } from './metrics.ts'

/** Returns the topic that receives alarms: a given one, or one that is created. Undefined if there is none. */
export const findAlarmTopic = (
  scope: Construct,
  key: Key | undefined,
  {
    alarmTopic,
    alarmTopicArn,
    alarmEmail,
  }: Pick<AuthServiceProps, 'alarmTopic' | 'alarmTopicArn' | 'alarmEmail'>,
): ITopic | undefined => {
  if (alarmTopic) return alarmTopic
  if (alarmTopicArn) return Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn)
  return alarmEmail ? createAlarmTopic(scope, key, alarmEmail) : undefined
}

/** Creates a topic that sends alarms to an email address after its owner confirms the subscription. With a key, it is encrypted. */
const createAlarmTopic = (scope: Construct, key: Key | undefined, email: string): Topic => {
  const topic = new Topic(scope, 'Alarms', { ...(key ? { masterKey: key } : {}), enforceSSL: true })
  topic.addSubscription(new EmailSubscription(email))
  // A custom policy replaces the default one, which lets the account publish.
  letServicePublish(topic, 'cloudwatch.amazonaws.com')
  return topic
}

/** Lets a service of AWS publish to a topic while it works for the account of the topic. It works for other accounts, too. */
export const letServicePublish = (topic: ITopic, service: string): void => {
  const allow = (actions: string[], resource: string): PolicyStatement =>
    new PolicyStatement({
      principals: [new ServicePrincipal(service)],
      actions,
      resources: [resource],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(topic).account } },
    })
  topic.addToResourcePolicy(allow(['sns:Publish'], topic.topicArn))
  topic.masterKey?.addToResourcePolicy(allow(['kms:Decrypt', 'kms:GenerateDataKey'], '*'))
}

export interface AlarmOptions {
  readonly id: string
  readonly metric: IMetric
  readonly threshold: number
  /** By default, the alarm fires at the threshold and above. */
  readonly fires?: 'below' | 'at most'
  /** What happened, as a sentence. */
  readonly what: string
  /** The section of docs/operate.md that says what to do. */
  readonly runbook: string
  readonly evaluationPeriods?: number
  readonly missing?: TreatMissingData
}

const operators = {
  below: ComparisonOperator.LESS_THAN_THRESHOLD,
  'at most': ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
} as const

/** Creates an alarm that rests without data, unless `missing` says otherwise. It notifies the topic if there is one. */
export const createAlarm = (
  scope: Construct,
  topic: ITopic | undefined,
  {
    id,
    what,
    runbook,
    evaluationPeriods = 1,
    fires,
    missing = TreatMissingData.NOT_BREACHING,
    ...options
  }: AlarmOptions,
): void => {
  const created = new Alarm(scope, id, {
    ...options,
    alarmDescription: `${what} Runbook: docs/operate.md#${runbook}`,
    evaluationPeriods,
    comparisonOperator: fires ? operators[fires] : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: missing,
  })
  if (topic) created.addAlarmAction(new SnsAction(topic))
}

/** Shortly before the function times out. */
const slowMs = 9_500

/**
 * Creates the alarms of an authorizer. Its errors do not count: REST APIs answer with 401 only if the function fails. What
 * really failed is the metric `AuthorizerFailed`.
 */
export const createAuthorizerAlarms = (
  scope: Construct,
  target: IFunction,
  topic: ITopic | undefined,
): void => {
  createAlarm(scope, topic, {
    id: 'authorizerThrottles',
    metric: target.metricThrottles({ period }),
    threshold: 1,
    what: 'The function authorizer was throttled because the concurrency limit is reached.',
    runbook: 'throttled-functions',
  })
  createAlarm(scope, topic, {
    id: 'authorizerTimeouts',
    metric: target.metricDuration({ period, statistic: 'Maximum' }),
    threshold: slowMs,
    what: 'The function authorizer timed out, so APIs of products refused requests.',
    runbook: 'authorizers-that-fail',
  })
}
