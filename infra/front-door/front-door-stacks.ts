import { Duration, RemovalPolicy, Stack, Stage, Token } from 'aws-cdk-lib'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import {
  CfnDelivery,
  CfnDeliveryDestination,
  CfnDeliverySource,
  LogGroup,
  type RetentionDays,
} from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import {
  type DomainProps,
  type FrontDoorProps,
  frontDoorSettings,
} from '../../lib/kernel/settings/object-settings.ts'
import { orDefault } from '../../lib/kernel/settings/setting.ts'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'
import { stackTag } from '../../lib/kernel/util/stack-tag.ts'
import { createCertificateAlarm } from '../monitoring/alarms.ts'
import { createAlarm, findAlarmTopic } from '../monitoring/create-alarm.ts'
import { createCertificate, importZone } from '../parts/domain.ts'
import type { AuthServiceProps } from '../settings/auth-service-props.ts'
import { isTopicOfFrontDoor } from './check-front-door.ts'
import { frontDoorLogSuffix, frontDoorRegion } from './front-door-names.ts'
import { createWebAcl, logBlockedRequests, webAclMetricOf } from './web-acl.ts'

/** The parts of the front door that are in its region. */
export interface FrontDoorParts extends FrontDoorProps {
  readonly certificateArn: string
  /** The name of the metrics of the web ACL, if it was created. */
  readonly webAclMetric?: string
}

/**
 * Creates the certificate and the web ACL that the front door needs in us-east-1. They are in the stack of the service
 * if it is there, else in a stack of their own.
 */
export const createFrontDoorParts = (
  stack: Stack,
  { name, hostedZone }: DomainProps,
  given: FrontDoorProps,
  logRetention: number,
): FrontDoorParts => {
  if (given.certificateArn !== undefined && given.webAclArn !== undefined)
    return { ...given, certificateArn: given.certificateArn }
  const scope = stackInFrontDoorRegion(stack, 'FrontDoor')
  return {
    ...given,
    certificateArn:
      given.certificateArn ??
      createCertificate(
        scope,
        certificateIdOf(name, hostedZone?.id),
        name,
        hostedZone && importZone(scope, hostedZone),
      ).certificateArn,
    ...(given.webAclArn === undefined
      ? {
          webAclArn: createLoggedWebAcl(scope, given.requestsPerAddress, logRetention),
          webAclMetric: webAclMetricOf(scope),
        }
      : {}),
  }
}

/**
 * CloudFormation replaces the certificate if one of these changes. The stack of the service knows it by an output whose name has this
 * ID, and only another name leads to an update of the distribution.
 */
const certificateIdOf = (name: string, zoneId: string | undefined): string => {
  const known = [name, zoneId ?? ''].filter((part) => !Token.isUnresolved(part))
  return ['FrontDoorCertificate', ...known].join('-')
}

/** No setting changes the name or the scope of the web ACL, for which CloudFormation would replace it. */
const createLoggedWebAcl = (
  scope: Construct,
  requestsPerAddress: number | undefined,
  logRetention: number,
): string => {
  const acl = createWebAcl(scope, orDefault(frontDoorSettings.requestsPerAddress, requestsPerAddress))
  logBlockedRequests(scope, acl, logRetention)
  return acl.attrArn
}

/** Delivers the access log of the front door, which must be set up in us-east-1 after the distribution exists. */
export const createFrontDoorLog = (
  stack: Stack,
  distribution: Distribution,
  logRetention: RetentionDays,
): void => {
  addFrontDoorLog(stackInFrontDoorRegion(stack, frontDoorLogSuffix), distribution, logRetention)
}

/** Creates the alarms of the front door in us-east-1, where CloudFront, AWS WAF and its certificate have their metrics. */
export const createFrontDoorAlarms = (
  stack: Stack,
  distribution: Distribution,
  parts: FrontDoorParts,
  {
    alarmEmail,
    alarmTopic,
    alarmTopicArn,
  }: Pick<AuthServiceProps, 'alarmEmail' | 'alarmTopic' | 'alarmTopicArn'>,
): void => {
  // Alarms notify topics of their region alone.
  const topicArn =
    parts.alarmTopicArn ?? (alarmTopicArn && isTopicOfFrontDoor(alarmTopicArn) ? alarmTopicArn : undefined)
  const given = omitUndefined({
    alarmEmail,
    alarmTopic: stack.region === frontDoorRegion && topicArn === undefined ? alarmTopic : undefined,
    alarmTopicArn: topicArn,
  })
  const { certificateArn, webAclMetric } = parts
  const scope = new Construct(stackInFrontDoorRegion(stack, frontDoorLogSuffix), 'FrontDoorAlarms')
  const topic = findAlarmTopic(scope, undefined, given)
  const period = Duration.minutes(5)
  createAlarm(scope, topic, {
    id: 'FrontDoorErrors',
    metric: new Metric({
      namespace: 'AWS/CloudFront',
      metricName: '5xxErrorRate',
      dimensionsMap: { DistributionId: distribution.distributionId, Region: 'Global' },
      statistic: 'Average',
      period,
    }),
    threshold: 5,
    evaluationPeriods: 3,
    what: 'CloudFront answered 5 of 100 requests with a 5xx status for 15 minutes.',
    runbook: 'errors-of-the-front-door',
  })
  if (webAclMetric !== undefined)
    createAlarm(scope, topic, {
      id: 'BlockedRequests',
      metric: new Metric({
        namespace: 'AWS/WAFV2',
        metricName: 'BlockedRequests',
        dimensionsMap: { WebACL: webAclMetric, Rule: 'ALL' },
        statistic: 'Sum',
        period,
      }),
      threshold: 1000,
      what: 'WAF blocked 1,000 requests within five minutes: an attack, or requests of a product.',
      runbook: 'many-blocked-requests',
    })
  createCertificateAlarm(scope, topic, Certificate.fromCertificateArn(scope, 'Certificate', certificateArn))
}

const stackInFrontDoorRegion = (stack: Stack, suffix: string): Stack => {
  if (stack.region === frontDoorRegion) return stack
  const id = `${stack.stackName}${suffix}`
  // The stage of a pipeline, or the app.
  const parent = Stage.of(stack)
  const existing = parent?.node.tryFindChild(id)
  if (existing instanceof Stack) return existing
  return new Stack(parent, id, {
    stackName: id,
    description: `Latchkey: parts of the front door in ${frontDoorRegion}`,
    env: { region: frontDoorRegion },
    tags: { [stackTag]: stack.stackName },
    crossRegionReferences: true,
  })
}

/** The fields of a line. Path, query, cookies and other headers are left out because they can contain secrets. */
const frontDoorLogFields = [
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
const addFrontDoorLog = (
  parent: Construct,
  distribution: Distribution,
  retention: RetentionDays,
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
