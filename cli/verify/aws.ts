import aws4 from 'aws4'
import { getChildren, type XmlElement } from '../../lib/features/connections/saml/xml/element.ts'
import { readXml } from '../../lib/features/connections/saml/xml/read.ts'
import { type Account, findAccount } from '../../lib/kernel/table/account.ts'
import { toFetchHeaders } from '../../lib/kernel/table/fetch-headers.ts'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'
import { Failed, Skipped } from './check.ts'
import { type Answer, parseJson, request } from './request.ts'

/*
 * Signed calls to the services of AWS that report on a deployment. Two callers change something: the probe of alarms the state of an
 * alarm, for a moment, and `latchkey leftovers --remove`. The probe of events sends one that its function refuses.
 */

/** How each service is called: forms with an XML answer, JSON with a target, or paths. */
const services = {
  cloudformation: { host: 'cloudformation', version: '2010-05-15' },
  monitoring: { host: 'monitoring', version: '2010-08-01' },
  sns: { host: 'sns', version: '2010-03-31' },
  iam: { host: 'iam', version: '2010-05-08', isGlobal: true },
  dynamodb: { host: 'dynamodb', target: 'DynamoDB_20120810', json: '1.0' },
  kms: { host: 'kms', target: 'TrentService', json: '1.1' },
  secretsmanager: { host: 'secretsmanager', target: 'secretsmanager', json: '1.1' },
  servicequotas: { host: 'servicequotas', target: 'ServiceQuotasV20190624', json: '1.1' },
  tagging: { host: 'tagging', target: 'ResourceGroupsTaggingAPI_20170126', json: '1.1' },
  logs: { host: 'logs', target: 'Logs_20140328', json: '1.1' },
  wafv2: { host: 'wafv2', target: 'AWSWAF_20190729', json: '1.1' },
  lambda: { host: 'lambda' },
  apigateway: { host: 'apigateway' },
  backup: { host: 'backup' },
  ses: { host: 'email' },
} as const
type Services = typeof services
type Service = keyof Services
type ServiceWith<Field extends string> = {
  [Name in Service]: Services[Name] extends Readonly<Record<Field, string>> ? Name : never
}[Service]
type QueryService = ServiceWith<'version'>
type JsonService = ServiceWith<'target'>
type PathService = Exclude<Service, QueryService | JsonService>

export interface Aws {
  /** Returns the element with the result. Lists have the names `NAME.member.1` and so on. */
  readonly query: (
    service: QueryService,
    action: string,
    input: Readonly<Record<string, string>>,
  ) => Promise<XmlElement>
  readonly json: (service: JsonService, action: string, input: object) => Promise<unknown>
  readonly get: (service: PathService, path: string) => Promise<unknown>
  readonly delete: (service: PathService, path: string) => Promise<unknown>
  /** Gives a function an event, without waiting for its result. */
  readonly invokeLater: (functionArn: string, event: object) => Promise<void>
}

/** An answer of AWS that is an error. */
export class AwsError extends Failed {
  readonly code: string

  constructor(code: string, call: string, message: string) {
    super(`AWS refused ${call} (${code}). ${message}`.trim())
    this.name = 'AwsError'
    this.code = code
  }
}

/** Turns the error of a missing resource into undefined. CloudFormation has no code of its own for a missing stack. */
export const orMissing = async <Result>(calling: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await calling
  } catch (error) {
    if (error instanceof AwsError && /NotFound|Nonexistent|^ValidationError$/.test(error.code))
      return undefined
    throw error
  }
}

/**
 * Opens the account in the region of the process, or in another one. Calls end when the signal is aborted.
 *
 * @throws Error of the SDK if there are no credentials or no region
 */
