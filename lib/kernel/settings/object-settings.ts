import { hookFailureRules, hookTimeoutDefaults, hookTimeoutMs } from './hooks.ts'
import { flag, list, oneOf, type Schema, text, whole } from './schemas.ts'
import { type AnySetting, type GivenBy, setting } from './setting.ts'
import { priceClasses, topicArn } from './stack-schemas.ts'

/* Settings that are objects. Their fields are settings, too. The construct and the files of stages have the same ones. */

/** @internal */
export type Fields = Readonly<Record<string, AnySetting>>

/** @internal */
export interface ObjectSchema<Given> extends Schema<Given> {
  readonly fields: Fields
  /** The fields without which the others mean nothing. */
  readonly required: readonly string[]
  /** Whether `true` stands for an object without fields, and `false` for none. */
  readonly canBeFlag: boolean
}

/** An object with these fields. `checkTable` checks them, so that each problem names the field. */
const objectOf = <Given>(
  fields: Fields,
  { required = [], canBeFlag = false }: Partial<Pick<ObjectSchema<Given>, 'required' | 'canBeFlag'>> = {},
): ObjectSchema<Given> => ({
  kind: 'object',
  rule: `must be ${canBeFlag ? 'true, false, or ' : ''}an object with fields such as ${Object.keys(fields)[0]}`,
  fields,
  required,
  canBeFlag,
  accepts: (given): given is Given => typeof given === 'object' && given !== null,
})

/** @internal */
export const isObjectSchema = (schema: Schema<unknown>): schema is ObjectSchema<unknown> =>
  schema.kind === 'object'

export const hostedZoneSettings = {
  /** The ID of the Route 53 hosted zone. */
  id: setting({ schema: text, on: ['stack'] }),

  /** The domain of the hosted zone, such as `example.com`. */
  name: setting({ schema: text, on: ['stack'] }),
}

/**
 * A hosted zone of Route 53.
 *
 * @example
 * ```ts
 * import type { HostedZoneProps } from '@latchkey/construct'
 *
 * export const hostedZone: HostedZoneProps = { id: 'Z0000000000000', name: 'example.com' }
 * ```
 */
export type HostedZoneProps = Required<GivenBy<typeof hostedZoneSettings, 'stack'>>

export const domainSettings = {
  /** The host name. */
  name: setting({ schema: text, on: ['stack'] }),

  /** The ARN of an ACM certificate in the region of the stack. Without it, one is created and renewed, which requires `hostedZone`. */
  certificateArn: setting({ schema: text, on: ['stack'] }),

  /** The Route 53 zone of the name, for its records. Without it, point the name at the output `DomainTarget`. */
  hostedZone: setting({
    schema: objectOf<HostedZoneProps>(hostedZoneSettings, { required: ['id', 'name'] }),
    on: ['stack'],
  }),
}

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
export interface DomainProps extends GivenBy<typeof domainSettings, 'stack'> {
  readonly name: string
}

export const frontDoorSettings = {
  /** The ARN of an ACM certificate for the domain in us-east-1. Without it, one is created in the hosted zone. */
  certificateArn: setting({ schema: text, on: ['stack'] }),

  /** The ARN of a web ACL of yours in us-east-1 with the scope `CLOUDFRONT`, instead of the created one. */
  webAclArn: setting({ schema: text, on: ['stack'] }),

  /** How many requests one address may send in five minutes. */
  requestsPerAddress: setting({ schema: whole(10, 2_000_000_000), default: 10_000, on: ['stack'] }),

  /** The edge locations: `100` is North America and Europe. */
  priceClass: setting({ schema: oneOf(priceClasses), default: '100', on: ['stack'] }),

  /** The number of the secret between CloudFront and the service. Raise it by 1 to rotate the secret. */
  originSecretVersion: setting({ schema: whole(1), default: 1, on: ['stack'] }),

  /** Whether requests past the front door are accepted, while DNS names move to it. */
  allowDirectRequests: setting({ schema: flag, default: false, on: ['stack'] }),

  /**
   * The ARN of a topic of yours in us-east-1 that receives the alarms of the front door, instead of `alarmEmail`. Without it,
   * `alarmTopicArn` receives them if it is in us-east-1.
   */
  alarmTopicArn: setting({ schema: topicArn, on: ['stack'] }),
}

/**
 * CloudFront and AWS WAF before the service. What it does not name is created.
 *
 * @example
 * ```ts
 * import type { FrontDoorProps } from '@latchkey/construct'
 *
 * export const frontDoor: FrontDoorProps = { requestsPerAddress: 2000 }
 * ```
 */
export interface FrontDoorProps extends GivenBy<typeof frontDoorSettings, 'stack'> {}

export const adoptedTableSettings = {
  /** The name of the table. */
  name: setting({ schema: text, on: ['stack'] }),

  /** The ARN of the stream of the table, with keys only. A restored table has none until it is turned on. */
  streamArn: setting({ schema: text, on: ['stack'] }),

  /** The ARN of the KMS key that encrypts the table. The default is the key of the stack. */
  keyArn: setting({ schema: text, on: ['stack'] }),
}

/**
 * A table that exists already, because it was restored from a backup or outlived its stack.
 *
 * @example
 * ```ts
 * import type { AdoptedTable } from '@latchkey/construct'
 *
 * export const table: AdoptedTable = {
 *   name: 'Latchkey-Restored',
 *   streamArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/Latchkey-Restored/stream/2026-01-01T00:00:00.000',
 * }
 * ```
 */
