import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import {
  CfnDelivery,
  CfnDeliveryDestination,
  CfnDeliverySource,
  LogGroup,
  RetentionDays,
} from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'

/** The fields of a line. Path, query, cookies and other headers are left out because they can contain secrets. */
export const frontDoorLogFields = [
  'date',
  'time',
  'x-edge-location',
  'x-edge-request-id',
  'c-ip',
  'cs-method',
  'cs-protocol',
  'cs-protocol-version',
  'ssl-protocol',
  'sc-status',
  'sc-bytes',
  'cs-bytes',
  'time-taken',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
] as const

/** Delivers the access log of the front door to CloudWatch. The scope must be in us-east-1. */
export const addFrontDoorLog = (
  parent: Construct,
  distribution: Distribution,
  retention: RetentionDays = RetentionDays.THREE_MONTHS,
): LogGroup => {
  const scope = new Construct(parent, 'FrontDoorLog')
  const { stackName } = Stack.of(scope)
  // Names of deliveries have at most 60 characters.
  const name = `${stackName.slice(0, 40)}-${scope.node.addr.slice(-8)}`
  const logGroup = new LogGroup(scope, 'AccessLog', {
    logGroupName: `/aws/vendedlogs/${name}`,
    retention,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const source = new CfnDeliverySource(scope, 'Source', {
    name,
    logType: 'ACCESS_LOGS',
    resourceArn: distribution.distributionArn,
  })
  const destination = new CfnDeliveryDestination(scope, 'Destination', {
    name,
    destinationResourceArn: logGroup.logGroupArn,
    outputFormat: 'json',
  })
  new CfnDelivery(scope, 'Delivery', {
    deliverySourceName: source.ref,
    deliveryDestinationArn: destination.attrArn,
    recordFields: [...frontDoorLogFields],
  })
  return logGroup
}
