import { Duration, type RemovalPolicy } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { createFunction, type FunctionProps } from './functions.ts'
import { signWith } from './keys.ts'

export interface AuditChainProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  /** Signs the checkpoints. No other function may use it. */
  readonly auditKey: IKey
  readonly removalPolicy: RemovalPolicy
}

/**
 * Creates the function that chains audit events by hash every minute, and signs a checkpoint every hour. There are no
 * retries: the next run continues. Its log has the only copy of the checkpoints outside of the table. So it remains when the stack is
 * deleted, and keeps them as long as the table keeps events.
 */
export const createAuditChain = (
  scope: Construct,
  { auditKey, removalPolicy, ...props }: AuditChainProps,
): LambdaFunction => {
  const target = createFunction(scope, 'audit-chain', {
    ...props,
    keepsLog: removalPolicy,
    logRetention: Math.max(props.logRetention, RetentionDays.THIRTEEN_MONTHS),
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
