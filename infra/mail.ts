import { Duration, Stack } from 'aws-cdk-lib'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { outboxPartition } from '../lib/store/keys.ts'
import { createFunction, type FunctionProps } from './functions.ts'
import { configurationSetArn } from './mail-events.ts'
import { createDeadLetters, excuseListStreams, followStream, streamArnOf } from './stream.ts'

export interface MailerProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  readonly table: Table
  readonly key: Key
  readonly sending: MailSending
}

/** What a function takes that sends mail: settings, and leave to use the sender's name and the configuration set. */
export interface MailSending {
  readonly environment: Readonly<Record<string, string>>
  readonly statements: readonly PolicyStatement[]
}

/** What sending takes; nothing, and nothing may be sent, where there is no sender. */
export const mailSending = (
  scope: Construct,
  /** `name@example.com` or `Name <name@example.com>`; SES must know the address or its domain. */
  mailFrom: string | undefined,
  configurationSetName: string,
): MailSending =>
  mailFrom
    ? {
        environment: { MAIL_FROM: mailFrom, MAIL_CONFIGURATION_SET: configurationSetName },
        statements: [sendAs(scope, mailFrom), sendBy(scope, configurationSetName)],
      }
    : { environment: {}, statements: [] }

/** The function that sends mails: the table's stream brings it what lies in the outbox. */
export const createMailer = (
  scope: Construct,
  props: MailerProps,
): { readonly mailer: LambdaFunction; readonly undelivered: Queue } => {
  const { table, key, sending } = props
  const undelivered = createDeadLetters(scope, 'UndeliveredMail', key)
  const mailer = createFunction(scope, 'mailer', {
    ...props,
    environment: { ...props.environment, ...sending.environment },
    timeout: Duration.seconds(60),
    statements: [...followStream(table, undelivered, key), ...sending.statements],
  })
  // Not the ready-made event source: that grants more than it takes.
  new EventSourceMapping(scope, 'Outbox', {
    target: mailer,
    eventSourceArn: streamArnOf(table),
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 10,
    retryAttempts: 5,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    onFailure: { bind: () => ({ destination: undelivered.queueArn }) },
    filters: [
      FilterCriteria.filter({
        eventName: FilterRule.isEqual('INSERT'),
        dynamodb: { Keys: { pk: { S: FilterRule.isEqual(outboxPartition) } } },
      }),
    ],
  })
  if (mailer.role) excuseListStreams(mailer.role)
  return { mailer, undelivered }
}

const sendAs = (scope: Construct, mailFrom: string): PolicyStatement => {
  const address = /<([^>]+)>$/.exec(mailFrom)?.[1] ?? mailFrom
  const domain = address.slice(address.indexOf('@') + 1)
  const identity = (resourceName: string) =>
    Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName })
  return new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [identity(address), identity(domain)],
    conditions: { StringEquals: { 'ses:FromAddress': address } },
  })
}

/** SES asks for both: who may send as somebody, and who may use a configuration set. */
const sendBy = (scope: Construct, configurationSetName: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [configurationSetArn(scope, configurationSetName)],
  })
