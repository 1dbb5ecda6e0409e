import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { OptionTypes } from '../../lib/kernel/options/check-options.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import {
  type GivenBy,
  orDefault,
  settingsOn,
  toVariable,
  variableOf,
} from '../../lib/kernel/settings/setting.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
import type { FrontDoorProps } from '../front-door/front-door-props.ts'
import type { AdoptedTable } from '../parts/adoption.ts'

/**
 * The domain of the service.
 *
 * @example
 * ```ts
 * import type { DomainProps } from '@latchkey/construct'
 *
 * export const domain: DomainProps = {
 *   name: 'auth.example.com',
 *   hostedZone: { id: 'Z0000000000000', name: 'example.com' },
 * }
 * ```
 */
export interface DomainProps {
  readonly name: string
  /** An ACM certificate in the region of the stack. Created and renewed if omitted, which requires `hostedZone`. */
  readonly certificateArn?: string
  /** The Route 53 zone of the name, for its records. Without it, point the name at the output `DomainTarget`. */
  readonly hostedZone?: { readonly id: string; readonly name: string }
}

export const domainTypes: OptionTypes<DomainProps> = {
  name: 'string',
  certificateArn: 'string',
  hostedZone: 'any',
}

export const hostedZoneTypes: OptionTypes<NonNullable<DomainProps['hostedZone']>> = {
  id: 'string',
  name: 'string',
}

/**
 * The options of the construct `AuthService`: all settings of the stack, and those
 * that only a construct can have. All are optional.
 *
 * @example
 * ```ts
 * import type { AuthServiceProps } from '@latchkey/construct'
 *
 * export const props: AuthServiceProps = { publicUrl: 'https://auth.example.com', backup: true }
 * ```
 */
export interface AuthServiceProps
  extends GivenBy<typeof serviceSettings, 'stack'>,
    GivenBy<typeof stackSettings, 'stack'> {
  /** The domain of the service: `name`, with `certificateArn`, or `hostedZone` (`id` and `name`), or both. */
  readonly domain?: DomainProps
  /** The domain that the service had before `domain`, whose name stays until you remove it. Not with `frontDoor`. */
  readonly formerDomain?: DomainProps
  /** CloudFront before the API, which then answers no other requests. Requires `domain`. */
  readonly frontDoor?: FrontDoorProps
  /** The topic that receives alarms, instead of `alarmEmail` or `alarmTopicArn`. */
  readonly alarmTopic?: ITopic
  /** A restored or retained table with a stream, instead of a new one: its name, stream ARN, and key ARN. */
  readonly table?: AdoptedTable
  /** A folder that `node build/bundle/bundle.ts` wrote; the functions are bundled during synthesis if omitted. */
  readonly bundleDir?: string
}

/** The props that are no settings. */
const ownPropTypes: OptionTypes<
  Omit<
    AuthServiceProps,
    keyof GivenBy<typeof serviceSettings, 'stack'> | keyof GivenBy<typeof stackSettings, 'stack'>
  >
> = {
  domain: 'any',
  formerDomain: 'any',
  frontDoor: 'any',
  alarmTopic: 'any',
  table: 'any',
  bundleDir: 'string',
}

const settingNames = Object.keys(settingsOn({ ...stackSettings, ...serviceSettings }, 'stack'))

/** All props. The schemas of settings check their values. */
export const propTypes = {
  ...Object.fromEntries(settingNames.map((name) => [name, 'any' as const])),
  ...ownPropTypes,
}

/** The settings that functions read and props give. Parts of the stack give some of them to few functions. */
const given = Object.entries(settingsOn(serviceSettings, 'stack')).filter(
  ([, { on }]) => !on.includes('parts'),
)

/**
 * Builds the variables that all functions have, from the props of the construct. A prop that is not given has its default
 * in the functions.
 *
 * @internal
 */
export const buildEnvironment = (
  props: AuthServiceProps,
  { tableName, publicUrl }: { readonly tableName: string; readonly publicUrl: string },
): Readonly<Record<string, string>> => {
  const values = new Map<string, unknown>(Object.entries({ ...props, publicUrl }))
  const variables = given
    .filter(([name]) => values.get(name) !== undefined)
    .map(([name, setting]) => [variableOf(name, setting), toVariable(values.get(name))])
  return { TABLE_NAME: tableName, ...Object.fromEntries(variables) }
}

/**
 * Builds the variables about the front door, which only functions behind the API have.
 *
 * @internal
 */
export const buildFrontDoorEnvironment = (
  frontDoor: FrontDoorProps | undefined,
  originSecrets: string | undefined,
): Readonly<Record<string, string>> =>
  frontDoor && originSecrets
    ? {
        ORIGIN_SECRETS: originSecrets,
        ALLOW_DIRECT_REQUESTS: String(
          orDefault(serviceSettings.allowDirectRequests, frontDoor.allowDirectRequests),
        ),
      }
    : {}
