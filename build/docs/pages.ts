import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { costPage } from '../../bench/cost-page.ts'
import { backgroundWriters, type Writer } from '../../lib/features/audit/audit-writers.models.ts'
import { checks } from '../../lib/features/connections/saml/assertion/checks.ts'
import { operations } from '../../lib/features/operations.ts'
import { problemKinds } from '../../lib/http/problem.ts'
import { type AuditEventName, auditEvents } from '../../lib/kernel/contract/audit-events.ts'
import { clientAddressPermission, permissions } from '../../lib/kernel/contract/permissions.ts'
import { scopes } from '../../lib/kernel/contract/scopes.ts'
import { reasons } from '../../lib/kernel/errors/reasons.ts'
import { freeLoginFailures, loginBackOffFirstMs, loginBackOffMaxMs } from '../../lib/kernel/limits/limits.ts'
import {
  rateLimitDefaults,
  rateLimitDescriptions,
  rateLimitNames,
} from '../../lib/kernel/limits/rate-limits.ts'
import { describeDuration } from '../../lib/kernel/util/time.ts'
import { buildConfigurationSchema } from '../../lib/open-api/configuration-schema.ts'
import { publishedClientPermissions } from '../../lib/published-clients/permissions.ts'
import { gatewayAnswers } from '../../local/gateway/respond.ts'
import { describeHooks } from '../client/hook-files.ts'
import { agentsPage } from './agents-page.ts'
import { comparisonPage } from './comparison.ts'
import { connectionPages } from './connections-page.ts'
import { frameworkPages } from './framework-pages.ts'
import { interfaceFile } from './interface-file.ts'
import { code, codeList, markdownTable, operationsPage, page } from './operations-page.ts'
import { readmeFiles } from './readme.ts'
import { scalingPage } from './scaling-page.ts'
import { settingsPage } from './settings-page.ts'

/** Every generated page, by its path. */
export const generatedPages = (): ReadonlyMap<string, string> =>
  new Map([
    ['docs/reference/operations.md', operationsPage()],
    ['docs/reference/error-codes.md', errorCodesPage()],
    ['docs/reference/audit-events.md', auditEventsPage()],
    ['docs/reference/settings.md', settingsPage()],
    ['docs/reference/rate-limits.md', rateLimitsPage()],
    ['docs/reference/permissions.md', permissionsPage()],
    ['docs/reference/scopes.md', scopesPage()],
    ['docs/reference/interface.json', interfaceFile()],
    ['docs/reference/latchkey.schema.json', configurationSchemaFile()],
    ['docs/reference/hooks.schema.json', hooksSchemaFile()],
    ['docs/reference/README.md', indexPage()],
    ['docs/decisions/README.md', decisionIndex()],
    ['docs/comparison.md', comparisonPage()],
    ['docs/cost.md', costPage()],
    ['docs/scaling.md', scalingPage()],
    agentsPage(),
    ...connectionPages(),
    ...frameworkPages(),
    ...readmeFiles(),
  ])

const configurationSchemaFile = (): string => `${JSON.stringify(buildConfigurationSchema(), null, 2)}\n`

/** What hooks get and answer, as JSON Schema. */
const hooksSchemaFile = (): string =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: describeHooks() }, null, 2)}\n`

const indexPage = (): string =>
  page(
    'Reference',
    `These pages are generated from the code. The complete description of the interface, with fields, examples and errors, is the page
\`/docs\` of each service, and its OpenAPI document \`GET /api/2/openapi.json\`.

- [Operations](operations.md), and who may call them
- [Error codes and reasons](error-codes.md)
- [Audit events](audit-events.md)
- [Settings](settings.md)
- [Rate limits](rate-limits.md)
- [Permissions](permissions.md)
- [Scopes of API tokens](scopes.md)
- [The schema of hooks](hooks.schema.json): what they get and may answer, see [Hooks](../concepts/hooks.md)
- [The schema of configuration files](latchkey.schema.json), for editors: see [Configuration as code](../as-code.md)
- [The interface without texts](interface.json), in which a review sees each changed path, field and access`,
  )

const auditEventsPage = (): string =>
  page(
    'Audit events',
    `Every change writes its audit event in the same transaction. Refused requests are recorded as well. Events are kept
for as many days as the setting \`auditRetentionDays\` says. [Call the service](../call-the-service.md#follow-the-audit-events) shows how to read and subscribe to them.`,
    `\`user\` is the affected account, and \`actor\` is the user who acted. \`target\` and \`outcome\` depend on the event.
\`ip\` and \`request_id\` identify the request. \`outcome\` is \`succeeded\` unless the
table says otherwise. \`count\` is the number of refusals since the previous event of this kind and network.`,
    markdownTable(
      ['event', 'meaning', 'written by'],
      (Object.entries(auditEvents) as [AuditEventName, string][]).map(([name, meaning]) => [
        code(name),
        meaning,
        name === 'access.denied' ? 'every operation' : listWriters(({ audit }) => audit?.includes(name)),
      ]),
    ),
  )

const listWriters = (writes: (writer: Partial<Writer>) => boolean | undefined): string =>
  [
    ...operations.filter(writes).map(linkTo),
    ...Object.entries<Writer>(backgroundWriters)
      .filter(([, writer]) => writes(writer))
      .map(([name]) => (name === 'command line' ? `the ${name}` : `the function ${code(name)}`)),
  ].join(', ')

const linkTo = ({ id }: { readonly id: string }): string => `[${id}](operations.md#${id})`

