import { randomInt } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import type { SamlSubject, SessionRecord } from '../../lib/store/records/session-record.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { buildSamlSessionSteps } from '../../lib/store/sign-in/saml-session-index.ts'
import { createSession } from '../../lib/store/sign-in/sessions.ts'
import { TestBrowser } from './browser.ts'
import { makeCertificate, type TestCertificate } from './certificates.ts'
import type { Answer } from './client.ts'
import type { SignInTarget } from './idp/assertion.ts'
import type { AnswerFacts, SignInAnswer, TestIdp } from './idp.ts'
import { addSignedIn } from './people.ts'
import type { TestService } from './service.ts'

/** A provider as the service knows it, with what the test knows of it besides. */
export interface TestProvider {
  readonly id: number
  readonly idp: TestIdp
  /** The service's own certificate and key. */
  readonly own: TestCertificate
  readonly loginUrl: string
  readonly logoutUrl: string
  readonly assertionUrl: string
  /** Where logout messages are sent to. */
  readonly logoutReturnUrl: string
  readonly metadataUrl: string
  /** An administrator's session, to change the provider by. */
  readonly admin: string
}

let ownPair: Promise<TestCertificate> | undefined

/** Adds an identity provider to the service, as an administrator does. */
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

/** Changes a provider. */
export const patchProvider = async (
  service: TestService,
  { id, admin }: TestProvider,
  body: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const answer = await service.client('PATCH', `/api/2/auth/saml/${id}`, { bearer: admin, body })
  if (answer.status !== 200) throw new Error(`the provider was not changed: ${answer.text}`)
}

/** A sign-in that has begun: the browser is at the identity provider. */
export interface BegunSignIn {
  readonly browser: TestBrowser
  readonly target: SignInTarget
}

/** Begins a sign-in, up to where the identity provider reads the request. */
export const beginSignIn = async (
  service: TestService,
  { loginUrl, idp, own }: TestProvider,
  query = '',
  browser = new TestBrowser(service),
): Promise<BegunSignIn> => {
  const answer = await browser.get(loginUrl + query)
  if (answer.status !== 303) throw new Error(`no sign-in began: ${answer.status} ${answer.text}`)
  const request = idp.read(answer.headers.get('location') ?? '', [own.pem])
  return { browser, target: idp.targetOf(request) }
}

export interface SignedInBySaml extends BegunSignIn {
  readonly sent: SignInAnswer
  readonly answer: Answer
  /** The session's credential. */
  readonly session: string
}

/** Signs in through an identity provider. @throws Error when the service refuses. */
export const signInBySaml = async (
  service: TestService,
  provider: TestProvider,
  facts: AnswerFacts = {},
  browser = new TestBrowser(service),
): Promise<SignedInBySaml> => {
  const { target } = await beginSignIn(service, provider, '', browser)
  const sent = await provider.idp.answer(target, facts)
  const answer = await browser.post(target.acsUrl, sent.form)
  const session = sessionOf(answer)
  if (answer.status !== 303 || session === undefined)
    throw new Error(`the sign-in was refused: ${answer.status} ${answer.text}`)
  return { browser, target, sent, answer, session }
}

/** The session that an answer sets a cookie for. */
export const sessionOf = ({ cookies }: Answer): string | undefined =>
  cookies.map((line) => /^(?:__Host-)?latchkey=(lks_[0-9A-Za-z]+);/.exec(line)?.[1]).find((value) => value)

/** Whose session that is; undefined when it is no good. */
export const userOfSession = async (service: TestService, session: string): Promise<number | undefined> => {
  const answer = await service.client('GET', '/api/2/users/me', { bearer: session })
  return answer.status === 200 ? answer.body.id : undefined
}

/** Puts a session into the table as a sign-in through a provider would. */
export const seedSamlSession = async (
  { services }: TestService,
  { id: providerId }: Pick<TestProvider, 'id'>,
  user: UserRecord,
  subject: Partial<SamlSubject> = {},
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
    saml: {
      providerId,
      nameId: 'ada@example.com',
      nameIdFormat: null,
      nameQualifier: null,
      spNameQualifier: null,
      sessionIndex: null,
      ...subject,
    },
  }
  // By a clock that is ahead, so that no logout from before keeps it out.
  await createSession(services.table, session, buildSamlSessionSteps(session, now + 60_000))
  return { value, session }
}

/** Everything in the table whose sort key begins so: what no interface shows. */
export const itemsIn = async (
  service: TestService,
  sortKeyPrefix: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  (await scan(service, 'begins_with(sk, :sk)', { ':sk': sortKeyPrefix })).items

/** How many sessions there are, of users and not as markers of providers. */
export const countSessions = async (service: TestService): Promise<number> => {
  const values = { ':pk': 'user#', ':sk': 'session#' }
  return (await scan(service, 'begins_with(pk, :pk) AND begins_with(sk, :sk)', values, 'COUNT')).count
}

const scan = async (
  { tableName }: TestService,
  filter: string,
  values: Readonly<Record<string, string>>,
  select: 'ALL_ATTRIBUTES' | 'COUNT' = 'ALL_ATTRIBUTES',
) => {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: process.env['DYNAMODB_ENDPOINT'] ?? '' }),
  )
  const items: Readonly<Record<string, unknown>>[] = []
  let count = 0
  for (let from: Record<string, unknown> | undefined; ; ) {
    const page = await client.send(
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
  client.destroy()
  return { items, count }
}
