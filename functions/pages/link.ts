import type { pages } from '../../lib/contract/operations/pages.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { seeBox, setPage } from './layout.ts'
import { tokens } from './token.ts'

const content = `
<p role="status" id="state" aria-live="polite">Looking at the link…</p>
<p role="alert" id="problem"></p>
<form id="open" method="post" hidden>
<label id="password-field" hidden>Password of the link
<input id="password" name="password" type="password" autocomplete="off"></label>
<div id="see-field" hidden>${seeBox}</div>
<button>Open</button>
</form>
<p id="onward" hidden><a href="/">Sign in</a></p>
<div id="shared" hidden></div>
<form id="leave" method="post" hidden><button>Sign out</button></form>
`

// Nothing is used up before somebody presses the button: what scans mails may run scripts, too.
const script = `
const title = document.title
const path = '/api/2/auth/access-tokens'
let token = ''
let link
const hideAll = () => { for (const id of ['open', 'onward', 'shared', 'leave']) byId(id).hidden = true }
const stop = (sentence) => {
  hideAll()
  say('state', [])
  say('problem', [sentence])
}
const dead = () => stop('This link doesn’t work, or no longer does. Ask whoever sent it for a new one.')
// The page to sign in on is told of the link, so that it leads back here.
const offerSignIn = (sentence, label) => {
  say('problem', [sentence])
  Object.assign(byId('onward').firstChild, { textContent: label, href: '/#link=' + token })
  byId('onward').hidden = false
}
const whoAmI = async () => {
  const me = await call('GET', '/api/2/users/me').catch(() => ({ ok: false }))
  return me.ok ? me.body : undefined
}
const showOpened = (user, objects) => {
  hideAll()
  say('problem', [])
  say('state', ['The link is open. You are in as ' + nameOf(user) + ', in this browser.'])
  if (objects.length) {
    const heading = Object.assign(document.createElement('p'), { textContent: 'It shares with you:' })
    byId('shared').replaceChildren(heading, listOf(objects.map(({ name }) => name)))
    byId('shared').hidden = false
  }
  byId('leave').hidden = false
}
const lookAtOpened = async (id) => {
  const opened = await call('GET', path + '/' + id).catch(() => ({ ok: false }))
  return opened.ok ? opened.body : undefined
}
const objectsOf = (opened) => opened ? [...opened.shared_bundles, ...opened.shared_directories] : []
byId('see').addEventListener('change', () => showTyped(byId('see').checked, ['password']))
byId('open').addEventListener('submit', (event) => {
  event.preventDefault()
  void whileBusy(event.target, async () => {
    say('problem', [])
    byId('onward').hidden = true
    const password = byId('password').value
    const answer = await call('POST', path + '/redeem', { token, ...(password ? { password } : {}) })
    if (answer.status === 404) return dead()
    if (answer.body.code === 'not_authenticated')
      return offerSignIn('Sign in first, since this link is for one person alone. Then you come back here.', 'Sign in')
    if (answer.status === 403 && answer.body.code === 'permission_denied') {
      const me = await whoAmI()
      const you = me ? ' You are signed in as ' + nameOf(me) + '.' : ''
      return offerSignIn('This link is for somebody else.' + you + ' If it is for you, sign out, and sign in as yourself.',
        'Go to the sign-in page')
    }
    if (!answer.ok) return say('problem', sentences(answer))
    keepInstead({ opened: link.id })
    showOpened(answer.body.user, objectsOf(await lookAtOpened(link.id)))
    turnTo('The link is open')
  })
})
byId('leave').addEventListener('submit', (event) => {
  event.preventDefault()
  void whileBusy(event.target, async () => {
    const answer = await call('POST', '/api/2/auth/logout')
    if (!answer.ok) return say('problem', sentences(answer))
    keepInstead({ isLeft: true })
    hideAll()
    say('state', ['You are signed out. What was shared is closed in this browser.'])
    turnTo('Signed out')
  })
})
let round = 0
await withToken(async (given, { opened, isLeft }) => {
  token = given
  const mine = ++round
  hideAll()
  showTyped(false, ['password'])
  byId('password').value = ''
  setTitle(title)
  say('problem', [])
  say('state', ['Looking at the link…'])
  if (isLeft) return say('state', ['You are signed out. What was shared is closed in this browser.'])
  const [answer, me] = await Promise.all([
    opened ? lookAtOpened(opened)
      : /^lka_\\w+$/.test(token) ? call('GET', path + '/get/' + token).catch(() => undefined) : { status: 404 },
    opened ? undefined : whoAmI(),
  ])
  // Another link was pasted meanwhile.
  if (mine !== round) return
  if (opened && answer) {
    setTitle('The link is open')
    return showOpened(answer.user, objectsOf(answer))
  }
  if (opened) return stop('The link is not open any more in this browser. Open it once more from where you have it.')
  if (!token) return stop('This link is not complete. Open it once more from where you have it.')
  if (!answer) return stop('The service can’t be reached. Load this page again in a moment.')
  if (answer.status === 404) return dead()
  if (!answer.ok) return stop(sentences(answer)[0])
  link = answer.body
  byId('open').hidden = false
  byId('password-field').hidden = byId('see-field').hidden = !link.has_password
  byId('password').required = link.has_password
  say('state', [me
    ? 'Something was shared with you. You are signed in as ' + nameOf(me) + ': once you open it, this browser shows you what was shared and nothing else, until you sign in again.'
    : 'Something was shared with you.'])
})
`

const { html, headers } = setPage('A link for you', content, tokens + script)

/** The page that links lead to, for a product that has none of its own for them. */
export const linkPage: UseCase<typeof pages.linkPage> = async () => ({ status: 200, body: html, headers })
