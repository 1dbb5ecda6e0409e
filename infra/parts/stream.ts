import { Duration } from 'aws-cdk-lib'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import {
  EventSourceMapping,
  FilterCriteria,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { useThroughDynamodb, useThroughSqs } from './keys.ts'
import { acknowledge } from './newer-cdk.ts'
import type { ServiceTable } from './table.ts'

/** Returns the ARN of the table's stream. Throws if the table has none. */
const streamArnOf = ({ tableStreamArn }: ServiceTable): string => {
  if (!tableStreamArn) throw new Error('The table has no stream.')
  return tableStreamArn
}

/** The permissions to follow the stream and to send what could not be handled to a dead-letter queue. */
export const followStream = (table: ServiceTable, deadLetters: Queue, key: Key): PolicyStatement[] => [
  new PolicyStatement({
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    resources: [streamArnOf(table)],
  }),
  new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }),
  new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }),
  useThroughSqs(key),
  useThroughDynamodb(table.encryptionKey ?? key),
]

/** States why a role that follows the stream has a wildcard. */
const acknowledgeListStreams = (role: IRole): void =>
  acknowledge(role, {
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'dynamodb:ListStreams cannot be limited to a resource, and following a stream requires it.',
  })

export interface DeliveryProps {
  readonly table: ServiceTable
  /** Has the permissions of `followStream`, and reports the first record that it could not handle. */
  readonly target: LambdaFunction
  readonly deadLetters: Queue
  /** The partition keys of the delivered items. */
  readonly partitions: readonly (string | { readonly prefix: string })[]
  /** The largest number of records in one call of the function. */
  readonly batchSize: number
  readonly retryAttempts: number
}

/** Delivers the keys of new items to a function, in order for each partition key, and again if it fails. */
export const deliverInserts = (
  scope: Construct,
  id: string,
  { table, target, deadLetters, partitions, batchSize, retryAttempts }: DeliveryProps,
): void => {
  // The ready-made event source grants more permissions than the function needs.
  new EventSourceMapping(scope, id, {
    target,
    eventSourceArn: streamArnOf(table),
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize,
    retryAttempts,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    onFailure: { bind: () => ({ destination: deadLetters.queueArn }) },
    filters: [
      FilterCriteria.filter({
        eventName: ['INSERT'],
        dynamodb: { Keys: { pk: { S: partitions } } },
      }),
    ],
  })
  if (target.role) acknowledgeListStreams(target.role)
}

/** Creates the queue for stream records that could not be handled. Messages name the record but not its content. */
export const createDeadLetters = (scope: Construct, id: string, key: Key): Queue => {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey: key,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  })
  acknowledge(queue, { id: 'AwsSolutions-SQS3', reason: 'This queue is a dead-letter queue.' })
  return queue
}
