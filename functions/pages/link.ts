import type { pages } from '../../lib/contract/operations/pages.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { setPage } from './layout.ts'

const content = `
<p role="status" id="state" aria-live="polite">Looking at the link…</p>
<p role="alert" id="problem"></p>
<form id="open" method="post" hidden>
<label id="password-field" hidden>Password of the link
<input id="password" name="password" type="password" autocomplete="off"></label>
<button>Open</button>
</form>
<p id="sign-in" hidden><a href="/">Sign in</a></p>
`

// Nothing is used up before somebody presses the button: what scans mails may run scripts, too.
const script = `
const token = new URLSearchParams(location.hash.slice(1)).get('token') || ''
// Out of the address bar and the history: somebody may look over a shoulder.
history.replaceState(null, '', location.pathname)
const path = '/api/2/auth/access-tokens'
const dead = () => {
  byId('open').hidden = true
  say('state', [])
  say('problem', ['This link doesn’t work, or no longer does. Ask whoever sent it for a new one.'])
}
byId('open').addEventListener('submit', (event) => {
  event.preventDefault()
  void whileBusy(event.target, async () => {
    say('problem', [])
    const password = byId('password').value
    const answer = await call('POST', path + '/redeem', { token, ...(password ? { password } : {}) })
    if (answer.status === 404) return dead()
    byId('sign-in').hidden = answer.body.code !== 'not_authenticated'
    if (answer.body.code === 'not_authenticated')
      return say('problem', ['Sign in first, and then open the link once more from where you have it.'])
    if (!answer.ok) return say('problem', sentences(answer))
    byId('open').hidden = true
    say('state', ['The link is open. You are in as ' + answer.body.user.display_name + '.'])
  })
})
const link = /^lka_\\w+$/.test(token) ? await call('GET', path + '/get/' + token).catch(() => undefined) : { status: 404 }
if (!link) say('problem', ['The service can’t be reached. Open the link again in a moment.'])
else if (link.status === 404) dead()
else if (!link.ok) say('problem', sentences(link))
else {
  byId('open').hidden = false
  byId('password-field').hidden = !link.body.has_password
  byId('password').required = link.body.has_password
}
if (link && link.ok) say('state', ['Something was shared with you.'])
else say('state', [])
`

const { html, headers } = setPage('A link for you', content, script)

/** The page that links lead to, for a product that has none of its own for them. */
export const linkPage: UseCase<typeof pages.linkPage> = async () => ({ status: 200, body: html, headers })
