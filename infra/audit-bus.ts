import { Aws } from 'aws-cdk-lib'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import { CfnPipe } from 'aws-cdk-lib/aws-pipes'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { auditPrefix } from '../lib/store/engine/keys.ts'
import { acknowledgeListStreams, createDeadLetters, followStream, streamArnOf } from './stream.ts'

export interface AuditBus {
  readonly bus: EventBus
  readonly deadLetters: Queue
}

/** The source and detail type of events on the bus, for the patterns of rules. */
export const auditSource = 'latchkey'
export const auditDetailType = 'Audit record'

/**
 * Forwards each audit event from the table's stream to an EventBridge bus, where your rules can match it.
 * `detail.record` is the item as the table stores it: `{"event": {"S": "login.failed"}, …}`.
 */
export const createAuditBus = (scope: Construct, table: Table, key: Key): AuditBus => {
  const bus = new EventBus(scope, 'AuditBus', {
    // The name that the CDK would generate is the same for two stacks with the same construct path.
    eventBusName: `${Aws.STACK_NAME}-audit-${scope.node.addr.slice(-8)}`,
    description: 'Latchkey: audit events',
  })
  const deadLetters = createDeadLetters(scope, 'UncarriedAuditRecords', key)
  const role = new Role(scope, 'AuditPipeRole', {
    description: 'Latchkey: forwards audit events to the bus',
    assumedBy: new ServicePrincipal('pipes.amazonaws.com'),
    inlinePolicies: {
      Pipe: new PolicyDocument({
        statements: [
          ...followStream(table, deadLetters, key),
          new PolicyStatement({ actions: ['events:PutEvents'], resources: [bus.eventBusArn] }),
        ],
      }),
    },
  })
  acknowledgeListStreams(role)
  const pattern = { eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: auditPrefix }] } } } }
  new CfnPipe(scope, 'AuditPipe', {
    description: 'Latchkey: audit events to the bus',
    roleArn: role.roleArn,
    source: streamArnOf(table),
    sourceParameters: {
      filterCriteria: { filters: [{ pattern: JSON.stringify(pattern) }] },
      dynamoDbStreamParameters: {
        startingPosition: 'TRIM_HORIZON',
        batchSize: 10,
        maximumRetryAttempts: 20,
        onPartialBatchItemFailure: 'AUTOMATIC_BISECT',
        deadLetterConfig: { arn: deadLetters.queueArn },
      },
    },
    target: bus.eventBusArn,
    targetParameters: {
      eventBridgeEventBusParameters: { source: auditSource, detailType: auditDetailType },
      inputTemplate: '{"record": <$.dynamodb.NewImage>}',
    },
  })
  return { bus, deadLetters }
}
