import { Token } from 'aws-cdk-lib'
import { findOptionProblems } from '../../lib/kernel/options/check-options.ts'
import { findConfigProblems } from '../../lib/kernel/settings/config.ts'
import { readLinkProducts } from '../../lib/kernel/settings/link-products.ts'
import { readMailSender } from '../../lib/kernel/settings/mail-sender.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { checkSetting, Problem, settingsOn, toVariable } from '../../lib/kernel/settings/setting.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
import { findFrontDoorProblems } from '../front-door/check-front-door.ts'
import { frontDoorTypes } from '../front-door/front-door-props.ts'
import { adoptedTableTypes, findAdoptionProblems } from '../parts/adoption.ts'
import { findBackupProblems } from '../parts/backup.ts'
import { findThroughputProblems } from '../parts/table.ts'
import { type AuthServiceProps, domainTypes, hostedZoneTypes, propTypes } from './auth-service-props.ts'
import { findDomainProblems, isInvalid, toDomainSettings } from './check-domain.ts'

/**
 * Lists everything that is wrong with the props of the construct, as a sentence each. Values that are only known during
 * the deployment are not checked. `region` is the region of the stack, if it is known.
 */
export const findPropProblems = (props: AuthServiceProps, region: string | undefined): readonly string[] => [
  ...findOptionProblems(props, propTypes, 'a prop'),
  ...findNestedProblems(props),
  ...findOriginProblems(props),
  ...(props.domain ? findDomainProblems(toDomainSettings(props.domain), region) : []),
  ...findFormerDomainProblems(props, region),
  ...(props.frontDoor ? findFrontDoorProblems(props.frontDoor, props.domain !== undefined) : []),
  ...findLinkProblems(props),
  ...findAlarmProblems(props),
  ...findLegacyCheckProblems(props),
  ...findStackProblems(props),
  ...findAdoptionProblems(props, region),
  ...findBackupProblems(props, region),
  ...findThroughputProblems(props),
  ...findRunTimeProblems(props),
]

/** A name before CloudFront needs a certificate that has both names, and CloudFront has one certificate. */
const findFormerDomainProblems = (
  { domain, formerDomain, frontDoor }: AuthServiceProps,
  region: string | undefined,
): readonly string[] => {
  if (formerDomain === undefined) return []
  const problems = findDomainProblems(toDomainSettings(formerDomain), region).map(
    (problem) => `The former domain is invalid: ${problem}`,
  )
  if (domain === undefined) problems.push('A former domain requires a domain.')
  if (domain?.name === formerDomain.name)
    problems.push('The former domain must have another name than the domain.')
  if (frontDoor !== undefined)
    problems.push('A former domain and a front door exclude each other. Remove the former domain.')
  return problems
}

/** Lists what is wrong with the names in props that are objects. */
const findNestedProblems = ({
  domain,
  formerDomain,
  frontDoor,
  table,
}: AuthServiceProps): readonly string[] =>
  [
    { prop: 'domain', given: domain, types: domainTypes },
    { prop: 'domain.hostedZone', given: domain?.hostedZone, types: hostedZoneTypes },
    { prop: 'formerDomain', given: formerDomain, types: domainTypes },
    { prop: 'formerDomain.hostedZone', given: formerDomain?.hostedZone, types: hostedZoneTypes },
    { prop: 'frontDoor', given: frontDoor, types: frontDoorTypes },
    { prop: 'table', given: table, types: adoptedTableTypes },
  ].flatMap(({ prop, given, types }) =>
    given === undefined ? [] : findOptionProblems(given, types, `a field of ${prop}`),
  )

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

const findOriginProblems = ({ publicUrl, allowedOrigins = [], signInUrl }: AuthServiceProps): string[] => {
  const problems: string[] = []
  if (publicUrl !== undefined && isInvalid(publicUrl, isHttpsOrigin))
    problems.push(
      `publicUrl "${publicUrl}" must be an https origin without a path or slash at the end, such as https://auth.example.com.`,
    )
  for (const origin of allowedOrigins)
    if (isInvalid(origin, isHttpsOrigin))
      problems.push(
        `allowedOrigins contains "${origin}", which must be an https origin without a path or slash at the end, such as https://app.example.com.`,
      )
  if (signInUrl && isInvalid(signInUrl, (text) => URL.parse(text)?.protocol === 'https:'))
    problems.push(`signInUrl "${signInUrl}" must be an https URL.`)
  return problems
}

const findLinkProblems = ({ linkUrl, allowedOrigins = [] }: AuthServiceProps): string[] => {
  if ([linkUrl, ...allowedOrigins].some((value) => Token.isUnresolved(value))) return []
  const products = readLinkProducts(linkUrl ?? '', allowedOrigins)
  return typeof products === 'string' ? [`linkUrl ${products}.`] : []
}

const findAlarmProblems = ({
  alarmEmail,
  alarmTopic,
  alarmTopicArn,
  logLevel,
}: AuthServiceProps): string[] => {
  const problems: string[] = []
  if (logLevel === 'silent')
    problems.push('logLevel must not be silent, because alarms need the metrics in the log.')
  if (alarmEmail && isInvalid(alarmEmail, (text) => readMailSender(text)?.address === text))
    problems.push(`alarmEmail "${alarmEmail}" must be an email address, such as ops@example.com.`)
  const receivers = Object.entries({ alarmEmail, alarmTopic, alarmTopicArn }).filter(([, given]) => given)
  if (receivers.length > 1)
    problems.push(`${receivers.map(([name]) => name).join(' and ')} must not be set together.`)
  return problems
}

/** The loopback address of a Lambda function leads nowhere. */
const findLegacyCheckProblems = ({ legacyPasswordCheck }: AuthServiceProps): string[] =>
  legacyPasswordCheck && isInvalid(legacyPasswordCheck, (text) => !text.startsWith('http:'))
    ? ['legacyPasswordCheck must be the ARN of a Lambda function. A URL works in local mode only.']
    : []

const isKnown = <Value>(value: Value | undefined): value is Value =>
  value !== undefined && !Token.isUnresolved(value) && !Token.isUnresolved(toVariable(value))

/** Lists the problems with settings of the stack alone. */
const findStackProblems = (props: AuthServiceProps): readonly string[] => {
  const values = new Map<string, unknown>(Object.entries(props))
  return Object.entries(settingsOn(stackSettings, 'stack')).flatMap(([name, setting]) => {
    const value = values.get(name)
    const problem = isKnown(value) && value !== '' ? checkSetting(setting, value) : undefined
    return problem instanceof Problem ? [`${name} ${problem.text}.`] : []
  })
}

/** Stands for values that are only known during the deployment, or that another check has reported. */
const placeholder = { tableName: 'table', publicUrl: 'https://auth.example.com' }

/** Replaces what is only known during the deployment and another setting requires. */
const fillUnknown = ({ legacyPasswordCheck, legacyPasswordCheckUntil }: AuthServiceProps) => ({
  ...(Token.isUnresolved(legacyPasswordCheck)
    ? { legacyPasswordCheck: 'arn:aws:lambda:eu-west-1:000000000000:function:unknown' }
    : {}),
  ...(Token.isUnresolved(legacyPasswordCheckUntil) ? { legacyPasswordCheckUntil: '9999-12-31' } : {}),
})

/** Lists the problems because of which the functions could not start. */
const findRunTimeProblems = (props: AuthServiceProps): readonly string[] => {
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
