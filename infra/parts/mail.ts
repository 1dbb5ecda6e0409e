import { Duration, Stack, Token, Validations } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct, IConstruct } from 'constructs'
import { readMailSender } from '../../lib/settings/mail-sender.ts'
import { partitions } from '../../lib/store/engine/partitions.ts'
import { createFunction, type FunctionProps } from './functions.ts'
import {
  configurationSetArn,
  createMailEvents,
  type MailEvents,
  type MailEventsProps,
} from './mail-events.ts'
import { createDeadLetters, deliverInserts, followStream } from './stream.ts'
import type { ServiceTable } from './table.ts'

export interface MailerProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  readonly table: ServiceTable
  readonly key: Key
  readonly sending: MailSending
}

/** What a function needs to send email: settings, and permission to use the sender and the configuration set. */
export interface MailSending {
  readonly environment: Readonly<Record<string, string>>
  readonly statements: readonly PolicyStatement[]
  /** Receives bounces and complaints. */
  readonly events: MailEvents | undefined
}

/**
 * Creates what sending requires. Without a sender the result is empty, nothing can be sent, and the stack has no
 * resource of SES, which some regions lack.
 */
export const createMailSending = (
  scope: Construct,
  /** `name@example.com` or `Name <name@example.com>`. SES must have verified the address or its domain. */
  mailFrom: string | undefined,
  props: MailEventsProps,
): MailSending => {
  if (!mailFrom) return { environment: {}, statements: [], events: undefined }
  const sender = readMailSender(mailFrom)
  const events = createMailEvents(scope, props)
  const { configurationSetName } = events
  return {
    environment: { MAIL_FROM: mailFrom, MAIL_CONFIGURATION_SET: configurationSetName },
    statements: [sendAs(scope, sender?.address ?? mailFrom), sendBy(scope, configurationSetName)],
    events,
  }
}

/** Creates the function that sends emails. The table's stream delivers the mail jobs of the outbox to it. */
export const createMailer = (
  scope: Construct,
  props: MailerProps,
): { readonly mailer: LambdaFunction; readonly failedJobs: Queue } => {
  const { table, key, sending } = props
  const failedJobs = createDeadLetters(scope, 'UndeliveredMail', key)
  const mailer = createFunction(scope, 'mailer', {
    ...props,
    environment: { ...props.environment, ...sending.environment },
    timeout: Duration.seconds(60),
    statements: [...followStream(table, failedJobs, key), ...sending.statements],
  })
  deliverInserts(scope, 'Outbox', {
    table,
    target: mailer,
    deadLetters: failedJobs,
    partitions: [{ prefix: partitions.outbox }],
    // The function has time for this many emails even if SES is slow.
    batchSize: 5,
    retryAttempts: 10,
  })
  acknowledgeIdentities(mailer)
  return { mailer, failedJobs }
}

/**
 * Limits sending by sender address instead of identity. SES checks the identity that it has verified for the sender,
 * which may be a parent domain. In the SES sandbox it checks the identity of the recipient as well.
 */
const sendAs = (scope: Construct, address: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
    conditions: { StringEquals: { 'ses:FromAddress': address } },
  })

/** States why the role of a function that sends email has a wildcard. */
export const acknowledgeIdentities = ({ role }: LambdaFunction): void => {
  if (!role) return
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::${printIdentitiesArn(role)}]`,
    reason:
      'SES decides which identity it checks. The condition limits the function to the configured sender.',
  })
}

/** The ARN of all identities as cdk-nag prints it, with the names of CloudFormation's pseudo parameters. */
const printIdentitiesArn = (scope: IConstruct): string => {
  const { partition, region, account } = Stack.of(scope)
  const print = (value: string, name: string) => (Token.isUnresolved(value) ? `<AWS::${name}>` : value)
  return `arn:${print(partition, 'Partition')}:ses:${print(region, 'Region')}:${print(account, 'AccountId')}:identity/*`
}

/** SES also requires permission to use the configuration set. */
const sendBy = (scope: Construct, configurationSetName: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [configurationSetArn(scope, configurationSetName)],
  })
