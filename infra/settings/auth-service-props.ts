import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { OptionTypes } from '../../lib/kernel/options/check-options.ts'
import { type FrontDoorProps, frontDoorSettings } from '../../lib/kernel/settings/object-settings.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import {
  type GivenBy,
  orDefault,
  settingsOn,
  toVariable,
  variableOf,
} from '../../lib/kernel/settings/setting.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'

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
  /** The topic that receives alarms, instead of `alarmEmail` or `alarmTopicArn`. */
  readonly alarmTopic?: ITopic
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
  alarmTopic: 'any',
  bundleDir: 'string',
}

export const propNames: readonly string[] = [
  ...Object.keys(settingsOn({ ...stackSettings, ...serviceSettings }, 'stack')),
  ...Object.keys(ownPropTypes),
]

/** The props, with all that follows from them. */
export interface CompleteProps extends Omit<AuthServiceProps, 'frontDoor'> {
  readonly frontDoor?: FrontDoorProps
}

/** A name in the zone of the domain has its records there, also if it is the former one. */
export const completeProps = ({ frontDoor, formerDomain, ...props }: AuthServiceProps): CompleteProps => {
  const zone = props.domain?.hostedZone
  const isInZone = zone !== undefined && `.${formerDomain?.name}`.endsWith(`.${zone.name}`)
  return {
    ...props,
    ...(frontDoor ? { frontDoor: frontDoor === true ? {} : frontDoor } : {}),
    ...(formerDomain ? { formerDomain: { ...(isInZone ? { hostedZone: zone } : {}), ...formerDomain } } : {}),
  }
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
          orDefault(frontDoorSettings.allowDirectRequests, frontDoor.allowDirectRequests),
        ),
      }
    : {}
