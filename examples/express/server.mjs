import { randomBytes } from 'node:crypto'
import express from 'express'
import session from 'express-session'
import * as openid from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET } = process.env
const origin = 'http://localhost:8080'
// Only for local mode: remove allowInsecureRequests if the issuer begins with https.
const options = { execute: [openid.allowInsecureRequests] }
const latchkey = await openid.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, options)

const app = express()
app.use(
  session({
    secret: randomBytes(32).toString('hex'),
    cookie: { sameSite: 'lax' },
    resave: false,
    saveUninitialized: false,
  }),
)

app.get('/', (request, response) => {
  const { user } = request.session
  response.send(
    user
      ? `<p>Hello ${escapeHtml(user.name)}</p><p><a href="/films">Films</a></p>
         <form method="post" action="/sign-out"><button>Sign out</button></form>`
      : '<a href="/sign-in">Sign in</a>',
  )
})

app.get('/sign-in', async (request, response) => {
  const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()]
  request.session.signIn = { pkceCodeVerifier, expectedState }
  const url = openid.buildAuthorizationUrl(latchkey, {
    redirect_uri: `${origin}/callback`,
    scope: 'openid profile email',
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  response.redirect(url.href)
})

app.get('/callback', async (request, response) => {
  const { signIn } = request.session
  if (!signIn) return response.redirect('/')
  const url = new URL(request.originalUrl, origin)
  const tokens = await openid.authorizationCodeGrant(latchkey, url, { ...signIn, idTokenExpected: true })
  const { sub, name, email } = tokens.claims()
  // A new session, so that no one can prepare the session of another person.
  request.session.regenerate(() => {
    Object.assign(request.session, { user: { id: sub, name, email }, idToken: tokens.id_token })
    response.redirect('/')
  })
})

app.post('/sign-out', (request, response) => {
  const { idToken } = request.session
  request.session.destroy(() => {
    if (!idToken) return response.redirect('/')
    const parameters = { id_token_hint: idToken, post_logout_redirect_uri: `${origin}/` }
    response.redirect(openid.buildEndSessionUrl(latchkey, parameters).href)
  })
})

const requireUser = (request, response, next) =>
  request.session.user ? next() : response.status(401).json({ error: 'Sign in first.' })

app.get('/films', requireUser, (request, response) => {
  response.json({ for: request.session.user.name, films: ['Metropolis', 'Nosferatu'] })
})

// A sign-in that was cancelled or started twice ends here.
app.use((error, _request, response, _next) => {
  console.error(error)
  response.status(400).send('This did not work. <a href="/">Start again</a>')
})

const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

app.listen(8080, 'localhost', () => console.log(`ready ${origin}`))
