import { domainLookupMs, metadataFetchMs } from '../../lib/kernel/limits/connection-limits.ts'
import {
  clientDocumentMs,
  logoutAnswerMs,
  logoutRetryMs,
  mailSendingMs,
} from '../../lib/kernel/limits/limits.ts'
import {
  breachLookupTimeoutMs,
  legacyCheckTimeoutMs,
  signInBreachLookupTimeoutMs,
} from '../../lib/kernel/limits/password-limits.ts'
import { hookTimeoutDefaults } from '../../lib/kernel/settings/hooks.ts'
import type { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
import { hour, second } from '../../lib/kernel/util/time.ts'
import { replaceGeneratedPart } from './generated-part.ts'
import { markdownTable } from './operations-page.ts'

/*
 * What leaves the service: the tables of two pages. `test/docs/connections.test.ts` finds each file that opens a connection, and fails if no
 * row here has it.
 */

/** A connection that leaves the service, and what it carries. */
export interface Connection {
  readonly to: string
  readonly carries: string
  readonly limit: string
  readonly failure: string
  /** What of it is about people, if it goes to others than the AWS services of your account. */
  readonly people?: string
  /** Who else than AWS gets it, and when. */
  readonly whenPeople?: string
  /** The files that open it. */
  readonly callers: readonly string[]
}

const seconds = (ms: number): string => `${ms / second} ${ms === second ? 'second' : 'seconds'}`

export const connections: readonly Connection[] = [
  {
    to: 'DynamoDB',
    carries: 'all data',
    limit: '15 seconds for a request in total',
    failure: 'error 500; nothing is half done',
    // Outside of Lambda, the SDK also looks for the credentials of the account.
    callers: [
      'lib/kernel/table/account.ts',
      'lib/kernel/table/table-client.ts',
      'lib/kernel/table/table-scan.ts',
    ],
  },
  {
    to: 'KMS',
    carries: 'secrets inside the table, and hashes that it signs',
    limit: '3 seconds, 3 attempts',
    failure: 'error 500',
    callers: ['lib/kernel/secrets/kms-vault.ts', 'lib/kernel/secrets/kms-signer.ts'],
  },
  {
    to: 'Secrets Manager',
    carries: 'secrets of clients and connections that a stack configures',
    limit: '4 attempts',
    failure: 'the deployment fails',
    callers: ['lib/kernel/secrets/secrets-manager.ts'],
  },
  {
    to: 'SES',
    carries: 'emails',
    limit: `${seconds(mailSendingMs)}, 1 attempt`,
    failure: 'the mailer repeats emails that were certainly not sent',
    people: 'the address and the email',
    whenPeople: 'SES delivers it to the email provider of the person',
    callers: ['lib/features/mail/ses.ts'],
  },
  {
    to: 'EventBridge',
    carries: 'audit events',
    limit: '3 seconds, 3 attempts',
    failure: 'the events are delivered again; an alarm after 20 times',
    callers: ['lib/kernel/util/bus-writer.ts'],
  },
  {
    to: 'S3, with `auditArchive`',
    carries: 'audit events with their chains',
    limit: '20 seconds, 3 attempts',
    failure: 'the next run continues where this one stopped',
    callers: ['lib/features/audit/archive-bucket.ts'],
  },
  {
    to: 'CloudFormation',
    carries: 'the outcome of what a stack configures, without secrets',
    limit: 'that of the function',
    failure: 'the deployment fails',
    callers: ['lib/kernel/util/respond-to-cloudformation.ts'],
  },
  {
    to: 'breach lookup (`BREACH_ENDPOINT`)',
    carries: 'five characters of a hash of a password',
    limit: `${seconds(breachLookupTimeoutMs)} for a new password, ${seconds(signInBreachLookupTimeoutMs)} at a sign-in, then a pause after 3 failures`,
    failure: 'the password is accepted, with a metric',
    people: 'five characters of a hash of the password, which hundreds of passwords share',
    whenPeople: 'a person chooses a password, or signs in with one',
    callers: ['lib/features/passwords/breached-passwords.ts'],
  },
  {
    to: 'the function of `legacyPasswordCheck`',
    carries:
      'passwords of users who have not signed in [since a move](../migrate/legacy-passwords.md), with their names',
    limit: `${seconds(legacyCheckTimeoutMs)}, 1 attempt`,
    failure: 'error 503 and an alarm; no one signs in',
    people: 'username, email address, the ID in the old system, and the password',
    whenPeople: 'a person signs in for the first time since a move',
    callers: ['lib/features/passwords/legacy/ask-old-system.ts'],
  },
  {
    to: 'the functions of `hooks`',
    carries: 'who signs in or gets tokens, the way or the client, and no credential',
    limit: `${seconds(hookTimeoutDefaults.afterSignIn)}, or ${seconds(hookTimeoutDefaults.beforeToken)} before tokens, 1 attempt, then a pause after 5 failures`,
    failure: 'error 503 and an alarm, or tokens without the claims',
    people:
      'ID, username, name, email address, language, the ID in the old system, the network address and the browser',
    whenPeople: 'a person begins an account or signs in, or a client gets tokens, with a hook',
    callers: ['lib/features/hooks/invoke-hook.ts'],
  },
  {
    to: 'metadata URLs of SAML providers',
    carries: 'a request without data',
    limit: `${seconds(metadataFetchMs)}, 1 MiB`,
    failure: 'error 502, or an alarm after three days',
    callers: ['lib/features/connections/saml/provider-metadata.ts'],
  },
  {
    to: 'identity providers of OpenID Connect, also Google, Microsoft, Apple and GitHub',
    carries:
      'requests for metadata and keys, codes of sign-ins with the credentials of the connection, and tokens of the provider',
    limit: `${seconds(metadataFetchMs)}, 1 MiB`,
    failure: 'the sign-in ends with a page that says so',
    people: 'the code of the sign-in, and tokens that the provider made for the account',
    whenPeople: 'a person signs in through the provider, or their account at Apple is no longer used',
    callers: [
      'lib/features/connections/oidc/identity-provider.ts',
      'lib/features/connections/oidc/logout-token.ts',
    ],
  },
  {
    to: 'addresses of [clients that describe themselves](../concepts/apis.md)',
    carries: 'a request without data',
    limit: `${seconds(clientDocumentMs)}, 16 KB`,
    failure: 'the client is refused, or stays as it was',
    callers: ['lib/features/oauth/read-client-document.ts'],
  },
  {
    to: 'logout addresses of clients (`backchannel_logout_uri`)',
    carries: 'a signed token with the IDs of user and session',
    limit: `${seconds(logoutAnswerMs)}, repeated for ${logoutRetryMs.total / hour} hours`,
    failure: 'a line in the log each time, and an audit event at the end',
    people: 'the user ID that the client knows, and the ID of the session',
    whenPeople: 'a session with tokens of the client ends',
    callers: ['lib/features/oauth/run-logout-jobs.ts'],
  },
  {
    to: 'the DNS',
    carries: 'domains that a company claims, and host names of the addresses above',
    limit: seconds(domainLookupMs),
    failure: 'the domain stays as it was; the request fails',
    callers: ['lib/features/connections/domains.ts', 'lib/features/connections/ssrf-safe-request.ts'],
  },
]

const replacePart = (path: string, part: string): string =>
  replaceGeneratedPart(path, 'build/docs/connections-page.ts', part)

/** What AWS moves because a setting says so. No code of the service opens a connection for it. */
export const movedByAws: readonly (readonly [
  from: string,
  to: string,
  setting?: keyof typeof stackSettings,
])[] = [
  ['service', 'CloudWatch: logs and metrics'],
  ['DynamoDB', 'stream: keys of changed items'],
  ['DynamoDB', 'recovery for 35 days'],
  ['DynamoDB', 'AWS Backup', 'backup'],
  ['AWS Backup', 'AWS Backup in another region', 'backupRegion'],
  ['CloudWatch: logs and metrics', 'SNS: alarms to you', 'alarmEmail'],
  ['service', 'X-Ray', 'tracing'],
]

/** Places in the account of the operator. Everything else is outside. */
const inAccount = [
  'DynamoDB',
  'KMS',
  'Secrets Manager',
  'SES',
  'EventBridge',
  'S3',
  'CloudFormation',
] as const
const isInAccount = (to: string): boolean => inAccount.some((name) => to.startsWith(name))

/** The text of a Markdown cell, as a diagram shows it. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`"]/g, '')
    .replace(/ \((.*)\)$/, '<br>$1')

/** Who sends what to the service, and each connection that leaves it. */
export const flowDiagram = (): string => {
  const places = new Map<string, string>([['service', 'service']])
  const place = (name: string): string => {
    const known = places.get(name)
    if (known !== undefined) return known
    const id = `place${places.size}`
    places.set(name, id)
    return id
  }
  const draw = (name: string): string => `${place(name)}["${plain(name)}"]`
  const [inside, outside] = [true, false].map((wanted) =>
    connections.filter(({ to }) => isInAccount(to) === wanted).map(({ to }) => to),
  )
  const moved = movedByAws.map(([, to]) => to)
  return [
    '```mermaid',
    'flowchart LR',
    '  browsers([Browsers]) -- credentials, personal data --> service',
    '  products([Products, clients, agents]) -- secrets, tokens --> service',
    '  directories([Directories of companies]) -- SCIM: personal data --> service',
    '  subgraph account[Your AWS account]',
    '    service[Latchkey]',
    ...[...(inside ?? []), ...moved].map((name) => `    ${draw(name)}`),
    '  end',
    ...(outside ?? []).map((name) => `  ${draw(name)}`),
    ...connections.map(({ to }) => `  service --> ${place(to)}`),
    ...movedByAws.map(
      ([from, to, setting]) => `  ${place(from)} -.${setting ? ` ${setting} .` : ''}-> ${place(to)}`,
    ),
    '```',
  ].join('\n')
}

/** The pages with their present tables, by path. */
export const connectionPages = (): readonly (readonly [path: string, text: string])[] => {
  const all = markdownTable(
    ['to', 'carries', 'time limit', 'if it fails'],
    connections.map(({ to, carries, limit, failure }) => [to, carries, limit, failure]),
  )
  const aboutPeople = markdownTable(
    ['to', 'what about a person', 'when'],
    connections.flatMap(({ to, people, whenPeople }) => (people ? [[to, people, whenPeople ?? '']] : [])),
  )
  return [
    [
      'docs/security/data-and-logs.md',
      replacePart('docs/security/data-and-logs.md', `${flowDiagram()}\n\n${all}`),
    ],
    ['docs/privacy.md', replacePart('docs/privacy.md', aboutPeople)],
  ]
}