const rateLimitsPage = (): string =>
  page(
    'Rate limits',
    `A request above a limit gets status 429, code \`too_many_requests\`, and a \`Retry-After\` header in seconds. Change
limits with the setting \`RATE_LIMITS\` (local mode) or \`rateLimits\` (deployed), for example
\`otpGuesses=10/300\` for 10 events in 300 seconds. See [Configuration](../configuration.md#rate-limits).`,
    markdownTable(
      ['limit', 'default', 'counts', 'counted by'],
      rateLimitNames.map((name) => {
        const { max, windowMs } = rateLimitDefaults[name]
        const span = `${max} in ${describeDuration(windowMs)}`
        return [
          code(name),
          span,
          rateLimitDescriptions[name],
          listWriters(({ limits }) => limits?.includes(name)),
        ]
      }),
    ),
    '## Fixed limits',
    `- After ${freeLoginFailures} failed sign-ins for one account from one address, each further one must wait. The wait starts
  at ${describeDuration(loginBackOffFirstMs)} and doubles up to ${describeDuration(loginBackOffMaxMs)}.`,
  )

const permissionsPage = (): string =>
  page(
    'Permissions',
    `Users have permissions of their own and those of their groups. The field \`effective_permissions\` of a user lists
both. Products can store more permissions of the form \`word:word\` or \`word:word:word\`. Latchkey stores and returns
them, but does not check them.`,
    markdownTable(
      ['permission', 'allows'],
      Object.entries(permissions).map(([name, text]) => [code(name), text]),
    ),
    ...Object.keys(permissions).flatMap((name) => {
      const needing = operations.filter(
        ({ access }) =>
          (access.allow === 'permission' || access.allow === 'role') && access.permission === name,
      )
      return [`## Operations that require \`${name}\``, needing.map(lineOf).join('\n')]
    }),
  )

const lineOf = ({ id, summary }: { readonly id: string; readonly summary: string }): string =>
  `- [\`${id}\`](operations.md#${id}): ${summary}`

const scopesPage = (): string =>
  page(
    'Scopes of API tokens',
    `An API token without scopes may do what its owner may, except for operations that reject API tokens. An API token
with scopes is limited to the operations and permissions of its scopes. [API tokens](../concepts/api-tokens.md) explains
both.`,
    markdownTable(
      ['scope', 'allows', 'operations'],
      Object.entries(scopes).map(([scope, text]) => [code(scope), text, linksOf(scope)]),
    ),
    `The scope \`system:admin-access\` includes every other scope. Permissions of products are scopes, too. They limit the
permissions that a checked ticket shows. Every permission that the owner holds is accepted, and always these:
${codeList(publishedClientPermissions)}.`,
  )

const linksOf = (scope: string): string =>
  operations
    .filter(
      ({ access, acceptsProduct }) =>
        (access.allow !== 'anyone' && access.scope === scope) ||
        (acceptsProduct && scope === clientAddressPermission),
    )
    .map(linkTo)
    .join(', ')

const folder = 'docs/decisions'

/** The index of the decision records: a table for each topic, in the order of the records. */
const decisionIndex = (): string => {
  const records = readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .sort()
    .map(readRecord)
  const topics = [...new Set(records.map(({ topic }) => topic))]
  return page(
    'Decisions',
    'Each record says what was decided, which alternatives were rejected, and why. The other pages say how things work.',
    ...topics.flatMap((topic) => [
      `## ${topic}`,
      markdownTable(
        ['number', 'title', 'status'],
        records.filter((record) => record.topic === topic).map(({ cells }) => cells),
      ),
    ]),
  )
}

const readRecord = (name: string) => {
  const text = readFileSync(join(folder, name), 'utf8')
  const read = (pattern: RegExp): string => {
    const value = pattern.exec(text)?.[1]
    if (value === undefined) throw new Error(`${folder}/${name}: no line matches ${pattern}.`)
    return value
  }
  const link = `[${read(/^# \d+\. (.+)$/m)}](${name})`
  return {
    topic: read(/^- Topic: (.+)$/m),
    cells: [name.slice(0, 4), link, read(/^- Status: (Accepted|Superseded by .+)$/m)],
  }
}

const errorCodesPage = (): string =>
  page(
    'Error codes and reasons',
    `An error is a problem body (RFC 9457) of the type \`application/problem+json\`. Branch on \`code\` and \`reason\`.
They are stable. The texts in \`title\`, \`detail\` and \`errors\` may change. Include \`request_id\` in support requests:
it identifies the request in the log.

Some requests never reach a function. API Gateway answers them itself, with \`{"message": "…"}\` of the type
\`application/json\` and the header \`Apigw-Requestid\`. Local mode does the same.

A service with a [front door](../deploy.md#front-door) answers requests that come past it with 403 and
\`{"message": "Forbidden"}\`.`,
    markdownTable(
      ['status', 'message', 'when'],
      Object.values(gatewayAnswers).map(({ status, message, when }) => [String(status), code(message), when]),
    ),
    '## Codes',
    markdownTable(
      ['status', 'code', 'default detail'],
      Object.entries(problemKinds).map(([name, { status, detail }]) => [String(status), code(name), detail]),
    ),
    '## Reasons',
    'Some errors have a `reason` that refines the code.',
    markdownTable(
      ['reason', 'with code', 'meaning'],
      [...reasons].map(([name, { codes, meaning }]) => [code(name), codeList(codes), meaning]),
    ),
    '## Reasons of SAML responses',
    `If a SAML response fails a check, the code is \`login_failed\` and the reason is the name of the check. The table
lists the checks in their order. [SAML](../concepts/saml.md#diagnose-a-response) explains how to run them on a response.`,
    markdownTable(
      ['reason', 'check', 'source'],
      checks.map(({ name, statement, clause }) => [code(name), statement, clause]),
    ),
  )
