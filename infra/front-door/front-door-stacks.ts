import { App, Duration, RemovalPolicy, Stack, Token } from 'aws-cdk-lib'
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
import { checkOptions, type OptionTypes } from '../../lib/kernel/options/check-options.ts'
import { type GivenBy, orDefault } from '../../lib/kernel/settings/setting.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
import { stackTag } from '../../lib/kernel/util/stack-tag.ts'
import { createCertificateAlarm } from '../monitoring/alarms.ts'
import { createAlarm, findAlarmTopic } from '../monitoring/create-alarm.ts'
import { createCertificate, importZone } from '../parts/domain.ts'
import { type DomainProps, domainTypes, hostedZoneTypes } from '../settings/auth-service-props.ts'
import {
  type FrontDoorProps,
  frontDoorLogSuffix,
  frontDoorRegion,
  frontDoorTypes,
} from './front-door-props.ts'
import { createWebAcl, logBlockedRequests, webAclMetricOf } from './web-acl.ts'

/**
 * The front door of a stage. What it does not name is created.
 *
 * @example
 * ```ts
 * import type { FrontDoorSettings } from '@latchkey/construct'
 *
 * export const settings: FrontDoorSettings = { requestsPerAddress: 2000 }
 * ```
 */
export interface FrontDoorSettings extends Omit<FrontDoorProps, 'certificateArn'> {
  readonly certificateArn?: string
  readonly requestsPerAddress?: number
}

const frontDoorSettingTypes: OptionTypes<FrontDoorSettings> = {
  ...frontDoorTypes,
  requestsPerAddress: 'number',
}

/**
 * Creates the certificate and the web ACL that the front door needs in us-east-1. They are in the stack of the service
 * if it is there, else in a stack of their own.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib'
 * import { AuthService, createFrontDoorParts } from '@latchkey/construct'
 *
 * const stack = new Stack(new App(), 'Product', { env: { account: '111122223333', region: 'us-east-1' } })
 * const domain = { name: 'auth.example.com', hostedZone: { id: 'Z0000000000000', name: 'example.com' } }
 * const frontDoor = createFrontDoorParts(stack, domain, {})
 * export const auth = new AuthService(stack, 'Auth', { domain, frontDoor })
 * ```
 */
export const createFrontDoorParts = (
  stack: Stack,
  domain: DomainProps,
  settings: FrontDoorSettings,
  logRetention?: number,
): FrontDoorProps => {
  checkOptions(domain, domainTypes, 'a field of the domain')
  checkOptions(settings, frontDoorSettingTypes, 'a setting of the front door')
  const { name, hostedZone } = domain
  if (hostedZone !== undefined) checkOptions(hostedZone, hostedZoneTypes, 'a field of the hosted zone')
  const { requestsPerAddress, ...given } = settings
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
          webAclArn: createLoggedWebAcl(scope, requestsPerAddress, logRetention),
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
  logRetention: number | undefined,
): string => {
  const acl = createWebAcl(scope, orDefault(stackSettings.requestsPerAddress, requestsPerAddress))
  logBlockedRequests(scope, acl, logRetention)
  return acl.attrArn
}

/**
 * Delivers the access log of the front door, which must be set up in us-east-1 after the distribution exists.
 *
 * @example
 * ```ts
 * import { Stack } from 'aws-cdk-lib'
 * import { type AuthService, createFrontDoorLog } from '@latchkey/construct'
 *
 * export const addLog = (auth: AuthService) => {
 *   if (auth.distribution) createFrontDoorLog(Stack.of(auth), auth.distribution)
 * }
 * ```
 */
export const createFrontDoorLog = (stack: Stack, distribution: Distribution, logRetention?: number): void => {
  addFrontDoorLog(
    stackInFrontDoorRegion(stack, frontDoorLogSuffix),
    distribution,
    orDefault(stackSettings.logRetention, logRetention),
  )
}

/**
 * Who receives the alarms of the front door.
 *
 * @example
 * ```ts
 * import type { FrontDoorAlarmOptions } from '@latchkey/construct'
 *
 * export const options: FrontDoorAlarmOptions = { alarmEmail: 'ops@example.com' }
 * ```
 */
export interface FrontDoorAlarmOptions extends Pick<GivenBy<typeof stackSettings, 'stack'>, 'alarmEmail'> {
  /** The ARN of a topic of yours in us-east-1, instead of `alarmEmail`. */
  readonly alarmTopicArn?: string
}

const alarmOptionTypes: OptionTypes<FrontDoorAlarmOptions> = { alarmEmail: 'string', alarmTopicArn: 'string' }

/**
 * Creates the alarms of the front door in us-east-1, where CloudFront, AWS WAF and its certificate have their metrics.
 *
 * @example
 * ```ts
 * import { Stack } from 'aws-cdk-lib'
 * import { type AuthService, createFrontDoorAlarms, type FrontDoorProps } from '@latchkey/construct'
 *
 * export const addAlarms = (auth: AuthService, frontDoor: FrontDoorProps) => {
 *   if (auth.distribution)
 *     createFrontDoorAlarms(Stack.of(auth), auth.distribution, frontDoor, { alarmEmail: 'ops@example.com' })
 * }
 * ```
 */
export const createFrontDoorAlarms = (
  stack: Stack,
  distribution: Distribution,
  frontDoor: FrontDoorProps,
  options: FrontDoorAlarmOptions,
): void => {
  checkOptions(frontDoor, frontDoorTypes, 'a setting of the front door')
  checkOptions(options, alarmOptionTypes, 'an option of createFrontDoorAlarms')
  const { certificateArn, webAclMetric } = frontDoor
  const scope = new Construct(stackInFrontDoorRegion(stack, frontDoorLogSuffix), 'FrontDoorAlarms')
  const topic = findAlarmTopic(scope, undefined, options)
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
  const existing = App.of(stack)?.node.tryFindChild(id)
  if (existing instanceof Stack) return existing
  return new Stack(App.of(stack), id, {
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
