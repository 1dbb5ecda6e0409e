import { type StubAnswer, type StubRequest, startStub } from '../../infra/stub-server.ts'
import type { Synthesis } from '../../infra/synthesis.ts'
import { routesOf } from '../../runner/template-routes.ts'

/* A stub answers like the account in which a synthesized template is deployed. */

const topicIn = (region: string): string => `arn:aws:sns:${region}:111122223333:alarms`

/** An account in order. */
export const healthy = {
  stackStatus: 'CREATE_COMPLETE',
  url: 'https://127.0.0.1:1',
  /** The URL of the function for files. */
  configUrl: 'http://127.0.0.1:1',
  /** Whether Lambda runs events that nobody waits for. */
  runsEvents: true,
  /** Changes the text of the template. */
  alterTemplate: (text: string): string => text,
  alarm: 'OK',
  hasAllAlarms: true,
  subscription: 'arn:aws:sns:eu-central-1:111122223333:alarms:1',
  isInProduction: true,
  sendingEnabled: true,
  verified: ['mail.example.com', 'localhost.example.com'],
  unreserved: 900,
  routes: 250,
  /** A route that the API lacks. */
  lackedRoute: '',
  executions: 1000,
  emailsADay: 50_000,
  /** What CloudWatch says about an alarm that was set. */
  history: 'Successfully executed action arn:aws:sns:eu-central-1:111122223333:alarms',
  watchesDistribution: true,
  hasCopyVault: true,
  /** Requests a second of all APIs. */
  requestsQuota: 10_000,
  /** The ceiling of the table. -1 for none. */
  maxWriteUnits: -1,
  emailsSent: 100,
  recovery: 'ENABLED',
  expiry: 'ENABLED',
  tableStatus: 'ACTIVE',
  key: 'Enabled',
  deletedDate: undefined as number | undefined,
  backupHoursAgo: 5,
  /** The age of the copy in another region, if there are copies. */
  copyHoursAgo: undefined as number | undefined,
  /** The region in which alarms and subscriptions have a problem. All of them by default. */
  region: undefined as string | undefined,
  /** Calls that the credentials may not make. */
  denied: '',
  /** Replaces all answers. */
  answer: undefined as { readonly status: number; readonly body?: string } | undefined,
}
export type AccountState = typeof healthy

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const member = (fields: Readonly<Record<string, string>>): string =>
  `<member>${Object.entries(fields)
    .map(([name, text]) => `<${name}>${text.startsWith('<') ? text : escapeText(text)}</${name}>`)
    .join('')}</member>`
export const result = (action: string, content: string) =>
  `<${action}Response xmlns="http://aws.example.com/doc/"><${action}Result>${content}</${action}Result></${action}Response>`

/** AWS refuses a call if it has not received one of the headers that the signature names. */
const isSigned = ({ headers }: StubRequest): boolean => {
  const [, names] =
    /^AWS4-HMAC-SHA256 Credential=[\w-]+\/\d{8}\/[\w-]+\/[a-z]+\/aws4_request, SignedHeaders=([^,]+), Signature=[0-9a-f]{64}$/.exec(
      headers.authorization ?? '',
    ) ?? []
  return names?.split(';').every((name) => headers[name] !== undefined) ?? false
}

const regionOf = ({ headers }: StubRequest): string =>
  /Credential=[\w-]+\/\d{8}\/([\w-]+)\//.exec(headers.authorization ?? '')?.[1] ?? ''

const backupsOf = (...hoursAgo: readonly number[]) => ({
  RecoveryPoints: [
    { Status: 'EXPIRED', CreationDate: Date.now() / 1000 },
    ...hoursAgo.map((hours) => ({ Status: 'COMPLETED', CreationDate: Date.now() / 1000 - hours * 3600 })),
  ],
})

