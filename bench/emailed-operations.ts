import { readMailed } from '../test/support/deliver-mail.ts'
import { addSharer, newAddress, shareLink } from '../test/support/mailed-links.ts'
import { SoftwarePasskey } from '../test/support/passkeys.ts'
import { addPerson, addSignedIn } from '../test/support/people.ts'
import type { TestService } from '../test/support/service.ts'
import type { Send } from './send-operation.ts'

/** Sends the requests that send an email or use what an email contains. Sign-in by email must be allowed. */
export const sendEmailedOperations = async (
  service: TestService,
  send: Send,
  bearer: string,
): Promise<void> => {
  const email = newAddress()
  const person = await addSignedIn(service, { email })
  const { username } = person.user
  await service.client('GET', '/api/2/users/me', { bearer: person.bearer })

  const { request_id } = (await send('request_email_code', [], { body: { username } })).body
  const code = await readMailed(service, email, 'code')
  await send('login_with_email_code', [], { body: { request_id, code } })

  const next = newAddress()
  await send('change_own_email', [], { bearer: person.bearer, body: { email: next } })
  const confirmation = await readMailed(service, next, 'token')
  await send('find_email_confirmation', [], { bearer: person.bearer, body: { token: confirmation } })
  await send('confirm_email', [], { bearer: person.bearer, body: { token: confirmation } })

  await send('request_password_reset', [], { body: { username } })
  const token = await readMailed(service, next, 'token')
  await send('reset_password', [], { body: { token, password: 'Another good and long password' } })
  const report = await readMailed(service, email, 'token')
  await send('report_change', [], { body: { token: report } })

  const { user } = await addPerson(service, {
    email: newAddress(),
    emailVerified: false,
    isEmailFromProvider: true,
  })
  await send('send_email_confirmation', [user.id], { bearer })
  const claimed = await readMailed(service, user.email ?? '', 'token')
  await send('reject_email_confirmation', [], { body: { token: claimed } })

  await sendInvitations(service, send, bearer)
  await sendSignUps(service, send, bearer)

  const sharer = await addSharer(service)
  const link = await shareLink(service, sharer)
  await send('send_access_token_email_notification', [link.id], { bearer: sharer.bearer, body: {} })
}

/** A user accepts with a password, another one with a passkey. Both are invited by the operation that sends it again. */
const sendInvitations = async (service: TestService, send: Send, bearer: string): Promise<void> => {
  const invite = async (): Promise<string> => {
    const email = newAddress()
    const { user } = await addPerson(service, { email, passwordHash: null })
    await send('invite_user', [user.id], { bearer })
    return readMailed(service, email, 'token')
  }
  const token = await invite()
  await send('find_invitation', [], { body: { token } })
  await send('accept_invitation', [], { body: { token, password: 'Another good and long password' } })
  const other = await invite()
  const options = (await send('start_invitation_passkey', [], { body: { token: other } })).body
  const credential = new SoftwarePasskey().create(options, { origin: service.url })
  await send('accept_invitation_with_passkey', [], { body: { token: other, credential } })
  const { user } = await addPerson(service, { email: newAddress(), passwordHash: null })
  await service.client('POST', `/api/2/users/${user.id}/invite`, { bearer })
  await send('revoke_invitation', [user.id], { bearer })
}

/** Someone gets an account at once, and two others ask for one. */
const sendSignUps = async (service: TestService, send: Send, bearer: string): Promise<void> => {
  await send('get_sign_up_policy', [], { bearer })
  await send('update_sign_up_policy', [], { bearer, body: { mode: 'open' } })
  const email = newAddress()
  await send('request_sign_up', [], { body: { email } })
  const token = await readMailed(service, email, 'token')
  await send('find_sign_up', [], { body: { token } })
  await send('complete_sign_up', [], { body: { token, full_name: 'Grace Hopper' } })

  const policy = { mode: 'approval', approvers: [newAddress()] }
  await service.client('PUT', '/api/2/system/sign-up-policy', { bearer, body: policy })
  for (const address of [newAddress(), newAddress()]) {
    await service.client('POST', '/api/2/auth/sign-up', { body: { email: address } })
    const body = { token: await readMailed(service, address, 'token'), full_name: 'Ada' }
    await service.client('POST', '/api/2/auth/sign-up/complete', { body })
  }
  const [first, second] = (await send('get_sign_up_requests', [], { bearer })).body
  await send('approve_sign_up', [first.id], { bearer })
  await send('refuse_sign_up', [second.id], { bearer })
}
