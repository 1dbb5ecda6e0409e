import type { pages } from '../../lib/contract/operations/pages.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { setPage } from './layout.ts'

const content = `
<p role="status" id="state" aria-live="polite"></p>
<p role="alert" id="problem"></p>
<form id="sign-in" method="post">
<label>Username <input id="username" name="username" autocomplete="username" required autofocus></label>
<label>Password <input id="password" name="password" type="password" autocomplete="current-password" required></label>
<label id="otp-field" hidden>Code of your authenticator
<input id="otp" name="otp" inputmode="numeric" autocomplete="one-time-code"></label>
<label id="new-field" hidden>New password
<input id="new" name="new" type="password" autocomplete="new-password"></label>
<button>Sign in</button>
<button type="button" class="quiet" id="forgot">I don’t know my password</button>
</form>
<p id="providers" hidden></p>
<form id="signed-in" method="post" hidden><button>Sign out</button></form>
`

const script = `
const show = (me) => {
  byId('sign-in').hidden = Boolean(me)
  byId('providers').hidden = Boolean(me) || !byId('providers').hasChildNodes()
  byId('signed-in').hidden = !me
  say('state', me ? ['You are signed in as ' + me.display_name + '.'] : [])
}
const reveal = (field, input) => {
  byId(field).hidden = false
  byId(input).required = true
  byId(input).focus()
}
byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault()
  void whileBusy(event.target, async () => {
    say('problem', [])
    const value = (id) => byId(id).value
    const answer = await call('POST', '/api/2/auth/login', {
      username: value('username'),
      password: value('password'),
      ...(value('otp') ? { otp: value('otp') } : {}),
      ...(value('new') ? { new_password: value('new') } : {}),
    })
    if (answer.ok) {
      byId('sign-in').reset()
      if (answer.body.redirect) location.assign(answer.body.redirect)
      else show(answer.body.user)
      return
    }
    const { reason } = answer.body
    if (reason === 'otp_required') reveal('otp-field', 'otp')
    else if (reason === 'password_change_required') reveal('new-field', 'new')
    say('problem', reason === 'otp_required' ? ['Type the code of your authenticator as well.']
      : reason === 'password_change_required' ? ['Choose a new password to go on.'] : sentences(answer))
  })
})
byId('forgot').addEventListener('click', () => {
  const username = byId('username')
  if (!username.reportValidity()) return
  void whileBusy(byId('sign-in'), async () => {
    const answer = await call('POST', '/api/2/auth/reset-password/request', { username: username.value })
    if (answer.ok) say('state', ['If there is such an account with an e-mail address, a link is on its way to it.'])
    say('problem', answer.ok ? [] : sentences(answer))
  })
})
byId('signed-in').addEventListener('submit', (event) => {
  event.preventDefault()
  void whileBusy(event.target, async () => {
    await call('POST', '/api/2/auth/logout')
    show()
  })
})
const offered = await call('GET', '/api/2/auth/saml?ordering=name&limit=20').catch(() => ({ ok: false }))
for (const { id, name, disabled_in_client: isHidden } of offered.ok ? offered.body : []) {
  if (isHidden) continue
  const href = '/api/2/auth/saml/' + id + '/sso'
  byId('providers').append(Object.assign(document.createElement('a'), { href, textContent: 'Sign in with ' + name }))
}
const me = await call('GET', '/api/2/users/me').catch(() => ({ ok: false }))
show(me.ok ? me.body : undefined)
if (new URLSearchParams(location.search).get('error') === 'sign_in_not_finished')
  say('problem', ['The sign-in was not finished. Begin once more.'])
`

const { html, headers } = setPage('Sign in', content, script)

export const signInPage: UseCase<typeof pages.signInPage> = async () => ({ status: 200, body: html, headers })
