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
  /** Queues that should be empty, by what their messages stand for. */
  readonly deadLetters: Readonly<Record<string, Queue>>
  readonly topic: ITopic | undefined
}

interface AlarmOptions {
  readonly id: string
  readonly metric: IMetric
  readonly threshold: number
  readonly alarmDescription: string
  readonly evaluationPeriods?: number
}

const period = Duration.minutes(5)
/** The operations of the functions on the table, as DynamoDB names them in its metrics. */
const operations = [
  Operation.BATCH_GET_ITEM,
  Operation.DELETE_ITEM,
  Operation.GET_ITEM,
  Operation.PUT_ITEM,
  Operation.QUERY,
  Operation.TRANSACT_WRITE_ITEMS,
  Operation.UPDATE_ITEM,
]

/** Creates alarms for everything that needs attention. They notify the topic if there is one. */
export const createAlarms = (
  scope: Construct,
  { httpApi, functions, table, deadLetters, topic }: MonitoringProps,
): void => {
  const alarm = ({ id, evaluationPeriods = 1, ...options }: AlarmOptions) => {
    const created = new Alarm(scope, id, {
      ...options,
      evaluationPeriods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
    if (topic) created.addAlarmAction(new SnsAction(topic))
  }
  /** The sum of a metric that the functions' logs contain, per hour by default. */
  const sumOf = (metricName: MetricName, period = Duration.hours(1)): IMetric =>
    new Metric({
      namespace: metricNamespace,
      metricName,
      dimensionsMap: { [metricDimension]: table.tableName },
      statistic: 'Sum',
      period,
    })
  alarm({
    id: 'ServerErrors',
    metric: httpApi.metricServerError({ period, statistic: 'Sum' }),
    threshold: 5,
    alarmDescription:
      'Requests failed with a 5xx status. Search the function logs for the request IDs in the access log.',
  })
  for (const [name, target] of Object.entries(functions)) {
    alarm({
      id: `${name}Errors`,
      metric: target.metricErrors({ period }),
      threshold: 1,
      alarmDescription: `The function ${name} crashed, timed out or ran out of memory.`,
    })
    alarm({
      id: `${name}Throttles`,
      metric: target.metricThrottles({ period }),
      threshold: 1,
      alarmDescription: `The function ${name} was throttled because the account’s concurrency limit is reached.`,
    })
  }
  for (const [content, queue] of Object.entries(deadLetters))
    alarm({
      id: `${queue.node.id}Waiting`,
      metric: queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      threshold: 1,
      alarmDescription: `There are ${content}. See the messages of the queue ${queue.node.id}.`,
    })
  alarm({
    id: 'TableThrottles',
    metric: table.metricThrottledRequestsForOperations({ operations, period }),
    threshold: 1,
    alarmDescription: 'The table throttled calls because of too much load, in total or on one item.',
  })
  alarm({
    id: 'TableErrors',
    metric: table.metricSystemErrorsForOperations({ operations, period }),
    threshold: 5,
    alarmDescription: 'Calls on the table failed with a DynamoDB system error.',
  })
  alarm({
    id: 'MailBounces',
    metric: sumOf('MailBounced'),
    threshold: 10,
    alarmDescription:
      'Many emails bounced within an hour. SES reviews accounts with high bounce rates. Check who sends links to whom.',
  })
  alarm({
    id: 'MailComplaints',
    metric: sumOf('MailComplained'),
    threshold: 2,
    alarmDescription:
      'Recipients reported emails as spam. SES suspends accounts with many complaints. Check who sends links to whom.',
  })
  alarm({
    id: 'BreachLookUps',
    metric: sumOf('BreachLookUpUnanswered'),
    threshold: 20,
    alarmDescription:
      'Many new passwords were accepted within an hour without a breach check. Check that the breach service is available.',
  })
  alarm({
    id: 'SamlCertificates',
    metric: sumOf('SamlCertificateEnding'),
    threshold: 1,
    alarmDescription:
      'A certificate of a SAML provider or of this service expires soon. See the log of saml-refresh.',
  })
  alarm({
    id: 'SamlRefreshes',
    metric: sumOf('SamlRefreshFailed', Duration.days(1)),
    threshold: 1,
    alarmDescription:
      'The metadata of a SAML provider could not be read for three days. See the log of saml-refresh.',
    evaluationPeriods: 3,
  })
}

/** Creates an encrypted topic that sends alarms to an email address after its owner confirms the subscription. */
export const createAlarmTopic = (scope: Construct, key: Key, email: string): Topic => {
  const topic = new Topic(scope, 'Alarms', { masterKey: key, enforceSSL: true })
  topic.addSubscription(new EmailSubscription(email))
  const allowAlarms = (actions: string[], resource: string): PolicyStatement =>
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions,
      resources: [resource],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    })
  // A custom policy replaces the default one, which lets the account publish.
  topic.addToResourcePolicy(allowAlarms(['sns:Publish'], topic.topicArn))
  key.addToResourcePolicy(allowAlarms(['kms:Decrypt', 'kms:GenerateDataKey'], '*'))
  return topic
}
