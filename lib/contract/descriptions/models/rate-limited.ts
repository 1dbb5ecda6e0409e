import { RateLimitedSubject } from '../../models/rate-limited.ts'
import { describeModel } from '../describe.ts'
import { exampleAddress, exampleRateLimitKey, exampleTimes } from '../example-values.ts'

export const rateLimitedTexts = [
  describeModel(RateLimitedSubject, {
    description:
      'An account, network or access link that reached a rate limit. At most one of `user` and `network` says which. All are null if a name was counted that belongs to no account, or that is not shown to anyone.',
    fields: {
      key: 'Identifies the count in paths.',
      name: {
        description: 'The name of the rate limit. The reference of rate limits lists all names.',
        example: 'addressFailures',
      },
      user: 'The ID of the user whose account is limited. Null if it is no account.',
      user_name: 'The username of `user`. Null for callers without the permission `users:view`.',
      network:
        'The network whose requests are limited: an IPv4 address, or the first 64 bits of an IPv6 address. Null if it is no network.',
      access_token: 'The ID of the access link that is limited. Null if it is none.',
      since:
        'When the limit was reached: ISO 8601, UTC. It is renewed once in each window of the limit while requests continue.',
      until:
        'When requests are accepted again if none is counted until then: ISO 8601, UTC. Null if it takes a success or a new password.',
    },
    example: {
      key: exampleRateLimitKey,
      name: 'addressFailures',
      user: null,
      user_name: null,
      network: exampleAddress,
      access_token: null,
      since: exampleTimes.signedIn,
      until: exampleTimes.codeEnd,
    },
  }),
]
