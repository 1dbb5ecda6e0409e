import { Duration } from 'aws-cdk-lib'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { NagSuppressions } from 'cdk-nag'
import type { Construct } from 'constructs'
import { useThroughDynamodb, useThroughSqs } from './keys.ts'

/** The ARN of the table's stream. */
export const streamArnOf = ({ tableStreamArn }: Table): string => {
  if (!tableStreamArn) throw new Error('The table has no stream.')
  return tableStreamArn
}

/** What following the stream takes, and putting away what could not be handled. */
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

/** Says why a role that follows the stream has a wildcard. */
export const excuseListStreams = (role: IRole): void =>
  NagSuppressions.addResourceSuppressions(
    role,
    [
      {
        id: 'AwsSolutions-IAM5',
        reason: 'dynamodb:ListStreams can’t be limited to a resource; whoever follows the stream needs it.',
        appliesTo: ['Resource::*'],
      },
    ],
    true,
  )

/** Where what came by the stream and couldn't be handled ends; a message names the place, and none of its content. */
export const createDeadLetters = (scope: Construct, id: string, key: Key): Queue => {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey: key,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  })
  NagSuppressions.addResourceSuppressions(queue, [
    {
      id: 'AwsSolutions-SQS3',
      reason: 'This is a dead-letter queue itself: what could not be handled ends here.',
    },
  ])
  return queue
}
