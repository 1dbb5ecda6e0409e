import { getRouteKey } from '../../lib/contract/operation.ts'
import { operations } from '../../lib/contract/operations.ts'
import { surveyAuditIfDue } from '../../lib/store/audit-chain/survey-audit.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import type { Answer, RequestOptions } from '../support/client.ts'
import { bundle } from '../support/links.ts'
import { SoftwarePasskey } from '../support/passkeys.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import type { TestService } from '../support/service.ts'

/** Sends one request of an operation, with values for the parameters of its path in their order. */
export type Send = (
  id: string,
  parameters: readonly (string | number)[],
  options?: RequestOptions & { readonly query?: string },
) => Promise<Answer>

/** The operations that `sendEveryOperation` leaves out: they need an identity provider, or a link from an email. */
export const leftOut: readonly string[] = operations
  .filter(
    ({ id, group }) =>
      group.startsWith('saml-') ||
      ['login_with_email_code', 'reset_password', 'report_change', 'confirm_email'].includes(id) ||
      ['change_own_email', 'send_email_confirmation', 'send_access_token_email_notification'].includes(id),
  )
  .map(({ id }) => id)

/** Sends a request over HTTP. @throws Error if it does not succeed. */
export const createSend =
  ({ client }: TestService, measure: (id: string, work: () => Promise<Answer>) => Promise<Answer>): Send =>
  async (id, parameters, { query = '', ...options } = {}) => {
    const operation = operations.find((one) => one.id === id)
    if (!operation) throw new Error(`there is no operation ${id}`)
    const [method = '', template = ''] = getRouteKey(operation).split(' ')
    const values = [...parameters]
    const path = template.replaceAll(/\{\w+\}/g, () => String(values.shift())) + query
    const answer = await measure(id, () => client(method, path, options))
    if (!(String(answer.status) in operation.responses))
      throw new Error(`${id}: ${answer.status} ${answer.text}`)
    return answer
  }

/** Sends a request of each operation that a product, its users and its administrators use. */
export const sendEveryOperation = async (service: TestService, send: Send): Promise<void> => {
  const warmUp = (bearer: string) => service.client('GET', '/api/2/users/me', { bearer })
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { bearer } = admin
  // The first request of a session updates the time of last use. Later requests are measured.
  await warmUp(bearer)
  await sendOwnOperations(service, send)
  await sendDirectoryOperations(service, send, bearer)
  await sendCredentialOperations(service, send, bearer)
  for (const { id, group } of operations) if (group === 'pages') await send(id, [])
}

const sendOwnOperations = async (service: TestService, send: Send): Promise<void> => {
  const person = await addPerson(service)
  const credentials = { username: person.user.username, password: person.password }
  const { session_key: bearer } = (await send('login', [], { body: credentials })).body
  await service.client('GET', '/api/2/users/me', { bearer })
  await send('get_current_user', [], { bearer })
  const { ticket } = (await send('create_auth_ticket', [], { bearer, body: {} })).body
  await send('check_auth_ticket', [], { body: { ticket } })
  await send('update_current_user', [], { bearer, body: { language: 'de' } })
  await send('confirm_identity', [], { bearer, body: { password: person.password } })
  const other = await signIn(service, person)
  const sessions = (await send('get_own_sessions', [], { bearer })).body
  const others: readonly { id: string; is_current: boolean }[] = sessions
  await send('end_own_session', [others.find((one) => !one.is_current)?.id ?? ''], { bearer })
  await send('generate_password', [], { bearer, body: {} })
  await send('evaluate_password', [], { bearer, body: { password: 'Password1' } })
  await send('request_password_reset', [], { body: { username: person.user.username } })
  const body = { current_password: person.password, password: 'Another good and long password' }
  await send('change_own_password', [], { bearer, body })
  await send('report_leaked_credentials', [], { body: { token: other } })
  await send('logout_page', [], { bearer })
  await send('logout', [], { bearer: await signIn(service, { ...person, password: body.password }) })
}

