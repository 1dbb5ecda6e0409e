import { Token } from 'aws-cdk-lib'
import { findConfigProblems } from '../../lib/settings/config.ts'
import { readLinkProducts } from '../../lib/settings/link-products.ts'
import { readMailSender } from '../../lib/settings/mail-sender.ts'
import { findFrontDoorProblems } from '../front-door/check-front-door.ts'
import { findAdoptionProblems } from '../parts/adoption.ts'
import type { AuthServiceProps } from './auth-service-props.ts'
import { findDomainProblems, isInvalid, toDomainSettings } from './check-domain.ts'
import { buildEnvironment } from './environment.ts'

/**
 * Lists everything that is wrong with the props of the construct, as a sentence each. Values that are only known during
 * the deployment are not checked. `region` is the region of the stack, if it is known.
 */
export const findPropProblems = (props: AuthServiceProps, region: string | undefined): readonly string[] => [
  ...findOriginProblems(props),
  ...(props.domain ? findDomainProblems(toDomainSettings(props.domain), region) : []),
  ...(props.frontDoor ? findFrontDoorProblems(props.frontDoor, props.domain !== undefined) : []),
  ...findLinkProblems(props),
  ...findAddressProblems(props),
  ...findNumberProblems(props),
  ...findAdoptionProblems(props, region),
  ...findRunTimeProblems(props),
]

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

const findAddressProblems = ({ mailFrom, alarmEmail, alarmTopic }: AuthServiceProps): string[] => {
  const problems: string[] = []
  if (mailFrom && isInvalid(mailFrom, (text) => readMailSender(text) !== undefined))
    problems.push(`mailFrom "${mailFrom}" must be name@example.com or Name <name@example.com>.`)
  if (alarmEmail && isInvalid(alarmEmail, (text) => readMailSender(text)?.address === text))
    problems.push(`alarmEmail "${alarmEmail}" must be an email address, such as ops@example.com.`)
  if (alarmEmail && alarmTopic) problems.push('alarmEmail and alarmTopic must not be set together.')
  return problems
}

const findNumberProblems = ({ hashingConcurrency, throttle }: AuthServiceProps): string[] => {
  const problems: string[] = []
  const isKnown = (value: number | undefined): value is number =>
    value !== undefined && !Token.isUnresolved(value)
  const counts = { hashingConcurrency, 'throttle.burstLimit': throttle?.burstLimit }
  for (const [name, value] of Object.entries(counts))
    if (isKnown(value) && !(Number.isInteger(value) && value >= 1))
      problems.push(`${name} must be a whole number from 1.`)
  const rate = throttle?.rateLimit
  if (isKnown(rate) && !(Number.isFinite(rate) && rate > 0))
    problems.push('throttle.rateLimit must be a number above 0.')
  return problems
}

/** Stands for values that are only known during the deployment, or that another check has reported. */
const placeholder = { tableName: 'table', publicUrl: 'https://auth.example.com' }

/** Lists the problems because of which the functions could not start. */
const findRunTimeProblems = (props: AuthServiceProps): readonly string[] => {
  const publicUrl = props.publicUrl ?? (props.domain ? `https://${props.domain.name}` : '')
  const isUrlKnown = !Token.isUnresolved([publicUrl, props.passkeyRpId]) && isHttpsOrigin(publicUrl)
  const environment = buildEnvironment(props, isUrlKnown ? { ...placeholder, publicUrl } : placeholder)
  // These have stricter checks here than in the functions, or cannot be checked without the URL.
  const skipped = [
    'ALLOWED_ORIGINS',
    'SIGN_IN_URL',
    'LINK_URL',
    ...(isUrlKnown ? [] : ['PASSKEY_RP_ID', 'PASSKEY_ORIGINS']),
  ]
  const checked = Object.entries(environment).filter(
    ([name, value]) => !skipped.includes(name) && !Token.isUnresolved(value),
  )
  const problems = findConfigProblems(Object.fromEntries(checked))
  return [...new Set(problems)].map(
    (problem) => `${problem.replaceAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g, toPropName)}.`,
  )
}

const toPropName = (variable: string): string =>
  variable.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
