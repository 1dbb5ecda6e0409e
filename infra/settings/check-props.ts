import { Token } from 'aws-cdk-lib'
import { isPlainObject } from '../../lib/kernel/options/check-options.ts'
import { findConfigProblems } from '../../lib/kernel/settings/config.ts'
import { readLinkProducts } from '../../lib/kernel/settings/link-products.ts'
import { readMailSender } from '../../lib/kernel/settings/mail-sender.ts'
import { isObjectSchema } from '../../lib/kernel/settings/object-settings.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { checkSetting, Problem, settingsOn, toVariable } from '../../lib/kernel/settings/setting.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'
import { findFrontDoorProblems } from '../front-door/check-front-door.ts'
import { findAdoptionProblems } from '../parts/adoption.ts'
import { findBackupProblems } from '../parts/backup.ts'
import { findHookProblems } from '../parts/hooks.ts'
import { findThroughputProblems } from '../parts/table.ts'
import { type AuthServiceProps, type CompleteProps, completeProps, propNames } from './auth-service-props.ts'
import { findDomainProblems, isInvalid } from './check-domain.ts'
import { checkValue, findUnknownSettings } from './check-settings.ts'

/**
 * Lists everything that is wrong with the props of the construct, as a sentence each. Values that are only known during
 * the deployment are not checked. `region` is the region of the stack, if it is known.
 */
export const findPropProblems = (given: AuthServiceProps, region: string | undefined): readonly string[] => {
  const isObject: boolean = isPlainObject(given)
  if (!isObject) return ['Expected an object with names such as domain, each of which is a prop.']
  const objects = Object.entries(objectSettings)
    .filter(([name]) => Object.hasOwn(given, name))
    .map(([name, setting]) => [name, checkValue(name, setting, Reflect.get(given, name))] as const)
  const sound = Object.fromEntries(objects.map(([name, { value }]) => [name, value]))
  const props: CompleteProps = completeProps(omitUndefined({ ...given, ...sound }))
  return [
    ...findNameProblems(given),
    ...objects.flatMap(([, { problems }]) => problems),
    ...findOriginProblems(props),
    ...(props.domain ? findDomainProblems(props.domain, 'domain', region) : []),
    ...findFormerDomainProblems(props, region),
    ...(props.frontDoor ? findFrontDoorProblems(props.frontDoor, props.domain ?? given.domain) : []),
    ...findLinkProblems(props),
    ...findAdminProblems(props),
    ...findAlarmProblems(props),
    ...findLegacyCheckProblems(props),
    ...findHookProblems(props.hooks),
    ...findStackProblems(props),
    ...findAdoptionProblems(props, region),
    ...findBackupProblems(props, region),
    ...findThroughputProblems(props),
    ...findRunTimeProblems(props),
  ]
}

const objectSettings = Object.fromEntries(
  Object.entries(settingsOn(stackSettings, 'stack')).filter(([, { schema }]) => isObjectSchema(schema)),
)

/** How a stack has what a stage gives to the app. */
const ofStack = new Map([
  ['stackName', 'new Stack(…, { stackName })'],
  ['region', 'new Stack(…, { env: { region } })'],
  ['terminationProtection', 'new Stack(…, { terminationProtection })'],
])

/** Lists unknown names, and props that are undefined, which a missing constant is. */
const findNameProblems = (props: object): readonly string[] => {
  const names = Object.keys(props)
  return [
    ...findUnknownSettings(
      names.filter((name) => !ofStack.has(name)),
      propNames,
      { kind: 'a prop', rest: 'The type AuthServiceProps has all props.' },
    ),
    ...names.flatMap((name) => {
      const stack = ofStack.get(name)
      return stack === undefined ? [] : [`"${name}" is not a prop. It belongs to the stack: ${stack}.`]
    }),
    ...names
      .filter((name) => propNames.includes(name) && !Object.hasOwn(objectSettings, name))
      .filter((name) => Reflect.get(props, name) === undefined)
      .map((name) => `${name} is undefined. Set it, or leave it out.`),
  ]
}

/** A name before CloudFront needs a certificate that has both names, and CloudFront has one certificate. */
const findFormerDomainProblems = (
  { domain, formerDomain, frontDoor }: CompleteProps,
  region: string | undefined,
): readonly string[] => {
  if (formerDomain === undefined) return []
  const problems = [...findDomainProblems(formerDomain, 'formerDomain', region)]
  if (domain === undefined) problems.push('formerDomain requires domain.')
  if (domain?.name === formerDomain.name)
    problems.push('formerDomain.name must be another name than domain.name.')
  if (frontDoor !== undefined)
    problems.push('formerDomain and frontDoor exclude each other. Remove formerDomain.')
  return problems
}

/**
 * The region that the stack is deployed to. The CDK CLI names one even without credentials, but then it is a guess.
 * Undefined if the region is unknown.
 */
export const findRegion = (
  stackRegion: string | undefined,
  { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION }: NodeJS.ProcessEnv = process.env,
): string | undefined => {
  if (stackRegion !== undefined && !Token.isUnresolved(stackRegion)) return stackRegion
  return CDK_DEFAULT_ACCOUNT ? CDK_DEFAULT_REGION : undefined
}

/** @throws Error that lists all problems, if there are any. */
export const throwProblems = (problems: readonly string[]): void => {
  if (problems.length > 0) throw new Error(`The settings are invalid:\n- ${problems.join('\n- ')}`)
}

/** Origins are compared as a whole, so a `*` would stand for itself. */
const isHttpsOrigin = (text: string): boolean =>
  text.startsWith('https://') && !text.includes('*') && URL.parse(text)?.origin === text

