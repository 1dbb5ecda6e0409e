import { Duration } from 'aws-cdk-lib'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import type { MetricName } from '../../lib/log/metrics.ts'
import { type AlarmOptions, createAlarm, createThrottleAlarm } from './create-alarm.ts'
import { shortPeriod as period, sumOfOwnMetric, sumOverOperations, type Watched } from './metrics.ts'

/** Creates alarms for everything that needs attention. They notify the topic if there is one. */
export const createAlarms = (
  scope: Construct,
  { httpApi, functions, streamReaders, table, deadLetters }: Watched,
  topic: ITopic | undefined,
): void => {
  const alarm = (options: AlarmOptions) => createAlarm(scope, topic, options)
  const sumOf = (name: MetricName, period?: Duration) => sumOfOwnMetric(table, name, period)
  alarm({
    id: 'ServerErrors',
    metric: httpApi.metricServerError({ period, statistic: 'Sum' }),
    threshold: 5,
    alarmDescription:
      'Requests failed with a 5xx status. Search the function logs for the request IDs in the access log.',
  })
  alarm({
    id: 'SlowRequests',
    metric: httpApi.metricLatency({ period, statistic: 'p99' }),
    threshold: 5000,
    alarmDescription:
      'One of 100 requests took longer than five seconds for 15 minutes. See the dashboard for the function.',
    evaluationPeriods: 3,
  })
  alarm({
    id: 'LoginFailures',
    metric: sumOf('LoginFailed', period),
    threshold: 500,
    alarmDescription:
      'Many sign-ins failed within five minutes. Someone may be guessing passwords. See the audit events login.failed.',
  })
  for (const [name, target] of Object.entries(functions)) {
    alarm({
      id: `${name}Errors`,
      metric: target.metricErrors({ period }),
      threshold: 1,
      alarmDescription: `The function ${name} crashed, timed out or ran out of memory.`,
    })
    createThrottleAlarm(scope, topic, name, target)
  }
  for (const [name, reader] of Object.entries(streamReaders))
    alarm({
      id: `${name}IteratorAge`,
      metric: reader.metric('IteratorAge', { period, statistic: 'Maximum' }),
      threshold: 15 * 60_000,
      alarmDescription: `The function ${name} is more than 15 minutes behind the stream of the table. See its log.`,
    })
  for (const [content, queue] of Object.entries(deadLetters))
    alarm({
      id: `${queue.node.id}Waiting`,
      metric: queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      threshold: 1,
      alarmDescription: `There are ${content}. See the messages of the queue ${queue.node.id}.`,
    })
  alarm({
    id: 'TableThrottles',
    metric: sumOverOperations(table, 'ThrottledRequests', 'Throttled calls'),
    threshold: 1,
    alarmDescription: 'The table throttled calls because of too much load, in total or on one item.',
  })
  alarm({
    id: 'TableErrors',
    metric: sumOverOperations(table, 'SystemErrors', 'System errors'),
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
    id: 'MailGivenUp',
    metric: sumOf('MailGivenUp', period),
    threshold: 1,
    alarmDescription:
      'An email could not be made, or was rejected, in every attempt. See mail.not_prepared and mail.failed in the log of mailer.',
  })
  alarm({
    id: 'BreachLookUps',
    metric: sumOf('BreachLookUpUnanswered'),
    threshold: 20,
    alarmDescription:
      'Many new passwords were accepted within an hour without a breach check. Check that the breach service is available.',
  })
  alarm({
    id: 'MissingSigningKeys',
    metric: sumOf('SigningKeyMissing', period),
    threshold: 1,
    alarmDescription: 'JWTs cannot be signed. See the log of signing-keys, and run this function.',
  })
  alarm({
    id: 'AuthorizerFailures',
    metric: sumOf('AuthorizerFailed', period),
    threshold: 1,
    alarmDescription:
      'The authorizer could not find out who called an API of a product, so the API refused the request. See its log.',
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