export interface AdoptedTable extends GivenBy<typeof adoptedTableSettings, 'stack'> {
  readonly name: string
  readonly streamArn: string
}

const timeoutSchema = whole(hookTimeoutMs.min, hookTimeoutMs.max)

export const signUpHookSettings = {
  /** The ARN of the function, best of an alias, such as `alias.functionArn`. */
  function: setting({ schema: text, on: ['stack'] }),

  /** The names of the groups that the function may give. It fails with any other, and with a group that has permissions of the service. */
  groups: setting({ schema: list, on: ['stack'] }),

  /** The names of the attributes that the function may set. It fails with any other. */
  attributes: setting({ schema: list, on: ['stack'] }),

  /** How many milliseconds the function may take. */
  timeoutMs: setting({ schema: timeoutSchema, default: hookTimeoutDefaults.beforeSignUp, on: ['stack'] }),

  /** Whether the function is called. Without it, people get accounts as without a hook. */
  enabled: setting({ schema: flag, default: true, on: ['stack'] }),
}

/**
 * A function that is asked before a person or a provider begins an account.
 *
 * @example
 * ```ts
 * import type { SignUpHookProps } from '@latchkey/construct'
 *
 * export const beforeSignUp: SignUpHookProps = {
 *   function: 'arn:aws:lambda:eu-central-1:111122223333:function:before-sign-up:live',
 *   groups: ['Customers'],
 *   attributes: ['customer_number'],
 * }
 * ```
 */
export interface SignUpHookProps extends GivenBy<typeof signUpHookSettings, 'stack'> {
  readonly function: string
}

export const signInHookSettings = {
  /** The ARN of the function, best of an alias, such as `alias.functionArn`. */
  function: setting({ schema: text, on: ['stack'] }),

  /** How many milliseconds the function may take. */
  timeoutMs: setting({ schema: timeoutSchema, default: hookTimeoutDefaults.afterSignIn, on: ['stack'] }),

  /** Whether the function is called. Without it, people sign in as without a hook. */
  enabled: setting({ schema: flag, default: true, on: ['stack'] }),
}

/**
 * A function that is asked at the end of each sign-in.
 *
 * @example
 * ```ts
 * import type { SignInHookProps } from '@latchkey/construct'
 *
 * export const afterSignIn: SignInHookProps = {
 *   function: 'arn:aws:lambda:eu-central-1:111122223333:function:after-sign-in:live',
 *   timeoutMs: 2000,
 * }
 * ```
 */
export interface SignInHookProps extends GivenBy<typeof signInHookSettings, 'stack'> {
  readonly function: string
}

export const tokenHookSettings = {
  /** The ARN of the function, best of an alias, such as `alias.functionArn`. */
  function: setting({ schema: text, on: ['stack'] }),

  /** The claims that the function may add to tokens. It fails with any other. */
  claims: setting({ schema: list, on: ['stack'] }),

  /** How many milliseconds the function may take. */
  timeoutMs: setting({ schema: timeoutSchema, default: hookTimeoutDefaults.beforeToken, on: ['stack'] }),

  /** Whether clients get tokens without the claims if the function fails, or none. */
  onFailure: setting({ schema: oneOf(hookFailureRules), default: 'continue', on: ['stack'] }),

  /** Whether the function is called. Without it, tokens have none of its claims. */
  enabled: setting({ schema: flag, default: true, on: ['stack'] }),
}

/**
 * A function that adds claims to tokens.
 *
 * @example
 * ```ts
 * import type { TokenHookProps } from '@latchkey/construct'
 *
 * export const beforeToken: TokenHookProps = {
 *   function: 'arn:aws:lambda:eu-central-1:111122223333:function:before-token:live',
 *   claims: ['plan'],
 *   onFailure: 'refuse',
 * }
 * ```
 */
export interface TokenHookProps extends GivenBy<typeof tokenHookSettings, 'stack'> {
  readonly function: string
  readonly claims: readonly string[]
}

export const hooksSettings = {
  /** Asked before a person or a provider begins an account. It can set attributes, give groups, or refuse. */
  beforeSignUp: setting({
    schema: objectOf<SignUpHookProps>(signUpHookSettings, { required: ['function'] }),
    on: ['stack'],
  }),

  /** Asked at the end of each sign-in. It can ask for a second factor, or refuse. */
  afterSignIn: setting({
    schema: objectOf<SignInHookProps>(signInHookSettings, { required: ['function'] }),
    on: ['stack'],
  }),

  /** Asked before clients of OpenID Connect get tokens. It can add claims. */
  beforeToken: setting({
    schema: objectOf<TokenHookProps>(tokenHookSettings, { required: ['function', 'claims'] }),
    on: ['stack'],
  }),
}

/**
 * Functions of your products that the service asks.
 *
 * @example
 * ```ts
 * import type { HooksProps } from '@latchkey/construct'
 *
 * export const hooks: HooksProps = {
 *   afterSignIn: { function: 'arn:aws:lambda:eu-central-1:111122223333:function:after-sign-in:live' },
 * }
 * ```
 */
export interface HooksProps extends GivenBy<typeof hooksSettings, 'stack'> {}

/** @internal */
export const domainSchema = objectOf<DomainProps>(domainSettings, { required: ['name'] })
/** @internal */
export const frontDoorSchema = objectOf<boolean | FrontDoorProps>(frontDoorSettings, { canBeFlag: true })
/** @internal */
export const tableSchema = objectOf<AdoptedTable>(adoptedTableSettings, { required: ['name', 'streamArn'] })
/** @internal */
export const hooksSchema = objectOf<HooksProps>(hooksSettings)