/** A page on the machine of a developer. Its own name alone, because an address may be that of another machine. */
export const isLocalOrigin = (text: string): boolean =>
  text.startsWith('http://localhost:') && URL.parse(text)?.origin === text

const findOriginProblems = ({ publicUrl, allowedOrigins = [], signInUrl }: CompleteProps): string[] => {
  const problems: string[] = []
  if (publicUrl !== undefined && isInvalid(publicUrl, isHttpsOrigin))
    problems.push(
      `publicUrl "${publicUrl}" must be an https origin without a path or slash at the end, such as https://auth.example.com.`,
    )
  for (const origin of allowedOrigins)
    if (isInvalid(origin, (text) => isHttpsOrigin(text) || isLocalOrigin(text)))
      problems.push(
        `allowedOrigins contains "${origin}", which must be an https origin without a path or slash at the end, such as https://app.example.com, or http://localhost with a port.`,
      )
  if (signInUrl && isInvalid(signInUrl, (text) => URL.parse(text)?.protocol === 'https:'))
    problems.push(`signInUrl "${signInUrl}" must be an https URL.`)
  return problems
}

const findLinkProblems = ({ linkUrl, allowedOrigins = [] }: CompleteProps): string[] => {
  if ([linkUrl, ...allowedOrigins].some((value) => Token.isUnresolved(value))) return []
  const products = readLinkProducts(linkUrl ?? '', allowedOrigins)
  return typeof products === 'string' ? [`linkUrl ${products}.`] : []
}

const findAdminProblems = ({ adminEmail }: CompleteProps): string[] =>
  adminEmail && isInvalid(adminEmail, isAddress)
    ? [`adminEmail "${adminEmail}" must be an email address, such as ada@example.com.`]
    : []

const isAddress = (text: string): boolean => readMailSender(text)?.address === text

const findAlarmProblems = ({ alarmEmail, alarmTopic, alarmTopicArn, logLevel }: CompleteProps): string[] => {
  const problems: string[] = []
  if (logLevel === 'silent')
    problems.push('logLevel must not be silent, because alarms need the metrics in the log.')
  if (alarmEmail && isInvalid(alarmEmail, isAddress))
    problems.push(`alarmEmail "${alarmEmail}" must be an email address, such as ops@example.com.`)
  const receivers = Object.entries({ alarmEmail, alarmTopic, alarmTopicArn }).filter(([, given]) => given)
  if (receivers.length > 1)
    problems.push(`${receivers.map(([name]) => name).join(' and ')} must not be set together.`)
  return problems
}

/** The loopback address of a Lambda function leads nowhere. */
const findLegacyCheckProblems = ({ legacyPasswordCheck }: CompleteProps): string[] =>
  legacyPasswordCheck && isInvalid(legacyPasswordCheck, (text) => !text.startsWith('http:'))
    ? ['legacyPasswordCheck must be the ARN of a Lambda function. A URL works in local mode only.']
    : []

const isKnown = <Value>(value: Value | undefined): value is Value =>
  value !== undefined && !Token.isUnresolved(value) && !Token.isUnresolved(toVariable(value))

/** Lists the problems with settings of the stack alone. */
const findStackProblems = (props: CompleteProps): readonly string[] => {
  const values = new Map<string, unknown>(Object.entries(props))
  return Object.entries(settingsOn(stackSettings, 'stack')).flatMap(([name, setting]) => {
    const value = Object.hasOwn(objectSettings, name) ? undefined : values.get(name)
    const problem = isKnown(value) && value !== '' ? checkSetting(setting, value) : undefined
    return problem instanceof Problem ? [`${name} ${problem.text}.`] : []
  })
}

/** Stands for values that are only known during the deployment, or that another check has reported. */
const placeholder = { tableName: 'table', publicUrl: 'https://auth.example.com' }

/** Replaces what is only known during the deployment and another setting requires. */
const fillUnknown = ({
  legacyPasswordCheck,
  legacyPasswordCheckUntil,
  securityContact,
  securityContactUntil,
}: CompleteProps) => ({
  ...(Token.isUnresolved(legacyPasswordCheck)
    ? { legacyPasswordCheck: 'arn:aws:lambda:eu-west-1:000000000000:function:unknown' }
    : {}),
  ...(Token.isUnresolved(legacyPasswordCheckUntil) ? { legacyPasswordCheckUntil: '9999-12-31' } : {}),
  ...(Token.isUnresolved(securityContact) ? { securityContact: 'mailto:unknown@example.com' } : {}),
  ...(Token.isUnresolved(securityContactUntil) ? { securityContactUntil: '9999-12-31' } : {}),
})

/** Lists the problems because of which the functions could not start. */
const findRunTimeProblems = (props: CompleteProps): readonly string[] => {
  const publicUrl = props.publicUrl ?? (props.domain ? `https://${props.domain.name}` : '')
  const isUrlKnown = !Token.isUnresolved([publicUrl, props.passkeyRpId]) && isHttpsOrigin(publicUrl)
  // These have stricter checks here than in the functions, or cannot be checked without the URL.
  const skipped = [
    'allowedOrigins',
    'signInUrl',
    'linkUrl',
    ...(isUrlKnown ? [] : ['passkeyRpId', 'passkeyOrigins']),
  ]
  const filled = { ...props, ...fillUnknown(props), ...placeholder, ...(isUrlKnown ? { publicUrl } : {}) }
  const known = Object.entries(filled).filter(
    ([name, value]) => Object.hasOwn(serviceSettings, name) && !skipped.includes(name) && isKnown(value),
  )
  return findConfigProblems({ ...Object.fromEntries(known), tableName: placeholder.tableName }).map(
    (problem) => `${problem}.`,
  )
}