/** Starts the stub. `readState` returns what is wrong at the moment. */
export const startAccount = (
  { template, permissions, monitoring, templateOf }: Synthesis,
  readState: () => AccountState,
  /** The states in which alarms were set. */
  alarmStates: string[] = [],
  /** Answers calls that the stub does not know. */
  answerOthers: (request: StubRequest) => StubAnswer | undefined = () => undefined,
) => {
  const stackOf = (name: string): typeof template => {
    if (name.endsWith('FrontDoorLog')) return templateOf('LatchkeyFrontDoorLog')
    if (template.Resources[name]?.Type !== 'AWS::CloudFormation::Stack') return template
    return name.includes('Permissions') ? permissions : monitoring
  }
  const resourcesOf = ({ Resources }: typeof template): string =>
    Object.entries(Resources)
      .map(([id, { Type, Properties }]) => {
        const name = Type === 'AWS::KMS::Key' && Properties.MultiRegion ? `mrk-${id}` : id
        return member({ LogicalResourceId: id, ResourceType: Type, PhysicalResourceId: name })
      })
      .join('')

  const findValue = (key: string): string => {
    if (/ConfigUrl/.test(key)) return readState().configUrl
    return /Url[0-9A-F]{8}$/.test(key) ? readState().url : key
  }
  const outputs = (): string =>
    Object.keys(template.Outputs)
      .map((key) => member({ OutputKey: key, OutputValue: findValue(key) }))
      .join('')

  const [distribution = ''] = Object.entries(template.Resources).flatMap(([id, { Type }]) =>
    Type === 'AWS::CloudFront::Distribution' ? [id] : [],
  )
  const routeKeys = routesOf({ template, permissions }).map(({ routeKey }) => routeKey)
  /** The routes of the template, and others up to the number of the state. */
  const listRoutes = () => {
    const { routes: count, lackedRoute } = readState()
    const named = routeKeys.filter((key) => key !== lackedRoute).map((routeKey) => ({ routeKey }))
    return [...named, ...Array(count - named.length).fill({})]
  }

  const answerQuery = (form: URLSearchParams, region: string): string | undefined => {
    const isAbout = readState().region === undefined || readState().region === region
    const stack = form.get('StackName') ?? ''
    switch (form.get('Action')) {
      case 'DescribeStacks':
        return `<Stacks>${member({ StackStatus: readState().stackStatus, Outputs: outputs() })}</Stacks>`
      case 'ListStackResources':
        return `<StackResourceSummaries>${resourcesOf(stackOf(stack))}</StackResourceSummaries>`
      case 'GetTemplate':
        return `<TemplateBody>${escapeText(readState().alterTemplate(JSON.stringify(stackOf(stack))))}</TemplateBody>`
      case 'DescribeAlarms':
        return `<MetricAlarms>${[...form]
          .filter(([name]) => name.startsWith('AlarmNames.member.'))
          .slice(readState().hasAllAlarms || !isAbout ? 0 : 1)
          .map(([name, alarm]) =>
            member({
              AlarmName: alarm,
              StateValue: name.endsWith('.1') && isAbout ? readState().alarm : 'OK',
              AlarmDescription: 'Runbook: docs/operate.md#requests-that-fail',
              AlarmActions: `<member>${topicIn(region)}</member>`,
              Dimensions: member({
                Name: 'DistributionId',
                Value: readState().watchesDistribution ? distribution : 'another',
              }),
            }),
          )
          .join('')}</MetricAlarms>`
      case 'SetAlarmState':
        alarmStates.push(form.get('StateValue') ?? '')
        return ''
      case 'DescribeAlarmHistory':
        return `<AlarmHistoryItems>${member({ HistorySummary: readState().history })}</AlarmHistoryItems>`
      case 'ListSubscriptionsByTopic':
        return `<Subscriptions>${member({ SubscriptionArn: isAbout ? readState().subscription : healthy.subscription, Protocol: 'email' })}</Subscriptions>`
      default:
        return undefined
    }
  }

  /** The IDs of the events that Lambda took. */
  const taken = new Set<string>()
  const isRunning = ({ body }: StubRequest): boolean => taken.has(JSON.parse(JSON.parse(body).filterPattern))

  const takeEvent = ({ headers, body }: StubRequest): boolean => {
    const isEvent = headers['x-amz-invocation-type'] === 'Event'
    if (isEvent) taken.add(JSON.parse(body).requestContext.requestId)
    return isEvent
  }

  const answerJson = (action: string, request: StubRequest): object | undefined => {
    switch (action) {
      case 'DescribeTable':
        return {
          Table: {
            TableStatus: readState().tableStatus,
            DeletionProtectionEnabled: true,
            StreamSpecification: { StreamEnabled: true },
            SSEDescription: { KMSMasterKeyArn: 'key-of-the-table' },
            WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 },
            OnDemandThroughput: { MaxReadRequestUnits: -1, MaxWriteRequestUnits: readState().maxWriteUnits },
          },
        }
      case 'DescribeContinuousBackups':
        return {
          ContinuousBackupsDescription: {
            PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: readState().recovery },
          },
        }
      case 'DescribeTimeToLive':
        return { TimeToLiveDescription: { TimeToLiveStatus: readState().expiry } }
      case 'DescribeKey':
        return { KeyMetadata: { KeyState: readState().key } }
      case 'DescribeSecret':
        return { DeletedDate: readState().deletedDate }
      case 'FilterLogEvents':
        return { events: readState().runsEvents && isRunning(request) ? [{}] : [] }
      case 'ListServiceQuotas':
        return {
          Quotas: [
            { QuotaName: 'Routes per API (HTTP)', Value: 300 },
            { QuotaName: 'Throttle rate', Value: readState().requestsQuota },
            { QuotaName: 'Table-level write throughput limit', Value: 10_000 },
          ],
        }
      default:
        return undefined
    }
  }

  const answerPath = (path: string): object | undefined => {
    if (path.startsWith('/backup/plans/')) {
      const DestinationBackupVaultArn = 'arn:aws:backup:eu-west-1:111122223333:backup-vault:copies'
      const copying =
        readState().copyHoursAgo === undefined ? {} : { CopyActions: [{ DestinationBackupVaultArn }] }
      return { BackupPlan: { Rules: [copying, {}] } }
    }
    if (path === '/backup-vaults/copies')
      return readState().hasCopyVault ? { BackupVaultName: 'copies' } : undefined
    if (path.startsWith('/backup-vaults/copies/')) return backupsOf(readState().copyHoursAgo ?? 0)
    if (path.startsWith('/backup-vaults/')) return backupsOf(readState().backupHoursAgo, 500)
    if (path === '/2016-08-19/account-settings/')
      return {
        AccountLimit: {
          ConcurrentExecutions: readState().executions,
          UnreservedConcurrentExecutions: readState().unreserved,
        },
      }
    if (path === '/v2/email/account')
      return {
        ProductionAccessEnabled: readState().isInProduction,
        SendingEnabled: readState().sendingEnabled,
        EnforcementStatus: 'HEALTHY',
        SendQuota: {
          Max24HourSend: readState().emailsADay,
          MaxSendRate: 14,
          SentLast24Hours: readState().emailsSent,
        },
      }
    const [, identity] = /^\/v2\/email\/identities\/(.+)$/.exec(path) ?? []
    if (identity !== undefined)
      return readState().verified.includes(decodeURIComponent(identity))
        ? { VerifiedForSendingStatus: true }
        : undefined
    if (/^\/v2\/apis\/.+\/routes/.test(path)) return { items: listRoutes() }
    return /^\/v2\/apis\/.+\/authorizers/.test(path) ? { items: [] } : undefined
  }

  const answer = (request: StubRequest) => {
    const replaced = readState().answer ?? answerOthers(request)
    if (replaced) return replaced
    if (!isSigned(request)) return { status: 403, body: '{"__type":"InvalidSignatureException"}' }
    if (request.path.endsWith('/invocations')) return { status: takeEvent(request) ? 202 : 500 }
    const target = request.headers['x-amz-target']
    const form = new URLSearchParams(request.body)
    const action = form.get('Action') ?? (target ? String(target).replace(/^.*\./, '') : request.path)
    if (action === readState().denied)
      return { status: 403, body: '<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>' }
    if (form.has('Action'))
      return { status: 200, body: result(action, answerQuery(form, regionOf(request)) ?? '') }
    const found = target === undefined ? answerPath(request.path) : answerJson(action, request)
    return found
      ? { status: 200, body: JSON.stringify(found) }
      : { status: 404, body: '{"__type":"NotFoundException"}' }
  }
  return startStub(answer)
}
