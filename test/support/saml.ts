import { randomInt } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { buildConnectionSessionSteps } from '../../lib/accounts/sessions/session-index.records.ts'
import type { ProviderSubject, SessionRecord } from '../../lib/accounts/sessions/stored-session.records.ts'
import { createSession } from '../../lib/accounts/sessions/write-sessions.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { TestBrowser } from './browser.ts'
import { makeCertificate, type TestCertificate } from './certificates.ts'
import type { Answer } from './client.ts'
import type { SignInTarget } from './idp/assertion.ts'
import type { AnswerFacts, SignInAnswer, TestIdp } from './idp.ts'
import { addSignedIn } from './people.ts'
import type { TestService } from './service.ts'

/** A provider of the service, with its test identity provider. */
export interface TestProvider {
  readonly id: number
  readonly idp: TestIdp
  /** The service's own certificate and key. */
  readonly own: TestCertificate
  readonly loginUrl: string
  readonly logoutUrl: string
  readonly assertionUrl: string
  /** The URL for logout messages of the provider. */
  readonly logoutReturnUrl: string
  readonly metadataUrl: string
  /** The credential of an administrator, for changes of the provider. */
  readonly admin: string
}

let ownPair: Promise<TestCertificate> | undefined

/** Adds an identity provider to the service over HTTP. */
export const addProvider = async (
  service: TestService,
  idp: TestIdp,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<TestProvider> => {
  ownPair ??= makeCertificate({ name: 'service' })
  const own = await ownPair
  const { bearer: admin } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const body = idp.providerBody({ sp_certificate: own.pem, sp_certificate_key: own.keyPem, ...fields })
  const answer = await service.client('POST', '/api/2/auth/saml', { bearer: admin, body })
  if (answer.status !== 201) throw new Error(`the provider was not added: ${answer.text}`)
  const { id, login_url: loginUrl, logout_url: logoutUrl } = answer.body
  return {
    id,
    idp,
    own,
    admin,
    loginUrl,
    logoutUrl,
    assertionUrl: answer.body.assertion_url,
    metadataUrl: answer.body.metadata_url,
    logoutReturnUrl: `${logoutUrl}/return`,
  }
}

/** Changes a provider over HTTP. */
export const patchProvider = async (
  service: TestService,
  { id, admin }: TestProvider,
  body: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const answer = await service.client('PATCH', `/api/2/auth/saml/${id}`, { bearer: admin, body })
  if (answer.status !== 200) throw new Error(`the provider was not changed: ${answer.text}`)
}

/** Gives a provider exactly these domains over HTTP. An administrator vouches for them. */
export const vouchForDomains = async (
  service: TestService,
  { id, admin: bearer }: Pick<TestProvider, 'id' | 'admin'>,
  domains: readonly string[],
): Promise<void> => {
  const path = `/api/2/auth/connections/${id}/domains`
  const { body: before } = await service.client('GET', path, { bearer })
  for (const { domain } of before) await service.client('DELETE', `${path}/${domain}`, { bearer })
  for (const domain of domains) {
    const added = await service.client('POST', path, { bearer, body: { domain } })
    const { status } = await service.client('POST', `${path}/${added.body.domain}/vouch`, { bearer })
    if (status !== 200) throw new Error(`the domain was not added: ${added.text}`)
  }
}

/** A started sign-in: the browser is at the identity provider. */
export interface StartedSignIn {
  readonly browser: TestBrowser
  readonly target: SignInTarget
}

/** Starts a sign-in and reads the request as the identity provider. */
export const startSignIn = async (
  service: TestService,
  { loginUrl, idp, own }: TestProvider,
  query = '',
  browser = new TestBrowser(service),
): Promise<StartedSignIn> => {
  const answer = await browser.get(loginUrl + query)
  if (answer.status !== 303) throw new Error(`the sign-in was not started: ${answer.status} ${answer.text}`)
  const request = idp.read(answer.headers.get('location') ?? '', [own.pem])
  return { browser, target: idp.targetOf(request) }
}

export interface CompletedSignIn extends StartedSignIn {
  readonly sent: SignInAnswer
  readonly answer: Answer
  /** The session credential. */
  readonly session: string
}

/** Signs in through an identity provider. @throws Error if the service rejects the response. */
export const signInByConnection = async (
  service: TestService,
  provider: TestProvider,
  facts: AnswerFacts = {},
  browser = new TestBrowser(service),
): Promise<CompletedSignIn> => {
  const { target } = await startSignIn(service, provider, '', browser)
  const sent = await provider.idp.answer(target, facts)
  const answer = await browser.post(target.acsUrl, sent.form)
  const session = sessionOf(answer)
  if (answer.status !== 303 || session === undefined)
    throw new Error(`the sign-in was rejected: ${answer.status} ${answer.text}`)
  return { browser, target, sent, answer, session }
}

/** Returns the session credential from the cookie of a response. */
export const sessionOf = ({ cookies }: Answer): string | undefined =>
  cookies.map((line) => /^(?:__Host-)?latchkey=(lks_[0-9A-Za-z]+);/.exec(line)?.[1]).find((value) => value)

/** Returns the user of a session; `undefined` if the session is invalid. */
export const userOfSession = async (service: TestService, session: string): Promise<number | undefined> => {
  const answer = await service.client('GET', '/api/2/users/me', { bearer: session })
  return answer.status === 200 ? answer.body.id : undefined
}

/** Writes a session directly to the table, as a sign-in through a provider does. */
export const seedSamlSession = async (
  { services }: TestService,
  { id: providerId }: Pick<TestProvider, 'id'>,
  user: UserRecord,
  subject: Partial<ProviderSubject> = {},
): Promise<{ readonly value: string; readonly session: SessionRecord }> => {
  const { value, hash } = mintCredential('session', user.id)
  const now = services.now()
  const session: SessionRecord = {
    hash,
    id: randomInt(1, 2 ** 31),
    userId: user.id,
    credentialEpoch: user.credentialEpoch,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + 3_600_000,
    address: '127.0.0.1',
    userAgent: '',
    authentication: { at: now, methods: ['saml'], connection: providerId },
    providerSubject: {
      providerId,
      kind: 'saml',
      nameId: 'ada@example.com',
      nameIdFormat: null,
      nameQualifier: null,
      spNameQualifier: null,
      sessionIndex: null,
      ...subject,
    },
  }
  // The index time is ahead, so that no earlier logout blocks the session.
  await createSession(services.table, session, buildConnectionSessionSteps(session, now + 60_000))
  return { value, session }
}

/** Returns all items of the table whose sort key has this prefix. */
export const itemsIn = async (
  service: TestService,
  sortKeyPrefix: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  (await scan(service, 'begins_with(sk, :sk)', { ':sk': sortKeyPrefix })).items

/** Counts the sessions of users, without the index entries of providers. */
export const countSessions = async (service: TestService): Promise<number> => {
  const values = { ':pk': 'user#', ':sk': 'session#' }
  return (await scan(service, 'begins_with(pk, :pk) AND begins_with(sk, :sk)', values, 'COUNT')).count
}

/** One client for all scans, because attacks count the sessions twice for each response. */
let scanner: DynamoDBDocumentClient | undefined

const scan = async (
  { tableName }: TestService,
  filter: string,
  values: Readonly<Record<string, string>>,
  select: 'ALL_ATTRIBUTES' | 'COUNT' = 'ALL_ATTRIBUTES',
) => {
  const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
  scanner ??= DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }))
  const items: Readonly<Record<string, unknown>>[] = []
  let count = 0
  for (let from: Record<string, unknown> | undefined; ; ) {
    const page = await scanner.send(
      new ScanCommand({
        TableName: tableName,
        ConsistentRead: true,
        FilterExpression: filter,
        ExpressionAttributeValues: values,
        Select: select,
        ...(from ? { ExclusiveStartKey: from } : {}),
      }),
    )
    items.push(...(page.Items ?? []))
    count += page.Count ?? 0
    from = page.LastEvaluatedKey
    if (!from) break
  }
  return { items, count }
}
