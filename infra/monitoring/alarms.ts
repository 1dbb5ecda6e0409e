import { Duration } from 'aws-cdk-lib'
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager'
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import type { MetricName } from '../../lib/kernel/log/metrics.ts'
import { type AlarmOptions, createAlarm } from './create-alarm.ts'
import {
  shortPeriod as period,
  sumOfOwnMetric,
  sumOverFunctions,
  sumOverOperations,
  type Watched,
} from './metrics.ts'

/** Creates alarms for everything that needs attention. They notify the topic if there is one. */
export const createAlarms = (
  scope: Construct,
  { httpApi, backgroundFunctions, streamReaders, table, deadLetters, auditChain, ...watched }: Watched,
  topic: ITopic | undefined,
): void => {
  const alarm = (options: AlarmOptions) => createAlarm(scope, topic, options)
  const sumOf = (name: MetricName, period?: Duration) => sumOfOwnMetric(table, name, period)
  // A function behind the API that crashes, times out or is throttled becomes a 5xx status, so it needs no alarm of its own.
  alarm({
    id: 'ServerErrors',
    metric: httpApi.metricServerError({ period, statistic: 'Sum' }),
    threshold: 1,
    what: 'A request failed with a 5xx status. The access log names its route.',
    runbook: 'requests-that-fail',
  })
  alarm({
    id: 'SlowRequests',
    metric: httpApi.metricLatency({ period, statistic: 'p99' }),
    threshold: 5000,
    what: 'One of 100 requests took longer than five seconds for 15 minutes.',
    runbook: 'slow-requests',
    evaluationPeriods: 3,
  })
  alarm({
    id: 'LoginFailures',
    metric: sumOf('LoginFailed', period),
    threshold: 500,
    what: 'Many sign-ins failed within five minutes. Someone may be guessing passwords.',
    runbook: 'many-failed-sign-ins',
  })
  // A query of Metrics Insights would need all names of functions in its 1,024 characters, and costs as much for each metric.
  for (const [at, targets] of inGroups(Object.values(backgroundFunctions)).entries()) {
    alarm({
      id: `FunctionErrors${at + 1}`,
      metric: sumOverFunctions(targets, 'Errors'),
      threshold: 1,
      what: 'A background function crashed, timed out or ran out of memory. The graph of the alarm shows which one.',
      runbook: 'functions-that-crash',
    })
    alarm({
      id: `FunctionThrottles${at + 1}`,
      metric: sumOverFunctions(targets, 'Throttles'),
      threshold: 1,
      what: 'A background function was throttled because a concurrency limit is reached. The graph of the alarm shows which one.',
      runbook: 'throttled-functions',
    })
  }
  alarm({
    id: 'AuditChainStopped',
    metric: auditChain.metricInvocations({ period }),
    threshold: 1,
    fires: 'below',
    evaluationPeriods: 3,
    missing: TreatMissingData.BREACHING,
    what: 'The function audit-chain did not run for 15 minutes, so new audit events are not signed.',
    runbook: 'an-audit-chain-that-stopped',
  })
  if (watched.certificate) createCertificateAlarm(scope, topic, watched.certificate)
  for (const [name, reader] of Object.entries(streamReaders))
    alarm({
      id: `${name}IteratorAge`,
      metric: reader.metric('IteratorAge', { period, statistic: 'Maximum' }),
      threshold: 15 * 60_000,
      what: `The function ${name} is more than 15 minutes behind the stream of the table.`,
      runbook: 'a-delayed-stream',
    })
  for (const { queue, content, runbook } of deadLetters)
    alarm({
      id: `${queue.node.id}Waiting`,
      metric: queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      threshold: 1,
      what: `There are ${content}, in the queue ${queue.node.id}.`,
      runbook,
    })
  alarm({
    id: 'TableThrottles',
    metric: sumOverOperations(table, 'ThrottledRequests', 'Throttled calls'),
    threshold: 1,
    what: 'The table throttled calls because of too much load, in total or on one item.',
    runbook: 'a-throttled-table',
  })
  alarm({
    id: 'TableErrors',
    metric: sumOverOperations(table, 'SystemErrors', 'System errors'),
    threshold: 5,
    what: 'Calls on the table failed with a DynamoDB system error.',
    runbook: 'a-throttled-table',
  })
  alarm({
    id: 'ItemsUnreadable',
    metric: sumOf('ItemUnreadable', period),
    threshold: 1,
    what: 'A list left out an item that this version cannot read, as after a rollback.',
    runbook: 'items-that-cannot-be-read',
  })
  alarm({
    id: 'MailBounces',
    metric: sumOf('MailBounced'),
    threshold: 10,
    what: 'Many emails bounced within an hour. SES reviews accounts with high bounce rates.',
    runbook: 'ses-is-paused-or-in-its-sandbox',
  })
  alarm({
    id: 'MailComplaints',
    metric: sumOf('MailComplained'),
    threshold: 2,
    what: 'Recipients reported emails as spam. SES suspends accounts with many complaints.',
    runbook: 'ses-is-paused-or-in-its-sandbox',
  })
  alarm({
    id: 'MailGivenUp',
    metric: sumOf('MailGivenUp', period),
    threshold: 1,
    what: 'An email could not be made, or was rejected, in every attempt.',
    runbook: 'emails-that-could-not-be-sent',
  })
  alarm({
    id: 'MailUnknown',
    metric: sumOf('MailUnknown', period),
    threshold: 1,
    what: 'No one knows whether an email was sent.',
    runbook: 'emails-that-could-not-be-sent',
  })
  alarm({
    id: 'BreachLookUps',
    metric: sumOf('BreachLookUpUnanswered'),
    threshold: 20,
    what: 'Many new passwords were accepted within an hour without a breach check.',
    runbook: 'breach-checks-without-an-answer',
  })
  if (watched.asksLegacySystem)
    alarm({
      id: 'LegacyPasswordChecks',
      metric: sumOf('OldSystemUnanswered'),
      threshold: 3,
      what: 'The old system did not answer within an hour whether passwords are right, so users could not sign in.',
      runbook: 'passwords-that-the-old-system-does-not-check',
    })
  if (watched.callsHooks)
    alarm({
      id: 'HookFailures',
      metric: sumOf('HookFailed', period),
      threshold: 5,
      what: 'A hook failed several times within five minutes, so people could not sign in, or tokens lacked its claims.',
      runbook: 'hooks-that-fail',
    })
  alarm({
    id: 'MissingSigningKeys',
    metric: sumOf('SigningKeyMissing', period),
    threshold: 1,
    what: 'JWTs cannot be signed.',
    runbook: 'jwts-that-cannot-be-signed',
  })
  alarm({
    id: 'AuthorizerFailures',
    metric: sumOf('AuthorizerFailed', period),
    threshold: 1,
    what: 'The authorizer could not find out who called an API of a product, so the API refused the request.',
    runbook: 'authorizers-that-fail',
  })
  alarm({
    id: 'SamlCertificates',
    metric: sumOf('SamlCertificateEnding'),
    threshold: 1,
    what: 'A certificate of a SAML provider or of this service expires soon.',
    runbook: 'a-saml-certificate-that-expires',
  })
  alarm({
    id: 'SamlRefreshes',
    metric: sumOf('SamlRefreshFailed', Duration.days(1)),
    threshold: 1,
    what: 'The metadata of a SAML provider could not be read for three days.',
    runbook: 'a-saml-certificate-that-expires',
    evaluationPeriods: 3,
  })
}

/** Creates the alarm of a certificate that ACM did not renew. ACM reports its days in the region of the certificate. */
export const createCertificateAlarm = (
  scope: Construct,
  topic: ITopic | undefined,
  certificate: ICertificate,
): void =>
  createAlarm(scope, topic, {
    id: 'CertificateExpiry',
    metric: certificate.metricDaysToExpiry({ period: Duration.days(1) }),
    threshold: 30,
    fires: 'at most',
    what: 'The certificate of the domain expires within 30 days.',
    runbook: 'a-certificate-that-expires',
  })

/** CloudWatch allows ten metrics in the expression of an alarm. */
const metricsPerAlarm = 10

const inGroups = (targets: readonly IFunction[]): readonly (readonly IFunction[])[] =>
  Array.from({ length: Math.ceil(targets.length / metricsPerAlarm) }, (_, at) =>
    targets.slice(at * metricsPerAlarm, (at + 1) * metricsPerAlarm),
  )
