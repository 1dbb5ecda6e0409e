import { AccessError } from '@latchkey/middleware'
import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import { createApiRoutes, createRequireUser } from './api.ts'
import { createBackchannelRoute } from './backchannel-logout.ts'
import { createCompanyRoutes } from './companies.ts'
import type { Environment } from './environment.ts'
import { films } from './films.ts'
import { showFilms, showWelcome } from './pages.ts'
import { createSessionCookie } from './session-cookie.ts'
import type { SessionStore } from './session-store.ts'
import type { Settings } from './settings.ts'
import { createSharingRoutes } from './shared-films.ts'
import { createSignInRoutes } from './sign-in.ts'

/** Creates the product: its pages, its API, and what connects both to Latchkey. */
export const createApp = (settings: Settings, sessions: SessionStore): Hono<Environment> => {
  const { origin, latchkeyUrl } = settings
  const cookie = createSessionCookie(origin, sessions)
  const requireUser = createRequireUser(settings)
  const app = new Hono<Environment>()

  app.use(
    secureHeaders({
      // Without a referrer, browsers would not name the origin of forms, which is checked below.
      referrerPolicy: 'same-origin',
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        // The sign-out form continues at Latchkey.
        formAction: ["'self'", latchkeyUrl],
        frameAncestors: ["'none'"],
      },
    }),
  )
  // Latchkey posts here without a browser, so this route comes before the check of origins.
  app.route('/', createBackchannelRoute(settings, sessions))
  app.use(csrf({ origin }))
  app.use(cookie.middleware)

  app.get('/', (c) => {
    c.header('cache-control', 'no-store')
    const session = c.get('session')
    if (!session) return c.html(showWelcome(c.req.query('problem')))
    const { sharedFilms } = session
    return c.html(
      showFilms(session, sharedFilms ? films.filter(({ id }) => sharedFilms.includes(id)) : films),
    )
  })
  app.route('/', createSignInRoutes(settings, cookie))
  app.route('/', createApiRoutes(requireUser))
  app.route('/', createCompanyRoutes(settings, requireUser))
  app.route('/', createSharingRoutes(settings, requireUser, cookie))

  app.onError((error, c) => {
    if (error instanceof AccessError)
      return new Response(error.body, { status: error.status, headers: error.headers })
    if (error instanceof HTTPException) return error.getResponse()
    console.error(error)
    return c.text('Something went wrong. Please try again later.', 500)
  })
  return app
}