export const openAws = async (signal: AbortSignal, otherRegion?: string): Promise<Aws> => {
  const { region: ownRegion, url, credentials } = await findAccount()
  const region = otherRegion ?? ownRegion
  const domain = findDomain({ region: ownRegion, url }).replace(ownRegion, region)
  // One endpoint of a partition answers for all of its regions.
  const [global, globalRegion] = domain.endsWith('.cn')
    ? ['cn-north-1.amazonaws.com.cn', 'cn-north-1']
    : ['amazonaws.com', 'us-east-1']
  const call = async (service: Service, signed: aws4.Request, name: string): Promise<string> => {
    const isGlobal = 'isGlobal' in services[service]
    const base =
      process.env['AWS_ENDPOINT_URL'] || `https://${services[service].host}.${isGlobal ? global : domain}`
    const { headers = {} } = aws4.sign(
      {
        ...signed,
        service,
        region: isGlobal ? globalRegion : region,
        headers: { ...signed.headers, host: new URL(base).host },
      },
      await credentials(),
    )
    const { method = 'POST', path = '/', body } = signed
    const answer = await request(
      base + path,
      { method, headers: toFetchHeaders(headers), ...omitUndefined({ body }) },
      signal,
    )
    if (answer.status === 200 || answer.status === 202) return answer.text
    throw toError(`${service}:${name}`, answer)
  }
  const callPath = async (method: string, service: PathService, path: string): Promise<unknown> =>
    parseJson(await call(service, { method, path }, `${method} ${path.split('?')[0]}`))
  return {
    query: async (service, action, input) => {
      const { version } = services[service]
      const body = new URLSearchParams({ Action: action, Version: version, ...input }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
      const root = parseXml(await call(service, { method: 'POST', path: '/', headers, body }, action))
      return findChild(root, `${action}Result`) ?? root
    },
    json: async (service, action, input) => {
      const { target, json } = services[service]
      const headers = {
        'content-type': `application/x-amz-json-${json}`,
        'x-amz-target': `${target}.${action}`,
      }
      const body = JSON.stringify(input)
      return parseJson(await call(service, { method: 'POST', path: '/', headers, body }, action))
    },
    get: (service, path) => callPath('GET', service, path),
    delete: (service, path) => callPath('DELETE', service, path),
    invokeLater: async (functionArn, event) => {
      const path = `/2015-03-31/functions/${encodeURIComponent(functionArn)}/invocations`
      const headers = { 'content-type': 'application/json', 'x-amz-invocation-type': 'Event' }
      await call('lambda', { method: 'POST', path, headers, body: JSON.stringify(event) }, 'Invoke')
    },
  }
}

/** The endpoint of DynamoDB shows the domain of the partition. */
const findDomain = ({ region, url }: Pick<Account, 'region' | 'url'>): string =>
  /^dynamodb\.(.+\.amazonaws\.com(?:\.cn)?)$/.exec(url.host)?.[1] ?? `${region}.amazonaws.com`

const parseXml = (text: string): XmlElement => {
  try {
    return readXml(text)
  } catch (error) {
    throw new Failed(`The XML of AWS ${getErrorMessage(error)}.`)
  }
}

const maxMessageLength = 300

const toError = (call: string, { status, headers, text }: Answer): Error => {
  const code = (
    headers.get('x-amzn-errortype') ??
    /"__type"\s*:\s*"(?:[^"#]*#)?([^"#]+)"/.exec(text)?.[1] ??
    /<Code>([^<]+)<\/Code>/.exec(text)?.[1] ??
    String(status)
  ).replace(/:.*$/, '')
  // Missing permissions say nothing about the deployment.
  if (/AccessDenied|NotAuthorized|UnauthorizedOperation|AuthorizationError/.test(code))
    return new Skipped(`The AWS credentials may not call ${call}.`)
  // These messages can repeat the signed request with its session token.
  if (/Signature|Token|UnrecognizedClient|InvalidClientTokenId/.test(code))
    return new AwsError(code, call, '')
  const message =
    /"[Mm]essage"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? /<Message>([^<]+)<\/Message>/.exec(text)?.[1] ?? ''
  return new AwsError(code, call, message.slice(0, maxMessageLength))
}

export const findChild = (parent: XmlElement, name: string): XmlElement | undefined =>
  getChildren(parent, parent.namespace, name)[0]

/** The entries of a list in an XML answer. */
export const listMembers = (parent: XmlElement, name: string): readonly XmlElement[] => {
  const list = findChild(parent, name)
  return list ? getChildren(list, list.namespace, 'member') : []
}

export const textOf = (parent: XmlElement, name: string): string => findChild(parent, name)?.text ?? ''
