import { createClient, isLatchkeyError } from '@latchkey/client'
import { Hono } from 'hono'
import type { RequireUser } from './api.ts'
import type { Environment } from './environment.ts'
import { showCompany, showNoCompany } from './pages.ts'
import type { Settings } from './settings.ts'

/** The films of each company, by the ID of its organization at Latchkey. A real product keeps them in a database. */
const companyFilms = new Map<string, string[]>()

const listFilms = (organizationId: string): readonly string[] => companyFilms.get(organizationId) ?? []

/** The companies that are customers of the product: organizations of Latchkey. */
export const createCompanyRoutes = (
  { latchkeyUrl }: Settings,
  requireUser: RequireUser,
): Hono<Environment> => {
  const app = new Hono<Environment>()

  app.get('/company', requireUser({ organization: 'optional' }), (c) => {
    const { organization } = c.get('user')
    if (!organization) return c.html(showNoCompany(latchkeyUrl))
    return c.html(showCompany(organization, listFilms(organization.id), latchkeyUrl))
  })

  app.post('/company/films', requireUser({ role: 'owner' }), async (c) => {
    const { organization } = c.get('user')
    const { title } = await c.req.parseBody()
    if (organization && typeof title === 'string' && title !== '')
      companyFilms.set(organization.id, [...listFilms(organization.id), title])
    return c.redirect('/company', 303)
  })

  /* For programs of the company, with an API token that belongs to it. The token itself says which company it is. */
  app.get('/api/company/films', async (c) => {
    const [, key] = /^Bearer (lkg_\w+)$/.exec(c.req.header('authorization') ?? '') ?? []
    const company = key === undefined ? undefined : await findCompany(latchkeyUrl, key)
    return company
      ? c.json(listFilms(company.org_id))
      : c.json({ error: 'Send an API token of your company.' }, 401)
  })
  return app
}

/** The organization of an API token. Undefined if the token has ended. */
const findCompany = (baseUrl: string, credential: string) =>
  createClient({ baseUrl, credential })
    .organizations.getCurrentOrganization()
    .catch((error: unknown) => {
      if (isLatchkeyError(error, 'not_authenticated')) return undefined
      throw error
    })
