import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { flag, id, ids, integer } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

/** Links that one request names. */
const linksNamed = 100

export const HandOverRequest = model(
  {
    to: field(id, docs && 'The ID of the user who gets the links.'),
    access_links: field(
      z.optional(ids.check(z.minLength(1), z.maxLength(linksNamed))),
      docs && 'The IDs of the access links. Without this field, all that work.',
    ),
    new_addresses: field(
      z.optional(flag),
      docs &&
        'Whether the links get new addresses. The old addresses, which the user still knows, and the sessions that they opened then end. The new owner sends the new ones. False by default.',
    ),
  },
  docs && {
    description: 'Who gets access links of a user.',
    example: { to: exampleIds.otherUser, access_links: [exampleIds.accessLink], new_addresses: true },
  },
)
export type HandOverRequest = z.output<typeof HandOverRequest>

export const HandedOver = model(
  {
    is_complete: field(flag, docs && 'Whether there was time for all links. If not, repeat the request.'),
    access_links: field(ids, docs && 'The IDs of the links that the new owner got by this request.'),
    left: field(
      integer,
      docs &&
        'How many links stay with the user, because the new owner has no role for them in the organization of the link.',
    ),
  },
  docs && {
    description: 'What one request handed over.',
    example: { is_complete: true, access_links: [exampleIds.accessLink], left: 0 },
  },
)
export type HandedOver = z.output<typeof HandedOver>
