import * as z from 'zod/mini'
import { exampleTimes } from '../../accounts/example-values.models.ts'
import { flag, nonEmptyText, nullableDateTime, text255 } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { domainNameLength } from '../../kernel/limits/connection-limits.ts'

const exampleDomain =
  docs &&
  ({
    domain: 'example.com',
    state: 'proven',
    awaits_approval: false,
    txt_name: '_latchkey.example.com',
    txt_value: 'latchkey-domain=dGhpcyBpcyBvbmx5IGFuIGV4YW1wbGUu',
    proven_at: exampleTimes.created,
    checked_at: exampleTimes.created,
  } as const)

/** An email domain of a company connection. */
export const ConnectionDomain = model(
  {
    domain: field(
      nonEmptyText,
      docs && 'The domain in lowercase ASCII, such as `example.com` or `xn--bcher-kva.example`.',
    ),
    state: field(
      z.enum(['pending', 'proven', 'lost', 'vouched']),
      docs &&
        [
          '`pending`: its TXT record was not found yet. `proven`: the record was found.',
          '`lost`: the record was found before, and is missing now. `vouched`: an administrator vouches for it, without a record.',
          'Proven and vouched domains count.',
        ].join(' '),
    ),
    awaits_approval: field(
      flag,
      docs &&
        'Whether the domain does not count yet. An organization added it to its connection, and an administrator of the service has to approve it.',
    ),
    txt_name: field(nonEmptyText, docs && 'The name of the TXT record that proves the domain.'),
    txt_value: field(nonEmptyText, docs && 'What the TXT record must contain.'),
    proven_at: field(
      nullableDateTime,
      docs && 'When the record was last found: ISO 8601, UTC. Null if it never was.',
    ),
    checked_at: field(
      nullableDateTime,
      docs && 'When the DNS last answered: ISO 8601, UTC. Null if it never did.',
    ),
  },
  docs && {
    description: 'An email domain of a company connection. Only one connection can have a domain.',
    example: exampleDomain,
  },
)
export type ConnectionDomain = z.output<typeof ConnectionDomain>

export const NewConnectionDomain = model(
  {
    domain: field(
      text255,
      docs &&
        `The domain of email addresses, of at most ${domainNameLength} characters. A public suffix such as \`co.uk\` is refused.`,
    ),
  },
  docs && { description: 'A domain for a company connection.', example: { domain: 'example.com' } },
)
export type NewConnectionDomain = z.output<typeof NewConnectionDomain>
