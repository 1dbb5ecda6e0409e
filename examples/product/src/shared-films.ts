import { createClient, isLatchkeyError } from '@latchkey/client'
import { Hono } from 'hono'
import type { RequireUser } from './api.ts'
import type { Environment } from './environment.ts'
import { findFilm } from './films.ts'
import { showLink } from './pages.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Settings } from './settings.ts'

const guestSessionSeconds = 60 * 60

/** Shares films with people who have no account, by access links of Latchkey. */
export const createSharingRoutes = (
  settings: Settings,
  requireUser: RequireUser,
  cookie: SessionCookie,
): Hono<Environment> => {
  const { origin, latchkeyUrl, credentials } = settings
  const latchkey = createClient({ baseUrl: latchkeyUrl, credential: credentials.apiToken })
  const app = new Hono<Environment>()

  app.post('/films/:id/share', requireUser({ organization: 'optional' }), async (c) => {
    const film = findFilm(Number(c.req.param('id')))
    if (!film) return c.notFound()
    const link = await latchkey.accessLinks.createAccessToken({
      bundles: [{ id: film.id, name: film.title }],
      permissions: { allow_read: true },
    })
    return c.html(showLink(film, link.full_url))
  })

  /* Latchkey sends guests here after they opened the link, with a ticket that only this product can exchange. */
  app.get('/shared', async (c) => {
    const ticket = c.req.query('ticket') ?? ''
    const guest = await latchkey.tickets
      .checkAuthTicket({ ticket, audience: origin, include: ['context'] })
      .catch((error: unknown) => {
        if (isLatchkeyError(error, 'not_found') || isLatchkeyError(error, 'invalid_request')) return undefined
        throw error
      })
    const link = guest?.context?.access_link
    if (!link) return c.redirect('/?problem=expired')
    // Users see all films, and no link should sign them out.
    if (c.get('session')?.accessToken) return c.redirect('/')
    await cookie.start(c, {
      name: 'guest',
      sharedFilms: link.shared_bundles.map(({ id }) => id),
      expiresAt: Math.floor(Date.now() / 1000) + guestSessionSeconds,
    })
    return c.redirect('/')
  })
  return app
}
