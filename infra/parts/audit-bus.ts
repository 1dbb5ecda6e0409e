import { Aws, Duration } from 'aws-cdk-lib'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { variableOf } from '../../lib/kernel/settings/setting.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import type { AuthServiceProps } from '../settings/auth-service-props.ts'
import { createFunction, type FunctionProps } from './functions.ts'
import { createDeadLetters, deliverInserts, followStream } from './stream.ts'

interface AuditBusProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  readonly key: Key
  /** Takes the keys of new logout jobs. */
  readonly jobBus: EventBus
}

interface AuditBus {
  readonly bus: EventBus
  readonly forwarder: LambdaFunction
  readonly deadLetters: Queue
}

/**
 * Creates an EventBridge bus, where your rules can match audit events, and the function that forwards them. The table's
 * stream delivers the keys of new events to the function, and the keys of new logout jobs.
 */
export const createAuditBus = (scope: Construct, { key, jobBus, ...props }: AuditBusProps): AuditBus => {
  const { table } = props
  const bus = new EventBus(scope, 'AuditBus', {
    // The name that the CDK would generate is the same for two stacks with the same construct path.
    eventBusName: `${Aws.STACK_NAME}-audit-${scope.node.addr.slice(-8)}`,
    description: 'Latchkey: audit events',
  })
  const deadLetters = createDeadLetters(scope, 'UncarriedAuditRecords', key)
  const forwarder = createFunction(scope, 'audit-forward', {
    ...props,
    environment: {
      ...props.environment,
      AUDIT_BUS_NAME: bus.eventBusName,
      JOB_BUS_NAME: jobBus.eventBusName,
    },
    timeout: Duration.seconds(60),
    statements: [
      ...followStream(table, deadLetters, key),
      new PolicyStatement({
        actions: ['events:PutEvents'],
        resources: [bus.eventBusArn, jobBus.eventBusArn],
      }),
    ],
  })
  deliverInserts(scope, 'AuditEvents', {
    table,
    target: forwarder,
    deadLetters,
    // A stream has two readers at most, so this one also reads the logout jobs.
    partitions: [{ prefix: partitions.audit }, { prefix: partitions.logoutJobs }],
    // One call reads this many events.
    batchSize: 100,
    retryAttempts: 20,
  })
  return { bus, forwarder, deadLetters }
}

type Props = Pick<AuthServiceProps, 'legacyPasswordCheck' | 'legacyPasswordCheckUntil'>

/** What the function that checks passwords at sign-in needs to ask the old system. Nothing without the setting. */
export const askLegacySystem = <Given extends Pick<FunctionProps, 'environment'>>(
  props: Given,
  { legacyPasswordCheck, legacyPasswordCheckUntil }: Props,
): Given & Pick<FunctionProps, 'statements'> => {
  if (!legacyPasswordCheck || !legacyPasswordCheckUntil) return props
  const nameOf = (name: keyof Props) => variableOf(name, serviceSettings[name])
  return {
    ...props,
    environment: {
      ...props.environment,
      [nameOf('legacyPasswordCheck')]: legacyPasswordCheck,
      [nameOf('legacyPasswordCheckUntil')]: legacyPasswordCheckUntil,
    },
    statements: [
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [legacyPasswordCheck] }),
    ],
  }
}
