import { createJwtMiddleware, type Requirement } from '@latchkey/middleware'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Environment } from './environment.ts'
import { films } from './films.ts'
import type { Settings } from './settings.ts'

export type RequireUser = (requirement?: Requirement) => MiddlewareHandler<Environment>

/** Lets users through whose access token meets a requirement. Programs send it, for pages it is in the session. */
export const createRequireUser = ({ latchkeyUrl, origin }: Settings): RequireUser => {
  const latchkey = createJwtMiddleware({ baseUrl: latchkeyUrl, audience: origin })
  return (requirement = {}) =>
    async (c, next) => {
      const { accessToken } = c.get('session') ?? {}
      const authorization = c.req.header('authorization') ?? (accessToken && `Bearer ${accessToken}`)
      const getHeader = (name: string) => (name === 'authorization' ? authorization : undefined)
      c.set('user', await latchkey.identifyUser({ method: c.req.method, getHeader }, requirement))
      await next()
    }
}

/**
 * The API of the product: three routes for users, one of them with a permission. The list of films belongs to the product, so who may
 * change it says the account, and not a company: people give themselves roles in a company of their own.
 */
export const createApiRoutes = (requireUser: RequireUser): Hono<Environment> => {
  const app = new Hono<Environment>()
  app.get('/api/me', requireUser({ organization: 'optional' }), (c) => {
    const { id, username, permissions, actor } = c.get('user')
    return c.json({ id, username, permissions, actor })
  })
  app.get('/api/films', requireUser({ organization: 'optional' }), (c) => c.json(films))
  app.post('/api/films', requireUser({ permission: 'films:edit' }), async (c) => {
    const { title } = await c.req.json<{ title?: unknown }>().catch(() => ({ title: undefined }))
    if (typeof title !== 'string' || title === '') return c.json({ error: 'A film needs a title.' }, 400)
    const id = films.length + 1
    const film = { id, title, path: `/films/${id}.mov` }
    films.push(film)
    return c.json(film, 201)
  })
  return app
}
