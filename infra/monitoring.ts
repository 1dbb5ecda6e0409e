import { Duration, Stack } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Alarm, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { Operation, type Table } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { type MetricName, metricDimension, metricNamespace } from '../lib/core/metrics.ts'

export interface MonitoringProps {
  readonly httpApi: HttpApi
  readonly functions: Readonly<Record<string, IFunction>>
  readonly table: Table
  /** Queues that should be empty, by what lies in them. */
  readonly deadLetters: Readonly<Record<string, Queue>>
  readonly topic: ITopic | undefined
}

const period = Duration.minutes(5)
/** What the functions do with items, as DynamoDB names it in its metrics. */
const operations = [
  Operation.BATCH_GET_ITEM,
  Operation.DELETE_ITEM,
  Operation.GET_ITEM,
  Operation.PUT_ITEM,
  Operation.QUERY,
  Operation.TRANSACT_WRITE_ITEMS,
  Operation.UPDATE_ITEM,
]

/** Alarms for what somebody has to look at; they can be seen without a topic, and are sent to it when there is one. */
export const createAlarms = (
  scope: Construct,
  { httpApi, functions, table, deadLetters, topic }: MonitoringProps,
): void => {
  const alarm = (
    id: string,
    metric: IMetric,
    threshold: number,
    alarmDescription: string,
    evaluationPeriods = 1,
  ) => {
    const made = new Alarm(scope, id, {
      metric,
      threshold,
      alarmDescription,
      evaluationPeriods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
    if (topic) made.addAlarmAction(new SnsAction(topic))
  }
  /** What the functions' logs count of something, in an hour when nothing else is said. */
  const counted = (metricName: MetricName, period = Duration.hours(1)): IMetric =>
    new Metric({
      namespace: metricNamespace,
      metricName,
      dimensionsMap: { [metricDimension]: table.tableName },
      statistic: 'Sum',
      period,
    })
  alarm(
    'ServerErrors',
    httpApi.metricServerError({ period, statistic: 'Sum' }),
    5,
    'Requests were answered with a 5xx: the functions’ logs say why, under the request id of the access log.',
  )
  for (const [name, target] of Object.entries(functions)) {
    alarm(
      `${name}Errors`,
      target.metricErrors({ period }),
      1,
      `The function ${name} ended without an answer: it crashed or ran out of time or memory.`,
    )
    alarm(
      `${name}Throttles`,
      target.metricThrottles({ period }),
      1,
      `The function ${name} was refused to run: the account’s concurrency is used up.`,
    )
  }
  for (const [what, queue] of Object.entries(deadLetters))
    alarm(
      `${queue.node.id}Waiting`,
      queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      1,
      `There are ${what}; the queue ${queue.node.id} says which.`,
    )
  alarm(
    'TableThrottles',
    table.metricThrottledRequestsForOperations({ operations, period }),
    1,
    'The table refused calls for too much load, on the whole or on one item.',
  )
  alarm(
    'TableErrors',
    table.metricSystemErrorsForOperations({ operations, period }),
    5,
    'DynamoDB failed to answer calls on the table.',
  )
  alarm(
    'MailBounces',
    counted('MailBounced'),
    10,
    'Many mails came back in an hour. SES reviews accounts that this happens to: look at who sends links to whom.',
  )
  alarm(
    'MailComplaints',
    counted('MailComplained'),
    2,
    'Recipients called mails spam. SES stops accounts that this happens to: look at who sends links to whom.',
  )
  alarm(
    'BreachLookUps',
    counted('BreachLookUpUnanswered'),
    20,
    'Many new passwords passed in an hour without a look-up among breached ones: is the service that knows them up?',
  )
  alarm(
    'SamlCertificates',
    counted('SamlCertificateEnding'),
    1,
    'A certificate of a SAML provider, theirs or ours, ends in some days: the log of saml-refresh says which.',
  )
  alarm(
    'SamlRefreshes',
    counted('SamlRefreshFailed', Duration.days(1)),
    1,
    'Metadata of a SAML provider could not be read three days in a row: the log of saml-refresh says which, and why.',
    3,
  )
}

/** An encrypted topic that sends alarms to an e-mail address, once its owner has confirmed that. */
export const createAlarmTopic = (scope: Construct, key: Key, email: string): Topic => {
  const topic = new Topic(scope, 'Alarms', { masterKey: key, enforceSSL: true })
  topic.addSubscription(new EmailSubscription(email))
  const byAlarms = (actions: string[], resource: string): PolicyStatement =>
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions,
      resources: [resource],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    })
  // A topic with a policy of its own has no longer the one that lets its account publish.
  topic.addToResourcePolicy(byAlarms(['sns:Publish'], topic.topicArn))
  key.addToResourcePolicy(byAlarms(['kms:Decrypt', 'kms:GenerateDataKey'], '*'))
  return topic
}
