import { defineConfig } from 'latchkey'

const password = 'silent films at midnight'

/** What the product needs of Latchkey on your machine, and whom you can sign in as. On AWS, `infra/app.ts` has the same hooks. */
export default defineConfig({
  schema_version: 1,
  owner: 'customer-roles',
  groups: { customers: { name: 'Customers', permissions: ['films:view'] } },
  sign_up_policy: { mode: 'open' },
  clients: {
    shop: {
      name: 'Shop',
      redirect_uris: ['http://127.0.0.1:4000/callback'],
      scopes: ['openid', 'profile', 'attributes'],
    },
  },
  hooks: {
    before_sign_up: { module: './src/before-sign-up.ts', groups: ['Customers'] },
    after_sign_in: { module: './src/after-sign-in.ts' },
    before_token: { module: './src/before-token.ts', claims: ['role', 'plan'], on_failure: 'refuse' },
  },
  seed: {
    users: {
      ada: { email: 'ada@example.com', password, groups: ['customers'] },
      bob: { email: 'bob@example.com', password, groups: ['customers'] },
      carol: { email: 'carol@example.com', password, groups: ['customers'] },
    },
  },
})
