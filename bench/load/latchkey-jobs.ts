import { makeCertificate } from '../../test/support/certificates.ts'
import { clientOf, type Json } from '../../test/support/client.ts'
import { makeIdp } from '../../test/support/idp.ts'
import { createOnce, formRequest, jsonRequest, type PlannedRequest, valuePlaceholder } from './plan.ts'
import { eachPerson, type Job, password, repeatJob, type ScenarioName, usernameOf } from './scenarios.ts'

const bearerOf = (value: string) => ({ authorization: `Bearer ${value}` })
/** Users who sign in through the provider. The warm-up creates them. There are more than requests in flight. */
const samlUsers = 64

/** Creates the scenarios of a running Latchkey, with sessions, API tokens and a SAML provider of its own. */
export const createLatchkeyJobs = async (url: string): Promise<Readonly<Record<ScenarioName, Job>>> => {
  const client = clientOf(url)
  const ask = async (
    method: string,
    path: string,
    bearer: string | undefined,
    body?: object,
  ): Promise<Json> => {
    const answer = await client(method, path, { ...(bearer ? { bearer } : {}), body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  const signInBodies = eachPerson((at) => ({ username: usernameOf(at), password }))
  const sessions: string[] = []
  const tokens: string[] = []
  for (const body of signInBodies) {
    const { session_key: session } = await ask('POST', '/api/2/auth/login', undefined, body)
    const { token } = await ask('POST', '/api/2/api-tokens', session, { name: 'benchmark' })
    sessions.push(session)
    tokens.push(token)
  }
  const [first = ''] = sessions
  const own = await makeCertificate({ name: 'service' })
  const idp = await makeIdp()
  const provider = await ask(
    'POST',
    '/api/2/auth/saml',
    first,
    idp.providerBody({ sp_certificate: own.pem, sp_certificate_key: own.keyPem }),
  )
  const loginPath = new URL(String(provider['login_url'])).pathname

  /** Starts a sign-in and lets the identity provider answer it. */
  const createSamlRequest = async (at: number): Promise<PlannedRequest> => {
    const started = await client('GET', loginPath)
    const request = idp.read(started.headers.get('location') ?? '', [own.pem])
    const target = idp.targetOf(request)
    const { form } = await idp.answer(target, { nameId: `ada-${at % samlUsers}@example.com` })
    const cookie = started.cookies.map((line) => line.split(';')[0]).join('; ')
    return formRequest(new URL(target.acsUrl).pathname, { ...form }, { cookie })
  }

  const me = (value: string) => jsonRequest('GET', '/api/2/users/me', { headers: bearerOf(value) })
  return {
    'sign-in': repeatJob(
      url,
      signInBodies.map((body) => jsonRequest('POST', '/api/2/auth/login', { body })),
    ),
    'who-am-i': repeatJob(url, sessions.map(me)),
    'api-token': repeatJob(url, tokens.map(me)),
    ticket: {
      url,
      expectedStatus: 200,
      plan: async () => ({
        kind: 'exchange',
        first: jsonRequest('POST', '/api/2/auth/ticket', { headers: bearerOf(first), body: {} }),
        field: 'ticket',
        second: jsonRequest('POST', '/api/2/auth/ticket/check', { body: { ticket: valuePlaceholder } }),
      }),
    },
    saml: {
      url,
      expectedStatus: 303,
      plan: async (count) => ({ kind: 'once', requests: await createOnce(count, createSamlRequest) }),
    },
    page: repeatJob(url, [jsonRequest('GET', '/api/2/users?limit=20', { headers: bearerOf(first) })]),
  }
}
