import type { pages } from '../../lib/contract/operations/pages.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { setPage } from './layout.ts'

const content = `
<p role="status" id="state" aria-live="polite"></p>
<p role="alert" id="problem"></p>
<form id="reset" method="post">
<label>New password <input id="password" name="password" type="password" autocomplete="new-password" required autofocus></label>
<label>The same again <input id="again" name="again" type="password" autocomplete="new-password" required></label>
<button>Set the password</button>
<button type="button" class="quiet" id="suggest">Suggest one</button>
</form>
<p id="done" hidden><a href="/">Sign in</a></p>
`

const script = `
const token = new URLSearchParams(location.hash.slice(1)).get('token') || ''
// Out of the address bar and the history: somebody may look over a shoulder.
history.replaceState(null, '', location.pathname)
if (!token) {
  byId('reset').hidden = true
  say('problem', ['This link is not complete. Open it from the mail once more, or ask for a new one.'])
}
byId('reset').addEventListener('submit', (event) => {
  event.preventDefault()
  void whileBusy(event.target, async () => {
    say('problem', [])
    const password = byId('password').value
    if (password !== byId('again').value) return say('problem', ['The two passwords are not the same.'])
    const answer = await call('POST', '/api/2/auth/reset-password', { token, password })
    if (!answer.ok) return say('problem', sentences(answer))
    byId('reset').reset()
    byId('reset').hidden = true
    byId('done').hidden = false
    say('state', ['Your new password is set. Sign in with it.'])
  })
})
byId('suggest').addEventListener('click', () => {
  void whileBusy(byId('reset'), async () => {
    const answer = await call('POST', '/api/2/auth/generate-password', undefined, token)
    if (!answer.ok) return say('problem', sentences(answer))
    byId('password').type = 'text'
    byId('password').value = byId('again').value = answer.body.password
    byId('password').select()
    say('state', ['Keep it in your password manager before you go on.'])
  })
})
`

const { html, headers } = setPage('Choose a new password', content, script)

export const resetPage: UseCase<typeof pages.resetPage> = async () => ({ status: 200, body: html, headers })
