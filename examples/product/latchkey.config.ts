import { defineConfig } from 'latchkey'

const texts = { en: 'Change films', de: 'Filme ändern' }

/** The API of the product, in all stages. */
export const filmsApi = {
  name: 'Media library',
  permissions: [{ name: 'films:edit', texts }],
  scopes: [{ name: 'films.edit', texts, permissions: ['films:edit'] }],
}

/** The account of the product itself. It shares films, so links keep working when a person leaves. */
export const linksAccount = {
  name: 'Media library',
  permissions: ['media:access'],
  scopes: ['media:access'],
}

/** What the product needs of Latchkey on your machine, and whom a developer can sign in as. On AWS, `examples/product/infra/product.ts` has the same. */
export const createConfig = (origin: string) =>
  defineConfig({
    schema_version: 1,
    owner: 'media-library',
    apis: { films: { ...filmsApi, audience: origin } },
    clients: {
      'media-library': {
        name: 'Media library',
        redirect_uris: [`${origin}/callback`],
        post_logout_redirect_uris: [`${origin}/`],
        backchannel_logout_uri: `${origin}/backchannel-logout`,
        scopes: ['openid', 'profile', 'permissions', 'organization'],
        apis: [{ audience: origin, scopes: ['films.edit'] }],
        permissions: ['films:edit'],
      },
    },
    service_accounts: { 'media-library-links': linksAccount },
    seed: {
      users: {
        // Only Ada may add films.
        ada: { password: 'ada likes silent films', permissions: ['films:edit'] },
        bob: { password: 'bob likes silent films' },
      },
    },
  })
