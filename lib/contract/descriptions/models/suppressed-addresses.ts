import { suppressionMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { SuppressedAddress } from '../../models/suppressed-addresses.ts'
import { describeModel } from '../describe.ts'
import { exampleSuppressedKey } from '../example-values.ts'

export const suppressedAddressesTexts = [
  describeModel(SuppressedAddress, {
    description: `An email address that receives no email. An email to it bounced for good, or its recipient reported one as spam. It ends after ${describeDuration(suppressionMs)}.`,
    fields: {
      key: 'Identifies the address in paths. Addresses can contain characters that paths cannot.',
      address: {
        description: 'The address in the form that is compared: in lower case.',
        example: 'grace@example.com',
      },
      reason:
        '`bounce` if the address does not exist, `complaint` if its recipient reported an email as spam.',
      since: 'When it was last reported: ISO 8601, UTC.',
      until: 'When the address receives email again: ISO 8601, UTC.',
    },
    example: {
      key: exampleSuppressedKey,
      address: 'grace@example.com',
      reason: 'bounce',
      since: '2026-11-18T16:20:00.000Z',
      until: '2027-05-17T16:20:00.000Z',
    },
  }),
]
