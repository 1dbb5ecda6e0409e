import { Aws, Duration, Stack, Token } from 'aws-cdk-lib'
import { EventBus, Schedule } from 'aws-cdk-lib/aws-events'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import { EventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnConfigurationSet, CfnConfigurationSetEventDestination } from 'aws-cdk-lib/aws-ses'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct, IConstruct } from 'constructs'
import { jobEvent } from '../../lib/kernel/contract/job-event.ts'
import { readMailSender } from '../../lib/kernel/settings/mail-sender.ts'
import type { mailTlsPolicies } from '../../lib/kernel/settings/stack-schemas.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { createFunction, type FunctionProps } from './functions.ts'
import { useThroughSqs } from './keys.ts'
import { acknowledge } from './newer-cdk.ts'
import { runByRules } from './scheduled-run.ts'
import { createDeadLetters, deliverInserts, followStream } from './stream.ts'
import type { ServiceTable } from './table.ts'

interface MailerProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  readonly table: ServiceTable
  readonly key: Key
  readonly sending: MailSending
}

/** What a function needs to send email: settings, and permission to use the sender and the configuration set. */
interface MailSending {
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
  props: MailSendingProps,
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
  acknowledge(role, {
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

interface MailSendingProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  readonly key: Key
  /** Whether SES delivers only over TLS. */
  readonly tlsPolicy: (typeof mailTlsPolicies)[number]
}

interface MailEvents {
  /** The function that receives bounces and complaints. */
  readonly target: LambdaFunction
  /** Receives notifications that the function could not handle. */
  readonly deadLetters: Queue
  /** The configuration set to send with; only its emails report bounces and complaints. */
  readonly configurationSetName: string
}

/**
 * Delivers bounces and complaints from SES through a topic to a function. Opens and clicks are not tracked: SES would
 * route links through its own server, which must not see them.
 */
const createMailEvents = (scope: Construct, { key, tlsPolicy, ...props }: MailSendingProps): MailEvents => {
  const configurationSet = new CfnConfigurationSet(scope, 'MailConfiguration', {
    deliveryOptions: { tlsPolicy: tlsPolicy.toUpperCase() },
  })
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
  // SES checks the permission to publish when it creates the destination.
  if (published.policyDependable) destination.node.addDependency(published.policyDependable)
  const deadLetters = createDeadLetters(scope, 'UnhandledMailEvents', key)
  const target = createFunction(scope, 'mail-events', {
    ...props,
    statements: [
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }),
      useThroughSqs(key),
    ],
  })
  new EventInvokeConfig(scope, 'MailEventsInvocation', {
    function: target,
    retryAttempts: 2,
    onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
  })
  topic.addSubscription(new LambdaSubscription(target))
  return { target, deadLetters, configurationSetName: configurationSet.ref }
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

/** Limits the key to messages of topics, because SES does not pass the account it works for to KMS. */
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

const configurationSetArn = (scope: Construct, resourceName: string): string =>
  Stack.of(scope).formatArn({ service: 'ses', resource: 'configuration-set', resourceName })

/** Creates the bus on which functions start jobs of the service itself. */
export const createJobBus = (scope: Construct): EventBus =>
  new EventBus(scope, 'JobBus', {
    eventBusName: `${Aws.STACK_NAME}-jobs-${scope.node.addr.slice(-8)}`,
    description: 'Latchkey: jobs of the service itself',
  })

/**
 * Creates the function that informs OpenID Connect clients of ended sessions. The bus starts it for new jobs. It also runs
 * every minute: for jobs that failed, and for those that the bus lost.
 */
export const createBackchannelLogout = (
  scope: Construct,
  { jobBus, ...props }: Omit<FunctionProps, 'statements' | 'timeout'> & { readonly jobBus: EventBus },
): LambdaFunction => {
  const target = createFunction(scope, 'backchannel-logout', { ...props, timeout: Duration.minutes(1) })
  runByRules(scope, 'BackchannelLogout', {
    target,
    every: 'minute',
    rules: [
      {
        id: 'NewLogoutJobs',
        description: 'Latchkey: informs OpenID Connect clients of ended sessions at once',
        eventBus: jobBus,
        eventPattern: { source: [jobEvent.source], detailType: [jobEvent.logoutJobs] },
      },
      {
        id: 'BackchannelLogout',
        description: 'Latchkey: informs OpenID Connect clients of ended sessions',
        schedule: Schedule.rate(Duration.minutes(1)),
      },
    ],
  })
  return target
}
