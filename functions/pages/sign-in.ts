import type { pages } from '../../lib/contract/operations/pages.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { seeBox, setPage } from './layout.ts'

const content = `
<p role="status" id="state" aria-live="polite"></p>
<p role="alert" id="problem"></p>
<form id="sign-in" method="post">
<label>Username <input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<label>Password <input id="password" name="password" type="password" autocomplete="current-password" required></label>
<label id="new-field" hidden>New password
<input id="new" name="new" type="password" autocomplete="new-password"></label>
${seeBox}
<label id="otp-field" hidden>Code of your authenticator
<input id="otp" name="otp" inputmode="numeric" autocomplete="one-time-code"></label>
<button>Sign in</button>
<button type="button" class="quiet" id="forgot" aria-describedby="forgot-hint">I don’t know my password</button>
<small id="forgot-hint">To get a link for a new one, type your username or your e-mail address above.</small>
</form>
<p id="providers" hidden></p>
<form id="signed-in" method="post" hidden><button>Sign out</button></form>
`

const script = `
const title = document.title
const masked = ['password', 'new']
const asked = { otp: 'otp-field', new: 'new-field' }
// A link that can be opened once its recipient has signed in: kept out of the address bar.
const waiting = new URLSearchParams(location.hash.slice(1)).get('link')
if (waiting !== null) history.replaceState({ link: waiting }, '', location.pathname)
const linkToGoOnTo = () => {
  const link = (history.state || {}).link || ''
  return /^lka_\\w+$/.test(link) ? '/link#token=' + link : undefined
}
// What is found out about the page's visitor while it is on its way counts only until that has done something itself.
let hasActed = false
const showProviders = () => {
  byId('providers').hidden = byId('sign-in').hidden || !byId('providers').hasChildNodes()
}
const show = (me) => {
  byId('sign-in').hidden = Boolean(me)
  byId('signed-in').hidden = !me
  showProviders()
  setTitle(me ? 'Signed in' : title)
  say('state', me ? ['You are signed in as ' + nameOf(me) + '.'] : [])
}
const reveal = (input) => {
  byId(asked[input]).hidden = false
  byId(input).required = true
  byId(input).focus()
}
// What one user was asked for is nothing that the next has to know.
const conceal = () => {
  for (const [input, field] of Object.entries(asked)) {
    byId(field).hidden = true
    Object.assign(byId(input), { required: false, value: '' })
  }
}
byId('username').addEventListener('input', conceal)
byId('see').addEventListener('change', () => showTyped(byId('see').checked, masked))
byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault()
  hasActed = true
  void whileBusy(event.target, async () => {
    say('problem', [])
    say('state', [])
    const value = (id) => byId(id).value
    const answer = await call('POST', '/api/2/auth/login', {
      username: value('username'),
      password: value('password'),
      ...(value('otp') ? { otp: value('otp') } : {}),
      ...(value('new') ? { new_password: value('new') } : {}),
    })
    if (answer.ok) {
      byId('sign-in').reset()
      showTyped(false, masked)
      conceal()
      const link = linkToGoOnTo()
      if (link) return location.replace(link)
      if (answer.body.redirect) return location.assign(answer.body.redirect)
      show(answer.body.user)
      return turnTo('Signed in')
    }
    const { reason } = answer.body
    if (reason === 'otp_required') reveal('otp')
    else if (reason === 'password_change_required') reveal('new')
    say('problem', reason === 'otp_required' ? ['Type the code of your authenticator as well.']
      : reason === 'password_change_required' ? ['Choose a new password to go on.'] : sentences(answer))
  })
})
byId('forgot').addEventListener('click', () => {
  hasActed = true
  void whileBusy(byId('sign-in'), async () => {
    const typed = byId('username').value.trim()
    say('state', [])
    if (!typed) {
      say('problem', ['Type your username or your e-mail address first.'])
      return byId('username').focus()
    }
    say('problem', [])
    const name = typed.includes('@') ? { email: typed } : { username: typed }
    const answer = await call('POST', '/api/2/auth/reset-password/request', name)
    if (!answer.ok) say('problem', sentences(answer))
    else say('state', ['If there is such an account with an e-mail address, a link is on its way to it.'])
  })
})
byId('signed-in').addEventListener('submit', (event) => {
  event.preventDefault()
  hasActed = true
  void whileBusy(event.target, async () => {
    say('problem', [])
    const answer = await call('POST', '/api/2/auth/logout')
    if (!answer.ok) return say('problem', sentences(answer))
    show()
    byId('username').focus()
  })
})
if (new URLSearchParams(location.search).get('error') === 'sign_in_not_finished')
  say('problem', ['The sign-in was not finished. Begin once more.'])
const [offered, me] = await Promise.all(
  ['/api/2/auth/saml?ordering=name&limit=20', '/api/2/users/me'].map((path) =>
    call('GET', path).catch(() => ({ ok: false })),
  ),
)
for (const { id, name, disabled_in_client: isHidden } of offered.ok ? offered.body : []) {
  if (isHidden) continue
  const href = '/api/2/auth/saml/' + id + '/sso'
  byId('providers').append(Object.assign(document.createElement('a'), { href, textContent: 'Sign in with ' + name }))
}
showProviders()
if (me.ok && !hasActed) show(me.body)
`

const { html, headers } = setPage('Sign in', content, script)

export const signInPage: UseCase<typeof pages.signInPage> = async () => ({ status: 200, body: html, headers })
