import type { OptionTypes } from '../../lib/kernel/options/check-options.ts'
import type { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import type { GivenBy } from '../../lib/kernel/settings/setting.ts'
import type { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'

/** CloudFront requires certificates, web ACLs and log deliveries in this region. */
export const frontDoorRegion = 'us-east-1'

/** What the name of the stack with the log and the alarms of the front door adds to that of the service. */
export const frontDoorLogSuffix = 'FrontDoorLog'

/**
 * CloudFront before the service.
 *
 * @example
 * ```ts
 * import type { FrontDoorProps } from '@latchkey/construct'
 *
 * export const frontDoor: FrontDoorProps = {
 *   certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/example',
 * }
 * ```
 */
export interface FrontDoorProps
  extends Pick<GivenBy<typeof stackSettings, 'app'>, 'webAclArn' | 'priceClass' | 'originSecretVersion'>,
    Pick<GivenBy<typeof serviceSettings, 'app'>, 'allowDirectRequests'> {
  /** The ARN of an ACM certificate for the domain in us-east-1. */
  readonly certificateArn: string
  /** The name of the metrics of the web ACL, if `createFrontDoorParts` created it. */
  readonly webAclMetric?: string
}

export const frontDoorTypes: OptionTypes<FrontDoorProps> = {
  certificateArn: 'string',
  webAclArn: 'string',
  webAclMetric: 'string',
  priceClass: 'string',
  originSecretVersion: 'number',
  allowDirectRequests: 'boolean',
}
