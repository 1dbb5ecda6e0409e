/** All that differs between the stages. */
const overrides = {
  dev: { url: 'https://films.dev.example.com' },
  prod: { url: 'https://films.example.com' },
}

const { STAGE: stage = 'dev' } = process.env
if (!Object.hasOwn(overrides, stage)) throw new Error(`There is no stage ${stage}.`)
const { url } = overrides[stage]

export default {
  schema_version: 1,
  owner: 'film-library',
  apis: {
    films: {
      name: 'Film API',
      audience: 'https://films.example.com/api',
      permissions: [{ name: 'films:view', texts: { en: 'View films' } }],
      scopes: [{ name: 'films.read', texts: { en: 'Read films' }, permissions: ['films:view'] }],
    },
  },
  clients: {
    web: {
      name: 'Film library',
      type: 'public',
      redirect_uris: [`${url}/callback`],
      apis: [{ audience: 'https://films.example.com/api', scopes: ['films.read'] }],
    },
  },
}
