import { priceMonth, type Shape, sizes } from '../../bench/monthly-costs.ts'
import { readRecordedCosts } from '../../bench/recorded-costs.ts'
import { priceRival, type Rival, rivals } from '../../bench/rivals.ts'
import { markdownTable, page } from './operations-page.ts'

/* How Latchkey compares with others: the table of the README, and the page with the source and the date of each of its cells. */

/** Where a claim was read. Sources of Latchkey are its own pages, with a test. */
interface Source {
  readonly address: string
  readonly read: string
  /** What the address is, if it is not the product's own page. */
  readonly note?: string
}

interface Cell {
  readonly says: string
  readonly sources: readonly Source[]
}

export const products = ['Latchkey', 'Cognito', 'Keycloak', 'Better Auth'] as const
type Product = (typeof products)[number]

interface Row {
  readonly topic: string
  readonly cells: Readonly<Record<Exclude<Product, 'Latchkey'>, Cell>>
  readonly latchkey: {
    readonly says: string
    /** A page of `docs`, from there, and the test that holds it. */
    readonly page: string
    readonly test: string
  }
}

const read = '30 November 2026'
const cell = (says: string, ...addresses: readonly (string | Source)[]): Cell => ({
  says,
  sources: addresses.map((source) => (typeof source === 'string' ? { address: source, read } : source)),
})

export const dollars = (value: number): string => Math.round(value).toLocaleString('en-US')

export const priceOurs = (size: (typeof sizes)[number], shape: Shape): number =>
  priceMonth(readRecordedCosts(), size, shape).total

const medium = sizes[1] ?? { users: 0, dailyUsers: 0 }
const findRival = (name: string): Rival => {
  const rival = rivals.find((one) => one.name === name)
  if (!rival) throw new Error(`There are no prices of ${name}.`)
  return rival
}
const [lite, essentials] = [findRival('Cognito Lite'), findRival('Cognito Essentials')]
const costs = (rival: Rival): string => dollars(priceRival(rival, medium.users) ?? 0)

const keycloakDatabase = 'https://www.keycloak.org/server/db'
const betterAuthDatabase = 'https://better-auth.com/docs/concepts/database.md'
const tokenExchange = 'https://aws.amazon.com/about-aws/whats-new/2026/11/cognito-token-exchange'

