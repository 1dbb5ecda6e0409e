import { CfnElement, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { Schedule } from 'aws-cdk-lib/aws-events'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { logDays } from '../../lib/kernel/settings/stack-schemas.ts'
import { createFunction, type FunctionProps } from './functions.ts'
import { signWith } from './keys.ts'
import { acknowledge } from './newer-cdk.ts'
import { runByRules } from './scheduled-run.ts'

export interface AuditChainProps extends Omit<FunctionProps, 'statements' | 'timeout'> {
  /** Signs the checkpoints. No other function may use it. */
  readonly auditKey: IKey
  readonly removalPolicy: RemovalPolicy
  /** How long events are kept. */
  readonly retentionDays: number
  /** Whether the function copies what it signed to a bucket. */
  readonly hasArchive: boolean
}

export interface AuditChain {
  readonly target: LambdaFunction
  readonly archive: Bucket | undefined
}

/**
 * Creates the function that chains audit events by hash every minute, and signs a checkpoint every hour. The next run
 * continues a failed one. Its log has the only copy of the checkpoints outside of the table. So it remains when the stack is
 * deleted, and keeps them as long as the table keeps events.
 */
export const createAuditChain = (
  scope: Construct,
  { auditKey, removalPolicy, retentionDays, hasArchive, ...props }: AuditChainProps,
): AuditChain => {
  const archive = hasArchive ? createArchive(scope) : undefined
  const target = createFunction(scope, 'audit-chain', {
    ...props,
    keepsLog: removalPolicy,
    logRetention: logDays.find((days) => days >= Math.max(props.logRetention, retentionDays)) ?? 9999,
    environment: {
      ...props.environment,
      AUDIT_KEY_ID: auditKey.keyArn,
      ...(archive ? { AUDIT_ARCHIVE: archive.bucketName } : {}),
    },
    // Without interruptions, a run takes seconds. The first one of an older service reads all of its events.
    timeout: Duration.minutes(5),
    statements: [
      ...signWith(auditKey),
      ...(archive
        ? [new PolicyStatement({ actions: ['s3:PutObject'], resources: [archive.arnForObjects('*')] })]
        : []),
    ],
  })
  runByRules(scope, 'AuditChain', {
    target,
    every: 'minute',
    rules: [
      {
        id: 'AuditChain',
        description: 'Latchkey: chains and signs audit events',
        schedule: Schedule.rate(Duration.minutes(1)),
      },
    ],
  })
  if (archive && target.role) acknowledgeObjects(target.role, archive)
  return { target, archive }
}

/** States why the role has a wildcard. */
const acknowledgeObjects = (role: IRole, { node }: Bucket): void => {
  const { defaultChild } = node
  if (CfnElement.isCfnElement(defaultChild))
    acknowledge(role, {
      id: `AwsSolutions-IAM5[Resource::<${Stack.of(role).getLogicalId(defaultChild)}.Arn>/*]`,
      reason:
        'The function adds objects whose names follow from what was signed. It cannot read or replace any.',
    })
}

/**
 * Creates the bucket for what was signed. The function can only add objects. Its encryption does not depend on a key of the stack, so
 * that it can be read when the stack no longer exists. S3 Object Lock is possible, and locks nothing until you set a retention.
 */
const createArchive = (scope: Construct): Bucket => {
  const bucket = new Bucket(scope, 'AuditArchive', {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    versioned: true,
    objectLockEnabled: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  })
  acknowledge(bucket, {
    id: 'AwsSolutions-S1',
    reason:
      'Objects are signed and versioned, so that a log of accesses proves nothing more. CloudTrail can have one.',
  })
  return bucket
}
