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
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { NagSuppressions } from 'cdk-nag'
import type { Construct } from 'constructs'
import { outboxPartition } from '../lib/store/keys.ts'
import { createFunction, type FunctionProps } from './functions.ts'
import { useThroughSqs } from './keys.ts'
import { configurationSetArn } from './mail-events.ts'

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
export const createMailer = (scope: Construct, props: MailerProps): LambdaFunction => {
  const { table, key, sending } = props
  const undelivered = createUndelivered(scope, key)
  const mailer = createFunction(scope, 'mailer', {
    ...props,
    environment: { ...props.environment, ...sending.environment },
    timeout: Duration.seconds(60),
    statements: [
      ...readStream(table),
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [undelivered.queueArn] }),
      useThroughSqs(key),
      ...sending.statements,
    ],
  })
  const streamArn = table.tableStreamArn
  if (!streamArn) throw new Error('The table has no stream.')
  // Not the ready-made event source: that grants more than it takes.
  new EventSourceMapping(scope, 'Outbox', {
    target: mailer,
    eventSourceArn: streamArn,
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
  NagSuppressions.addResourceSuppressions(
    mailer.role ?? mailer,
    [
      {
        id: 'AwsSolutions-IAM5',
        reason: 'dynamodb:ListStreams can’t be limited to a resource; Lambda needs it to follow the stream.',
        appliesTo: ['Resource::*'],
      },
    ],
    true,
  )
  return mailer
}

/** Where what couldn't be carried out ends; it names the entry of the outbox and none of its content. */
const createUndelivered = (scope: Construct, key: Key): Queue => {
  const queue = new Queue(scope, 'UndeliveredMail', {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey: key,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  })
  NagSuppressions.addResourceSuppressions(queue, [
    { id: 'AwsSolutions-SQS3', reason: 'This is the dead-letter queue: what could not be sent ends here.' },
  ])
  return queue
}

const readStream = ({ tableStreamArn = '' }: Table): PolicyStatement[] => [
  new PolicyStatement({
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    resources: [tableStreamArn],
  }),
  new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }),
]

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