export const rows: readonly Row[] = [
  {
    topic: 'runs',
    latchkey: {
      says: 'as functions in your AWS account',
      page: 'architecture.md',
      test: 'test/infra/stack.test.ts',
    },
    cells: {
      Cognito: cell('at AWS', tokenExchange),
      Keycloak: cell('on your servers, with your database', keycloakDatabase),
      'Better Auth': cell('in your TypeScript server, with your database', betterAuthDatabase),
    },
  },
  {
    topic: `${medium.users.toLocaleString('en-US')} users a month cost`,
    latchkey: {
      says: `${dollars(priceOurs(medium, 'C'))} to ${dollars(priceOurs(medium, 'A'))} dollars`,
      page: 'cost.md',
      test: 'test/bench/cost.test.ts',
    },
    cells: {
      Cognito: cell(
        `${costs(lite)} dollars (Lite) or ${costs(essentials)} (Essentials), nothing up to ${essentials.free.toLocaleString('en-US')} users`,
        {
          address: essentials.source,
          read: '20 September 2026',
          note: 'in a transcription of the page',
        },
      ),
      Keycloak: cell('your servers and your database', keycloakDatabase),
      'Better Auth': cell('your server and your database', betterAuthDatabase),
    },
  },
  {
    topic: 'sign-out ends access',
    latchkey: {
      says: 'at the next request that it answers, elsewhere by back-channel logout',
      page: 'concepts/sessions.md',
      test: 'test/attacks/stale-sessions.test.ts',
    },
    cells: {
      Cognito: cell(
        'when the access token expires, outside of its own operations',
        'https://docs.aws.amazon.com/goto/WebAPI/cognito-idp/GlobalSignOut',
      ),
      Keycloak: cell('when the access token expires, or at once where each request asks Keycloak', {
        address: 'https://www.npmjs.com/package/keycloak-verify',
        read,
        note: 'a library of others that checks in both ways',
      }),
      'Better Auth': cell(
        'at the next request, unless sessions are cached in a cookie',
        'https://better-auth.com/docs/concepts/session-management.md',
      ),
    },
  },
  {
    topic: 'password hashes can be exported',
    latchkey: {
      says: 'yes',
      page: 'import-export.md',
      test: 'test/cli/export.test.ts',
    },
    cells: {
      Cognito: cell('no', {
        address: 'https://workos.com/docs/migrate/aws-cognito',
        read: '26 November 2026',
        note: 'a guide of others to leave it',
      }),
      Keycloak: cell('yes', {
        address: 'https://phasetwo.io/tutorials/data-protection/exit-export/',
        read,
        note: 'a guide of others, tried with version 26.8',
      }),
      'Better Auth': cell('yes, they are in your database', {
        address: 'https://workos.com/docs/migrate/better-auth',
        read,
        note: 'a guide of others to leave it',
      }),
    },
  },
  {
    topic: 'client ID documents',
    latchkey: {
      says: 'yes, for agents of hosts that you allow; tokens are not exchanged',
      page: 'concepts/apis.md',
      test: 'test/journeys/agents.test.ts',
    },
    cells: {
      Cognito: cell(
        'through a translator of three functions that you run (September 2026); token exchange since 12 November 2026',
        {
          address: 'https://github.com/aws-samples/sample-serverless-architecture-cimd-with-cognito',
          read,
          note: 'a sample of AWS',
        },
        tokenExchange,
      ),
      Keycloak: cell('as an experimental feature', {
        address: 'https://keycloak.showcase.gurubase.ai/nightly/securing-apps/mcp-authz-server',
        read,
        note: "a copy of Keycloak's guide",
      }),
      'Better Auth': cell('yes, with a plugin', 'https://better-auth.com/docs/plugins/cimd.md'),
    },
  },
  {
    topic: 'a region is lost',
    latchkey: {
      says: 'you restore a backup in another one',
      page: 'multi-region.md',
      test: 'test/docs/runbooks.test.ts',
    },
    cells: {
      Cognito: cell(
        'sign-in goes on in a second region, without sign-up and password resets, for more money',
        'https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-multi-region.html',
      ),
      Keycloak: cell(
        'zones and data centers near each other may fail; the network between them decides',
        'https://keycloak.org/high-availability/introduction',
      ),
      'Better Auth': cell('its data is in your database, which decides', betterAuthDatabase),
    },
  },
]

/** The table of the README. */
export const comparisonTable = (): string =>
  markdownTable(
    ['', ...products],
    rows.map(({ topic, latchkey, cells }) => [
      topic,
      latchkey.says,
      ...products.flatMap((product) => (product === 'Latchkey' ? [] : [cells[product].says])),
    ]),
  )

const linkTo = ({ address, note }: Source): string =>
  note === undefined ? `<${address}>` : `<${address}>, ${note}`

/** docs/comparison.md: a row for each cell of the table. */
export const comparisonPage = (): string =>
  page(
    'Comparison',
    `For people who choose between Latchkey and others. Each cell of the table in the README has a row here, with the address where the
claim was read and the day. Others change: read their page before you decide. [Cost](cost.md#beside-others) has all prices and how they are computed.`,
    ...rows.map(
      ({ topic, latchkey, cells }) => `## ${topic[0]?.toUpperCase()}${topic.slice(1)}

${markdownTable(
  ['product', 'claim', 'read at', 'read on'],
  [
    ['Latchkey', latchkey.says, `[${latchkey.page}](${latchkey.page}), test: \`${latchkey.test}\``, read],
    ...products.flatMap((product) =>
      product === 'Latchkey'
        ? []
        : [
            [
              product,
              cells[product].says,
              cells[product].sources.map(linkTo).join('; '),
              [...new Set(cells[product].sources.map((source) => source.read))].join('; '),
            ],
          ],
    ),
  ],
)}`,
    ),
    `## Where others do more

- **A region is lost**: with Cognito, sign-in goes on in a second region. Latchkey loses up to a day and a half of data:
  see [What is lost](multi-region.md#what-is-lost).
- **A small product**: up to ${essentials.free.toLocaleString('en-US')} users, Cognito costs nothing.
- **Exchange of tokens**: Cognito has it, with the claim \`act\`. Latchkey has [tickets](concepts/tickets.md) instead.
- [What Latchkey does not do](not-included.md) lists everything that is missing.`,
  )
