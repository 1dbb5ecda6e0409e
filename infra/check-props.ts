import { Token } from 'aws-cdk-lib'
import { findConfigProblems } from '../lib/core/config.ts'
import { readMailSender } from '../lib/core/mail-sender.ts'
import { findAdoptionProblems } from './adoption.ts'
import type { AuthServiceProps } from './auth-service-props.ts'
import { buildEnvironment } from './environment.ts'

/**
 * Lists everything that is wrong with the props of the construct, as a sentence each. Values that are only known during
 * the deployment are not checked. `region` is the region of the stack, if it is known.
 */
export const findPropProblems = (props: AuthServiceProps, region: string | undefined): readonly string[] => [
  ...findOriginProblems(props),
  ...findDomainProblems(props.domain ?? {}, region),
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

const isInvalid = (value: string, isValid: (value: string) => boolean): boolean =>
  !Token.isUnresolved(value) && !isValid(value)

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

/** Host names as in certificates: several labels (RFC 1123 2.1), in lower case, and the last one is no number. */
const hostName = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/
const certificateForm = /^arn:aws[a-z-]*:acm:([a-z\d-]+):\d{12}:certificate\/[\w-]+$/

/** Lists what is wrong with the domain. Either part may be missing. */
export const findDomainProblems = (
  { name, certificateArn }: { readonly name?: string; readonly certificateArn?: string },
  region: string | undefined,
): readonly string[] => {
  const problems: string[] = []
  if (name !== undefined && isInvalid(name, (text) => hostName.test(text)))
    problems.push(
      `domainName "${name}" must be a host name in lower case such as auth.example.com, without https://, port and path.`,
    )
  if (certificateArn === undefined || Token.isUnresolved(certificateArn)) return problems
  const [, certificateRegion] = certificateForm.exec(certificateArn) ?? []
  if (certificateRegion === undefined)
    problems.push(
      `certificateArn "${certificateArn}" must be the ARN of an ACM certificate, such as arn:aws:acm:eu-central-1:111122223333:certificate/example.`,
    )
  else if (region !== undefined && certificateRegion !== region)
    problems.push(
      `certificateArn names a certificate in ${certificateRegion}, but the stack is in ${region}. Create a certificate for the domain in ${region}.`,
    )
  return problems
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
