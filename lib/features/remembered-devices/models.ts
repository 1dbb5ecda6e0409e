import * as z from 'zod/mini'
import {
  exampleAddress,
  exampleIds,
  exampleTimes,
  exampleUserAgent,
} from '../../accounts/example-values.models.ts'
import { anyText, dateTime, flag, id, nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

/** A browser in which sign-ins of a user do without the second factor. */
export const RememberedDevice = model(
  {
    id: field(id, docs && 'The ID of the device. It is random and not secret. Use it to end the device.'),
    created_at: field(dateTime, docs && 'When the second factor was proven: ISO 8601, UTC.'),
    last_used_at: field(
      z.nullable(dateTime),
      docs && 'When a sign-in last did without the second factor: ISO 8601, UTC. Null if none did.',
    ),
    expires: field(
      dateTime,
      docs && 'When the device ends at the latest: ISO 8601, UTC. Use does not change it.',
    ),
    ip: field(nonEmptyText, docs && 'The IP address of the last sign-in with the device.'),
    user_agent: field(
      anyText,
      docs && 'The user agent of that sign-in. Its sender chose it, so it proves nothing.',
    ),
    country: field(
      z.nullable(nonEmptyText),
      docs &&
        'The country of that sign-in, as ISO 3166-1 alpha-2. Null without the front door, or if it does not know the country.',
    ),
    is_current: field(flag, docs && 'Whether the browser of this request is the device.'),
  },
  docs && {
    description: 'A browser that is remembered after a second factor, so that sign-ins there do without.',
    example: {
      id: exampleIds.rememberedDevice,
      created_at: exampleTimes.linkCreated,
      last_used_at: exampleTimes.signedIn,
      expires: '2026-12-18T16:20:00.000Z',
      ip: exampleAddress,
      user_agent: exampleUserAgent,
      country: 'NO',
      is_current: true,
    },
  },
)
export type RememberedDevice = z.output<typeof RememberedDevice>
