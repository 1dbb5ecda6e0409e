import { Duration, Stack, Token } from 'aws-cdk-lib'
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
import { NagSuppressions } from 'cdk-nag'
import type { Construct } from 'constructs'
import { readMailSender } from '../lib/core/mail-sender.ts'
import { outboxPartition } from '../lib/store/engine/keys.ts'
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
): MailSending => {
  if (!mailFrom) return { environment: {}, statements: [] }
  const sender = readMailSender(mailFrom)
  if (!sender && !Token.isUnresolved(mailFrom))
    throw new Error(`"${mailFrom}" is not a sender such as name@example.com or Name <name@example.com>.`)
  return {
    environment: { MAIL_FROM: mailFrom, MAIL_CONFIGURATION_SET: configurationSetName },
    statements: [sendAs(scope, sender?.address ?? mailFrom), sendBy(scope, configurationSetName)],
  }
}

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
    // As many as the function has time for, when SES takes its time with each.
    batchSize: 5,
    retryAttempts: 10,
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
  excuseIdentities(mailer)
  return { mailer, undelivered }
}

/**
 * By the sender rather than by identity: SES looks at the identity that it knows the sender by, which may be its domain
 * or one above that, and while the account is in the sandbox at that of the recipient as well.
 */
const sendAs = (scope: Construct, address: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
    conditions: { StringEquals: { 'ses:FromAddress': address } },
  })

/** Says why the role of a function that sends mail has a wildcard. */
export const excuseIdentities = ({ role }: LambdaFunction): void => {
  if (!role) return
  NagSuppressions.addResourceSuppressions(role, [
    {
      id: 'AwsSolutions-IAM5',
      reason: 'SES decides which identity it looks at; the condition holds the function to the one sender.',
      appliesTo: [{ regex: '/^Resource::arn:.*:identity\\/\\*$/g' }],
    },
  ])
}

/** SES asks for both: who may send as somebody, and who may use a configuration set. */
const sendBy = (scope: Construct, configurationSetName: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [configurationSetArn(scope, configurationSetName)],
  })