const sendDirectoryOperations = async (service: TestService, send: Send, bearer: string): Promise<void> => {
  const ada = { username: 'ada', email: 'ada@example.com', groups: [], permissions: [], fm_bookmarks: [] }
  const { id } = (await send('create_user', [], { bearer, body: ada })).body
  await send('get_user', [id], { bearer })
  await send('get_all_users', [], { bearer })
  await send('update_user', [id], { bearer, body: ada })
  await send('patch_user', [id], { bearer, body: { email: 'lovelace@example.com' } })
  await send('set_user_password', [id], { bearer, body: { password: 'A good and long password' } })
  await send('send_password_reset', [id], { bearer })
  await send('start_impersonation', [], { bearer, body: { user: id } })
  await send('stop_impersonation', [], { bearer, body: {} })
  await send('end_user_sessions', [id], { bearer })
  const kinds = [
    { kind: 'group', body: { name: 'group', members: [{ id }] } },
    { kind: 'user_template', body: { name: 'template' } },
  ]
  for (const { kind, body } of kinds) {
    const made = (await send(`create_${kind}`, [], { bearer, body })).body
    await send(`get_all_${kind}s`, [], { bearer })
    await send(`get_${kind}`, [made.id], { bearer })
    await send(`update_${kind}`, [made.id], { bearer, body })
    await send(`patch_${kind}`, [made.id], { bearer, body: { name: 'other' } })
    await send(`delete_${kind}`, [made.id], { bearer })
  }
  await send('delete_user', [id], { bearer })
  // On AWS, a schedule runs this. The cost of a list depends on it.
  await surveyAuditIfDue(service.services.table, service.services.now())
  await send('get_audit_events', [], { bearer })
  for (const policy of ['password', 'sign_in']) {
    const { body } = await send(`get_${policy}_policy`, [], { bearer })
    await send(`update_${policy}_policy`, [], {
      bearer,
      body: policy === 'sign_in' ? { ...body, allow_email_codes: true } : body,
    })
  }
  await send('request_email_code', [], { body: { username: 'ada' } })
  const { bearer: own, user } = await addSignedIn(service)
  const { key, code } = newAuthenticator()
  await send('enable_totp', [user.id], { bearer: own, body: { key, otp: code() } })
  await send('renew_recovery_codes', [user.id], { bearer: own, body: {} })
  await send('sync_totp', [user.id], { bearer: own, body: { otp: code(3) } })
  await send('disable_totp', [user.id], { bearer: own, query: `?otp=${code(4)}` })
}

const sendCredentialOperations = async (service: TestService, send: Send, bearer: string): Promise<void> => {
  const token = (await send('create_api_token', [], { bearer, body: { name: 'token' } })).body.id
  await send('get_all_api_tokens', [], { bearer })
  await send('get_api_token', [token], { bearer })
  await send('update_api_token', [token], { bearer, body: { name: 'other' } })
  await send('patch_api_token', [token], { bearer, body: { name: 'another' } })
  await send('delete_api_token', [token], { bearer })

  const shared = { bundles: [bundle()], email: 'guest@example.com' }
  const link = (await send('create_access_token', [], { bearer, body: shared })).body
  await send('get_all_access_tokens', [], { bearer })
  await send('get_access_token', [link.id], { bearer })
  await send('get_access_token_media_library_permissions', [link.id], { bearer })
  await send('get_access_token_by_value', [link.token])
  await send('redeem_access_token', [], { body: { token: link.token } })
  await send('delete_access_token', [link.id], { bearer })

  const { bearer: own, user } = await addSignedIn(service)
  const origin = service.url
  const passkey = new SoftwarePasskey()
  const add = async () => {
    const { body } = await send('start_passkey_registration', [], { bearer: own })
    const credential = passkey.create(body, { origin })
    return (await send('create_passkey', [], { bearer: own, body: { credential } })).body.id
  }
  const id = await add()
  await send('get_own_passkeys', [], { bearer: own })
  await send('patch_passkey', [id], { bearer: own, body: { name: 'Laptop' } })
  const { body: settings } = await send('get_passkey_settings', [], { bearer: own })
  await send('update_passkey_settings', [], { bearer: own, body: settings })
  const challenge = await send('start_passkey_login', [], { body: {} })
  await send('login_with_passkey', [], { body: { credential: passkey.get(challenge.body, { origin }) } })
  const again = await send('start_passkey_reauthentication', [], { bearer: own, body: {} })
  const proof = { credential: passkey.get(again.body, { origin }) }
  await send('reauthenticate_with_passkey', [], { bearer: own, body: proof })
  await send('get_user_passkeys', [user.id], { bearer })
  await send('delete_passkey', [id], { bearer: own })
  await send('delete_user_passkey', [user.id, await add()], { bearer })
}
