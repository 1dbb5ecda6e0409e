import type * as z from 'zod/mini'
import { nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { exampleAddress, exampleTimes } from '../example-values.models.ts'

export const exampleNetwork = docs && { date: exampleTimes.signedIn.slice(0, 10), network: exampleAddress }

export const UsedNetwork = model(
  {
    date: field(nonEmptyText, docs && 'The day of the use, in UTC: ISO 8601.'),
    network: field(
      nonEmptyText,
      docs && 'The address that requests came from, or of IPv6 the first 64 bits of it.',
    ),
  },
  docs && {
    description: 'A network from which a credential was used on a day.',
    example: exampleNetwork,
  },
)

export type UsedNetwork = z.output<typeof UsedNetwork>
