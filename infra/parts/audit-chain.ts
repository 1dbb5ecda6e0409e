import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { createFunction, type FunctionProps } from './functions.ts'
import { signWith } from './keys.ts'

export interface AuditChainProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  /** Signs the checkpoints. No other function may use it. */
  readonly auditKey: IKey
}

/**
 * Creates the function that chains audit events by hash every minute, and signs a checkpoint every hour. There are no
 * retries: the next run continues.
 */
export const createAuditChain = (
  scope: Construct,
  { auditKey, ...props }: AuditChainProps,
): LambdaFunction => {
  const target = createFunction(scope, 'audit-chain', {
    ...props,
    environment: { ...props.environment, AUDIT_KEY_ID: auditKey.keyArn },
    // Without interruptions, a run takes seconds. The first one of an older service reads all of its events.
    timeout: Duration.minutes(5),
    statements: signWith(auditKey),
  })
  new Rule(scope, 'AuditChain', {
    description: 'Latchkey: chains and signs audit events',
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new FunctionTarget(target, { retryAttempts: 0 })],
  })
  return target
}
