import type { pages } from '../../lib/contract/operations/pages.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { seeBox, setPage } from './layout.ts'
import { tokens } from './token.ts'

const content = `
<p role="status" id="state" aria-live="polite"></p>
<p role="alert" id="problem"></p>
<form id="reset" method="post">
<label>New password <input id="password" name="password" type="password" autocomplete="new-password" required autofocus></label>
<label>The same again <input id="again" name="again" type="password" autocomplete="new-password" required></label>
${seeBox}
<button>Set the password</button>
<button type="button" class="quiet" id="suggest">Suggest one</button>
</form>
<p id="onward" hidden><a href="/">Sign in</a></p>
`

const script = `
const title = document.title
const fields = ['password', 'again']
let token = ''
const show = (isGood) => {
  byId('reset').reset()
  showTyped(false, fields)
  byId('reset').hidden = !isGood
  byId('onward').hidden = isGood
}
const finish = () => {
  show(false)
  byId('onward').firstChild.textContent = 'Sign in'
  say('state', ['Your new password is set. Sign in with it.'])
}
const refuse = (sentence) => {
  show(false)
  byId('onward').firstChild.textContent = 'Go to the sign-in page'
  say('state', [])
  say('problem', [sentence + ' To get a new one, go to the sign-in page and press “I don’t know my password”.'])
}
const told = (answer) => {
  if (answer.status !== 401 && answer.body.code !== 'invalid_token') return say('problem', sentences(answer))
  refuse(plainWords.invalid_token)
  byId('onward').firstChild.focus()
}
byId('see').addEventListener('change', () => showTyped(byId('see').checked, fields))
byId('reset').addEventListener('submit', (event) => {
  event.preventDefault()
  void whileBusy(event.target, async () => {
    say('problem', [])
    const password = byId('password').value
    if (password !== byId('again').value) return say('problem', ['The two passwords are not the same.'])
    const answer = await call('POST', '/api/2/auth/reset-password', { token, password })
    if (!answer.ok) return told(answer)
    keepInstead({ isDone: true })
    finish()
    turnTo('Your password is changed')
  })
})
byId('suggest').addEventListener('click', () => {
  void whileBusy(byId('reset'), async () => {
    say('problem', [])
    const answer = await call('POST', '/api/2/auth/generate-password', undefined, token)
    if (!answer.ok) return told(answer)
    showTyped(true, fields)
    byId('password').value = byId('again').value = answer.body.password
    byId('password').select()
    say('state', ['Keep it in your password manager before you go on.'])
  })
})
await withToken((given, { isDone }) => {
  token = given
  setTitle(isDone ? 'Your password is changed' : title)
  say('problem', [])
  say('state', [])
  if (isDone) finish()
  else if (token) show(true)
  else refuse('This link is not complete. Open it from the mail once more.')
})
`

const { html, headers } = setPage('Choose a new password', content, tokens + script)

export const resetPage: UseCase<typeof pages.resetPage> = async () => ({ status: 200, body: html, headers })
