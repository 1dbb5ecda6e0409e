import { defineConfig } from 'latchkey'

const films = { en: 'Change films', de: 'Filme ändern' }

/** What the product needs of Latchkey, and whom a developer can sign in as. */
export const createConfig = (origin: string) =>
  defineConfig({
    schema_version: 1,
    owner: 'media-library',
    apis: {
      films: {
        name: 'Media library',
        audience: origin,
        permissions: [{ name: 'films:edit', texts: films }],
        scopes: [{ name: 'films.edit', texts: films, permissions: ['films:edit'] }],
      },
    },
    clients: {
      'media-library': {
        name: 'Media library',
        redirect_uris: [`${origin}/callback`],
        post_logout_redirect_uris: [`${origin}/`],
        backchannel_logout_uri: `${origin}/backchannel-logout`,
        scopes: ['openid', 'profile', 'permissions'],
        apis: [{ audience: origin, scopes: ['films.edit'] }],
        permissions: ['films:edit'],
      },
    },
    seed: {
      users: {
        // Only Ada may add films.
        ada: { password: 'ada likes silent films', permissions: ['films:edit'] },
        bob: { password: 'bob likes silent films' },
        // An account of the product itself, so that links keep working when a person leaves.
        'media-library': { permissions: ['media:access'] },
      },
      api_tokens: { links: { owner: 'media-library', scopes: ['media:access'] } },
    },
  })
