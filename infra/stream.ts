import { Duration, Validations } from 'aws-cdk-lib'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { useThroughDynamodb, useThroughSqs } from './keys.ts'

/** Returns the ARN of the table's stream. Throws if the table has none. */
export const streamArnOf = ({ tableStreamArn }: Table): string => {
  if (!tableStreamArn) throw new Error('The table has no stream.')
  return tableStreamArn
}

/** The permissions to follow the stream and to send what could not be handled to a dead-letter queue. */
export const followStream = (table: Table, deadLetters: Queue, key: Key): PolicyStatement[] => [
  new PolicyStatement({
    actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    resources: [streamArnOf(table)],
  }),
  new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }),
  new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }),
  useThroughSqs(key),
  useThroughDynamodb(key),
]

/** States why a role that follows the stream has a wildcard. */
export const acknowledgeListStreams = (role: IRole): void =>
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'dynamodb:ListStreams cannot be limited to a resource, and following a stream requires it.',
  })

/** Creates the queue for stream records that could not be handled. Messages name the record but not its content. */
export const createDeadLetters = (scope: Construct, id: string, key: Key): Queue => {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey: key,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  })
  Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS3', reason: 'This queue is a dead-letter queue.' })
  return queue
}
